import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import { Isolate, IsolateError } from '../ground/isolate/isolate'
import type { BundleReply, BundleRequest } from './bundle-talk'
import type { CheckedBundle } from './manifest'

/** Most bytes of a bundle that is read: what an archive without zip64 can have. */
const MOST_BYTES = 4 * 1024 * 1024 * 1024
/** Most ms of processor time that checking may take, and reading some lines; ten times as many by the clock. */
const CHECK_MS = 300_000
const READ_MS = 120_000
const FILE = 'bundle.loam'
const SUGGESTION = 'Get the file again from where it came from. Nothing was changed.'

/** A bundle that is open: an isolate holds a copy of its file, which nobody changes meanwhile. */
export interface OpenBundle extends CheckedBundle {
  close(): Promise<void>
}

/** Opens a bundle's file, checked in an isolate of its own. @throws LoamError `NOT_FOUND`, `BAD_INPUT`, `DATA_FORMAT_NEWER` */
export async function openBundleFile(path: string): Promise<OpenBundle> {
  const about = await stat(path).catch(() => null)
  if (about?.isFile() !== true)
    throw new LoamError('NOT_FOUND', `${path} is not a file that can be read.`, {
      suggestion: 'Name a file that is there.',
    })
  if (about.size > MOST_BYTES)
    throw new LoamError('BAD_INPUT', `${path} is larger than ${MOST_BYTES} bytes.`, {
      suggestion: 'Export fewer kinds at a time.',
    })
  const folder = await mkdtemp(join(tmpdir(), 'loam-read-bundle-'))
  const isolate = new Isolate<BundleRequest, BundleReply>('bundle', {
    folder,
    limits: { heapMb: 256, processMb: 700 },
  })
  const close = async (): Promise<void> => {
    isolate.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const ask = async (request: BundleRequest, cpuMs: number): Promise<BundleReply> => {
    try {
      return await isolate.call(() => request, { cpuMs, clockMs: 10 * cpuMs })
    } catch (error) {
      if (!(error instanceof IsolateError)) throw error
      throw new LoamError('BAD_INPUT', `${path} cannot be read: ${error.message}`, {
        suggestion: SUGGESTION,
        underlying: error,
      })
    }
  }
  let last = 0
  async function* read<T>(file: string, as: 'lines' | 'values'): AsyncGenerator<T> {
    const id = ++last
    let isOver = false
    try {
      let request: BundleRequest = { id, read: file, as }
      for (;;) {
        const reply = (await ask(request, READ_MS)) as Record<string, readonly T[] | null>
        const batch = reply[as] ?? null
        isOver = batch === null
        if (batch === null) return
        yield* batch
        request = { id, goOn: true }
      }
    } finally {
      if (!isOver) await ask({ id, leave: true }, READ_MS).catch(() => undefined)
    }
  }
  try {
    const copy = join(folder, FILE)
    await copyFile(path, copy)
    const reply = await ask({ open: copy }, CHECK_MS)
    if (!('manifest' in reply)) throw new Error('The isolate answered something else.')
    return { ...reply, lines: (file) => read(file, 'lines'), values: (file) => read(file, 'values'), close }
  } catch (error) {
    await close()
    throw error
  }
}
