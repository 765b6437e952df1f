import { open, readFile, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LoamError } from '../../shared/errors'
import { rename, rm } from './steady-files'
import { errnoOf } from './errno'

/** Makes a rename or a new file in `folder` survive a power cut. Windows cannot sync folders and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Temp files that this process made. */
let temps = 0

/**
 * Replaces a file all at once: temp file, fsync, rename, fsync of the folder.
 * `content` is what it holds from then on, or fills the temp file; if that throws, the old file stays as it was. `mode`: who may read it
 * (default: whoever the umask lets). `isSynced`: false leaves both fsyncs out: a kill still takes nothing, a power cut may take what was written in the last half minute.
 * @throws LoamError `DISK_FULL` or `DISK_WRITE`
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | ((file: FileHandle) => Promise<void>),
  mode?: number,
  isSynced = true,
): Promise<void> {
  // Two at once must not write into one another's.
  const temp = `${path}.${process.pid}-${++temps}.tmp`
  try {
    const file = await open(temp, 'w', mode ?? 0o666)
    try {
      if (mode !== undefined) await file.chmod(mode)
      await (typeof content === 'function' ? content(file) : file.writeFile(content))
      if (isSynced) await file.sync()
    } finally {
      await file.close()
    }
    await rename(temp, path)
    if (isSynced) await syncFolder(dirname(path))
  } catch (error) {
    await rm(temp, { force: true })
    throw diskError(error, path)
  }
}

/** Writes a value as indented JSON, all at once. `mode` as in `replaceFile`. */
export const replaceJson = (path: string, value: unknown, mode?: number): Promise<void> =>
  replaceFile(path, `${JSON.stringify(value, null, 2)}\n`, mode)

/** The text of a file; null where there is none. Rejects when it cannot be read. */
export const readIfThere = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  })

const NO_MEMORY = /No space left on device|\(os error (?:28|112)\)/

/** What the system's errors mean, and what a person can do. */
const WRITE_FAULTS: Readonly<Record<string, readonly [cause: string, suggestion: string]>> = {
  EACCES: ['it may not be written to', 'Check who owns the folder and that it is writable.'],
  EPERM: ['it may not be written to', 'Check who owns the folder and that it is writable.'],
  EROFS: ['its disk is read-only', 'Make the disk writable, or move the data folder to another one.'],
  EIO: ['its disk fails', 'Check that the disk is healthy, and copy the data folder to another one.'],
  EFBIG: [
    'the file would be larger than is allowed',
    'Raise the limit on file sizes (ulimit -f), or use a disk whose format takes larger files.',
  ],
  EMFILE: ['too many files are open', 'Close other programs, or raise the limit on open files (ulimit -n).'],
  ENFILE: ['too many files are open', 'Close other programs, or raise the limit on open files (ulimit -n).'],
}

/** Turns the system's write errors into ones a person can act on; anything else passes through. */
export function diskError(error: unknown, path: string): unknown {
  const code = errnoOf(error)
  // LanceDB gives the system's words without its code.
  if (code === 'ENOSPC' || code === 'EDQUOT' || (error instanceof Error && NO_MEMORY.test(error.message))) {
    return new LoamError('DISK_FULL', `There is no room left for ${path}.`, {
      suggestion: 'Free some space on that disk and try again.',
      retryable: true,
      underlying: error,
    })
  }
  const why = code === undefined ? undefined : WRITE_FAULTS[code]
  if (why !== undefined)
    return new LoamError('DISK_WRITE', `${path} could not be written (${code}): ${why[0]}.`, {
      suggestion: why[1],
      retryable: code === 'EMFILE' || code === 'ENFILE',
      underlying: error,
    })
  return error
}

export { errnoOf } from './errno'
