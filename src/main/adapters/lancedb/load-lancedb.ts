import { createRequire } from 'node:module'
import type * as Arrow from 'apache-arrow'
import type * as LanceDb from '@lancedb/lancedb'
import { LoamError } from '../../../shared/errors'

export interface LanceLibrary {
  readonly lancedb: typeof LanceDb
  readonly arrow: typeof Arrow
}

let libraryPromise: Promise<LanceLibrary> | null = null

/** Loads LanceDB once, on first use. @throws LoamError `NOT_FOR_THIS_MACHINE` where there is no build of it */
export function loadLanceDb(): Promise<LanceLibrary> {
  return (libraryPromise ??= load())
}

async function load(): Promise<LanceLibrary> {
  // Read while the library loads: with its default pool, building a full-text index can hang on two cores.
  process.env['LANCE_CPU_THREADS'] ??= '4'
  process.env['LANCEDB_LOG'] ??= 'error'
  // LanceDB checks instances against the CommonJS build of Arrow; the ES build would be a second, foreign copy.
  const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow
  try {
    return { lancedb: await import('@lancedb/lancedb'), arrow }
  } catch (error) {
    throw new LoamError(
      'NOT_FOR_THIS_MACHINE',
      `LanceDB, which memories are searched with, could not be loaded on ${process.platform}-${process.arch}. Memories do not open without it, so asks and runs do not begin.`,
      {
        suggestion:
          'Nothing is lost: a memory is whole in its journal, and opens on another machine. Models, servers, settings, tools and "loam doctor" work here. If this machine should be able to, install Loam again.',
        underlying: error,
      },
    )
  }
}
