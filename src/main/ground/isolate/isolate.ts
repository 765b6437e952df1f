import { fork, type ChildProcess } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { abortError } from '../../../core/ground/abort'
import { LoamError } from '../../../shared/errors'
import { createSerial } from '../../../shared/serial'
import { findPackageRoot } from '../resources'
import type { FromIsolate, MemoryLimits, WorkName } from './protocol'

/** Milliseconds an isolate may take to load what it works with (Python: about 3 s on an idle core). */
const LOAD_MS = 120_000
const DEFAULT_LIMITS: MemoryLimits = { wasmMb: 512, heapMb: 512, processMb: 1200 }

/** Why an isolate did not answer. After `problem` it goes on as it was; after the others a new one starts with the next call. */
export class IsolateError extends Error {
  override readonly name = 'IsolateError'
  constructor(
    readonly reason: 'problem' | 'time' | 'memory' | 'broken',
    message: string,
  ) {
    super(message)
  }
}

/** How long a request may take: by the clock, or in processor time, with a limit by the clock for what waits instead of working. */
export type TimeLimit = number | { readonly cpuMs: number; readonly clockMs: number }

/** Takes what comes before the reply, part by part. */
export type OnPart = (part: readonly unknown[]) => void

export interface IsolateOptions {
  /** Default 512 MiB of WebAssembly, 512 MiB of objects, 1200 MiB for the process. */
  readonly limits?: Partial<MemoryLimits>
  /** A folder that it may read besides Loam's own program and libraries. Default: none. */
  readonly folder?: string
}

interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<void>
  /** Settles the call in flight. */
  settle: ((message: FromIsolate) => void) | null
}

/**
 * One kind of work in a process of its own, without network, child processes, native libraries, environment or files
 * beside Loam's own (Node's permission model), where text cannot become code and memory has limits. Calls run one at a
 * time. A call that takes too long or too much memory ends the process, and with it all that the process kept.
 */
export class Isolate<Request, Reply> {
  readonly #limits: MemoryLimits
  readonly #folder: string | null
  readonly #inTurn = createSerial()
  #running: Running | null = null
  /** How many processes there have been: a change means that what was kept is gone. */
  generation = 0

  constructor(
    private readonly work: WorkName,
    options: IsolateOptions = {},
  ) {
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#folder = options.folder ?? null
  }

  /**
   * Hands a request in and waits for its reply, at most `limit` (milliseconds) once everything is loaded.
   * `request` is made when the turn comes, so that it can depend on whether the process is a new one. `onPart` takes the list of a reply that comes in parts.
   * @throws IsolateError, AbortError, LoamError that the work threw
   */
  call(
    request: () => Request | Promise<Request>,
    limit: TimeLimit,
    signal?: AbortSignal,
    onPart?: OnPart,
  ): Promise<Reply> {
    return this.#inTurn(async () => {
      if (signal?.aborted) throw abortError()
      const running = (this.#running ??= this.#start())
      hold(running.child, true)
      try {
        await running.ready
        return await this.#exchange(running, await request(), limit, signal, onPart)
      } finally {
        hold(running.child, false)
      }
    })
  }

  /** Ends the process; the next call starts another. */
  end(): void {
    const running = this.#running
    this.#running = null
    running?.child.kill('SIGKILL')
    running?.settle?.({ kind: 'fatal', reason: 'broken', message: 'it was ended' })
  }

  #exchange(
    running: Running,
    request: Request,
    limit: TimeLimit,
    signal?: AbortSignal,
    onPart?: OnPart,
  ): Promise<Reply> {
    const clockMs = typeof limit === 'number' ? limit : limit.clockMs
    return new Promise<Reply>((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        running.settle = null
      }
      const onAbort = (): void => {
        finish()
        this.#drop(running)
        reject(abortError())
      }
      const timer = setTimeout(() => {
        finish()
        this.#drop(running)
        reject(new IsolateError('time', `It took longer than ${clockMs / 1000} s and was ended.`))
      }, clockMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      running.settle = (message) => {
        if (message.kind === 'part') return onPart?.(message.part)
        finish()
        if (message.kind === 'reply') resolve(message.reply as Reply)
        else if (message.kind === 'problem') reject(asProblem(message))
        else if (message.kind === 'fatal') {
          this.#drop(running)
          reject(fatal(message))
        }
      }
      running.child.send({ request, ...(typeof limit !== 'number' && { cpuMs: limit.cpuMs }) }, (error) => {
        if (error) running.settle?.({ kind: 'fatal', reason: 'broken', message: error.message })
      })
    })
  }

  #drop(running: Running): void {
    if (this.#running === running) this.#running = null
    running.child.kill('SIGKILL')
  }

  #start(): Running {
    this.generation += 1
    const start = { work: this.work, limits: this.#limits, folder: this.#folder }
    const child = fork(entryFile(this.work), [JSON.stringify(start)], {
      execArgv: wallArguments(this.#folder),
      env: {
        ...(process.versions.electron !== undefined && { ELECTRON_RUN_AS_NODE: '1' }),
        ...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
      },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let saidMessage = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      saidMessage = (saidMessage + text).slice(-2000)
    })
    const running: Running = { child, settle: null, ready: Promise.resolve() }
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#drop(running)
        reject(new IsolateError('time', 'It took too long to load.'))
      }, LOAD_MS)
      const getLoss = (reason: string): void => {
        clearTimeout(timer)
        const last = saidMessage.trim().split('\n').slice(-3).join(' | ')
        const message = last === '' ? reason : `${reason}; it said: ${last}`
        if (this.#running === running) this.#running = null
        reject(new IsolateError('broken', message))
        running.settle?.({ kind: 'fatal', reason: 'broken', message })
      }
      child.on('error', (error) => getLoss(error.message))
      child.on('exit', (code, by) => getLoss(`its process ended (${by ?? `code ${code}`})`))
      child.on('message', (message: FromIsolate) => {
        if (message.kind !== 'ready')
          return running.settle ? running.settle(message) : reject(asError(message))
        clearTimeout(timer)
        resolve()
      })
    })
    ready.catch(() => undefined)
    return Object.assign(running, { ready })
  }
}

/** A process that waits for its next call keeps nobody from ending; it ends with the one who started it. */
function hold(child: ChildProcess, isAtWork: boolean): void {
  const name = isAtWork ? 'ref' : 'unref'
  child[name]()
  child.channel?.[name]()
  ;(child.stderr as Socket | null)?.[name]()
}

const fatal = (message: FromIsolate & { kind: 'fatal' }): IsolateError =>
  message.reason === 'memory'
    ? new IsolateError('memory', `It needed too much memory and was ended (${message.message}).`)
    : new IsolateError(message.reason, message.message)

/** What the work itself told in words arrives as it was thrown. */
const asProblem = ({ message, told }: FromIsolate & { kind: 'problem' }): Error =>
  told === undefined ? new IsolateError('problem', message) : LoamError.fromShape(told)

const asError = (message: FromIsolate): Error =>
  message.kind === 'fatal' ? fatal(message) : new IsolateError('broken', 'It answered out of turn.')

/** The built entry. Run from source (tests), the build's is used: a TypeScript loader could not work behind the wall. */
const entryFile = (work: WorkName): string =>
  join(
    findPackageRoot(import.meta.dirname),
    'out',
    'main',
    'mcp',
    work === 'module-format' ? 'module-isolate.js' : 'isolate.js',
  )

/**
 * Node's permission model with nothing allowed but reading Loam's own program and libraries, and no text made into code.
 * @throws IsolateError when this Node has no permission model
 */
function wallArguments(folder: string | null): string[] {
  const knownSet = process.allowedNodeEnvironmentFlags
  const permission = ['--permission', '--experimental-permission'].find((flag) => knownSet.has(flag))
  if (permission === undefined)
    throw new IsolateError('broken', 'This Node has no permission model, so nothing can be run safely.')
  const root = findPackageRoot(import.meta.dirname)
  const readable = [
    ...[join(root, 'package.json'), join(root, 'out', '/'), join(root, 'node_modules', '/')],
    ...(folder === null ? [] : [join(folder, '/')]),
  ]
  return [
    '--no-warnings',
    permission,
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${real(path)}`),
    '--disallow-code-generation-from-strings',
  ]
}

/** Permissions are checked against real paths, so a linked folder is named by where it leads. */
const real = (path: string): string =>
  path.endsWith('/') ? join(realpathSync(dirname(join(path, '_'))), '/') : realpathSync(path)
