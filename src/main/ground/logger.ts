import { appendFile, mkdir, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { redactAll } from '../../core/memory/experiences/import/redact'
import { toErrorShape } from '../../shared/errors'
import { rename, rm } from './steady-files'
import { currentTrail } from './trail'

type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/** Structured log, one JSON object per line; `trails` says which work a line is about, in whatever process. Never throws and never blocks the caller. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Resolves when every line so far is on disk. */
  flush(): Promise<void>
}

/** Bytes after which a new file is begun. */
const ROTATE_BYTES = 5 * 1024 * 1024
/** Files kept, the current one included. */
const KEEP_FILES = 5
const FILE = 'loam.jsonl'

const SECRET_KEY = /token$|secret|password|authorization|cookie|api[-_]?key/i
const SECRET_TEXT = /(bearer\s+|[?#&]token=)[\w.~+/=-]+/gi

/** Removes what must not end in a log: the home folder's path and anything that looks like a credential, by the rules of imports and exports. */
export function redact(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (SECRET_KEY.test(key)) return '[redacted]'
    return redactAll(value.replaceAll(homedir(), '~').replace(SECRET_TEXT, '$1[redacted]')).value
  }
  if (value instanceof Error) return redact({ ...toErrorShape(value), stack: value.stack })
  if (Array.isArray(value)) return value.map((item) => redact(item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redact(item, name)]))
  }
  return value
}

/**
 * Opens the log in `folder` (made when missing). Files rotate at `rotateBytes` (default 5 MiB) as
 * loam.jsonl, loam.1.jsonl ... loam.4.jsonl, newest first.
 */
export function openLogger(folder: string, { rotateBytes: limit = ROTATE_BYTES } = {}): Logger {
  const path = join(folder, FILE)
  let queue: Promise<void> = Promise.resolve()
  let waiters: string[] = []
  let size = -1

  const drain = async (): Promise<void> => {
    const text = waiters.join('')
    waiters = []
    if (text === '') return
    if (size < 0) {
      await mkdir(folder, { recursive: true })
      size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      )
    }
    if (size > 0 && size + text.length > limit) {
      await rotate(folder)
      size = 0
    }
    await appendFile(path, text)
    size += Buffer.byteLength(text)
  }

  const write = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    const trail = currentTrail()
    const about = trail !== undefined && { trails: [trail] }
    const line = { at: new Date().toISOString(), level, message, pid: process.pid, ...about, ...fields }
    waiters.push(`${JSON.stringify(redact(line))}\n`)
    // A log that cannot be written must not stop the work it reports on.
    queue = queue.then(drain).catch(() => undefined)
  }

  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    flush: () => queue,
  }
}

const numbered = (folder: string, n: number): string => join(folder, n === 0 ? FILE : `loam.${n}.jsonl`)

async function rotate(folder: string): Promise<void> {
  const present = new Set(await readdir(folder))
  await rm(numbered(folder, KEEP_FILES - 1), { force: true })
  for (let n = KEEP_FILES - 2; n >= 0; n--) {
    const name = n === 0 ? FILE : `loam.${n}.jsonl`
    if (present.has(name)) await rename(numbered(folder, n), numbered(folder, n + 1))
  }
}

/** A logger that keeps nothing; for tests and for tools without a data folder. */
export const SILENT_LOGGER: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  flush: () => Promise.resolve(),
}
