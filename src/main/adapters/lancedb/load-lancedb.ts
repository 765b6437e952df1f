import { createRequire } from 'node:module'
import type * as Arrow from 'apache-arrow'
import type * as LanceDb from '@lancedb/lancedb'

export interface LanceLibrary {
  readonly lancedb: typeof LanceDb
  readonly arrow: typeof Arrow
}

let libraryPromise: Promise<LanceLibrary> | null = null

/** Loads LanceDB once, on first use. */
export function loadLanceDb(): Promise<LanceLibrary> {
  return (libraryPromise ??= load())
}

async function load(): Promise<LanceLibrary> {
  // Read while the library loads: with its default pool, building a full-text index can hang on two cores.
  process.env['LANCE_CPU_THREADS'] ??= '4'
  process.env['LANCEDB_LOG'] ??= 'error'
  // LanceDB checks instances against the CommonJS build of Arrow; the ES build would be a second, foreign copy.
  const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow
  return { lancedb: await import('@lancedb/lancedb'), arrow }
}
