import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import {
  BrokenWork,
  InParts,
  type FromIsolate,
  type MemoryLimits,
  type ToIsolate,
  type Work,
  type WorkName,
} from '../../ground/isolate/protocol'
import { LoamError } from '../../../shared/errors'
import { endWithParent } from '../../ground/end-with-parent'
import { messageOf, readingFault } from './reading-fault'
import net from 'node:net'
import dgram from 'node:dgram'
import { createRequire } from 'node:module'
import { constants } from 'node:fs'

/** Work of which nothing but the file can be at fault. */
const READS_FILES: ReadonlySet<WorkName> = new Set([
  ...(['document', 'page', 'rows', 'bundle', 'gguf', 'workbook', 'memory-file', 'texts', 'answers'] as const),
])

/** Bytes of a WebAssembly page. */
const PAGE = 65_536

const refuse = (what: string) => (): never => {
  throw new Error(`${what} is not available in here.`)
}

/**
 * Takes away what code in this thread has no business with: the network (every Node client ends in `Socket.connect`),
 * child processes, and the ways to them through globals. The process's own permissions (`--permission`) stand
 * behind this: files beside Loam's own, child processes and raw bindings are refused there too.
 * Call it before any code from outside runs.
 */
function buildWall(): void {
  net.Socket.prototype.connect = refuse('The network')
  net.Server.prototype.listen = refuse('The network')
  dgram.Socket.prototype.bind = refuse('The network')
  dgram.Socket.prototype.send = refuse('The network')
  // Emscripten's system() starts a real shell through this; a status of 127 is what "no shell" looks like to it.
  const childProcess = createRequire(import.meta.url)('node:child_process') as Record<string, unknown>
  childProcess.spawnSync = () => ({ status: 127, signal: null })
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'BroadcastChannel']) {
    Reflect.deleteProperty(globalThis, name)
  }
  const host = process as unknown as Record<string, unknown>
  host.getBuiltinModule = refuse('A module of the host')
  host.dlopen = refuse('A native library')
  // Pyodide's view of host folders asks for these numbers when it loads; nothing is ever mounted through it.
  host.binding = () => ({ fs: constants })
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(delta: number): number
}

/** No WebAssembly memory grows beyond this many MiB; the code in it sees an allocation that failed. */
function limitWebAssembly(megabytes: number): void {
  const most = (megabytes * 1024 * 1024) / PAGE
  const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } })
    .WebAssembly
  const { grow } = Memory.prototype
  Memory.prototype.grow = function (this: WasmMemory, delta) {
    if (this.buffer.byteLength / PAGE + delta > most)
      throw new RangeError('The memory limit of this tool is reached.')
    return grow.call(this, delta)
  }
}

/**
 * The process in which code and files from outside are worked on. Its main thread only watches: it passes messages on,
 * ends the process when its parent is gone or its memory is used up, even while the thread beside it never returns.
 */
interface Start {
  readonly work: WorkName
  readonly limits: MemoryLimits
  /** A folder it may read besides Loam's own; null: none. */
  readonly folder: string | null
}

const WATCH_MS = 200

/** Milliseconds of processor time that the process has taken, all threads together. */
function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function watchOver(start: Start, file: string): void {
  const tell = (message: FromIsolate, then?: () => void): void => {
    process.send?.(message, undefined, undefined, then)
  }
  const end = (message: FromIsolate): void => tell(message, () => process.exit(1))
  const worker = new Worker(file, {
    workerData: start,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: start.limits.heapMb },
  })
  /** What `usedMs` may come to before the request is answered. */
  let until = Infinity
  worker.on('message', (message: FromIsolate) => {
    if (message.kind !== 'part') until = Infinity
    tell(message)
  })
  worker.on('error', (error: Error & { code?: string }) =>
    end({
      kind: 'fatal',
      reason: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'broken',
      message: error.message,
    }),
  )
  worker.on('exit', () => process.exit(1))
  process.on('message', (message: ToIsolate) => {
    until = usedMs() + (message.cpuMs ?? Infinity)
    worker.postMessage(message)
  })
  endWithParent()
  const most = start.limits.processMb * 1024 * 1024
  setInterval(() => {
    if (process.memoryUsage.rss() > most)
      end({ kind: 'fatal', reason: 'memory', message: `more than ${start.limits.processMb} MiB in use` })
    if (usedMs() > until)
      end({ kind: 'fatal', reason: 'time', message: 'It took too long to work out and was ended.' })
  }, WATCH_MS)
}

/** About how long a part is, as JSON, and how many values it has at most. */
const PART = { length: 256 * 1024, values: 1000 }

function* partsOf(list: readonly unknown[]): Generator<readonly unknown[]> {
  let part: unknown[] = []
  let length = 0
  for (const value of list) {
    part.push(value)
    length += JSON.stringify(value).length
    if (length < PART.length && part.length < PART.values) continue
    yield part
    part = []
    length = 0
  }
  if (part.length > 0) yield part
}

async function serve(start: Start, open: OpenWork): Promise<void> {
  const tell = (message: FromIsolate): void => parentPort?.postMessage(message)
  limitWebAssembly(start.limits.wasmMb)
  buildWall()
  const work = (await open(start)) as Work<unknown, unknown>
  parentPort?.on('message', (message: ToIsolate) => {
    void (async () => {
      try {
        const reply = await work(message.request)
        if (reply instanceof InParts) for (const part of partsOf(reply.list)) tell({ kind: 'part', part })
        tell({ kind: 'reply', reply: reply instanceof InParts ? (reply as InParts<unknown>).reply : reply })
      } catch (error) {
        const message = READS_FILES.has(start.work) ? readingFault(error) : messageOf(error)
        tell(
          error instanceof BrokenWork
            ? { kind: 'fatal', reason: 'broken', message }
            : { kind: 'problem', message, ...(error instanceof LoamError && { told: error.toShape() }) },
        )
      }
    })()
  })
  tell({ kind: 'ready' })
}

/** Opens what an isolate was started for. `folder` is one that it may read besides Loam's own; null: none. */
export type OpenWork = (start: {
  readonly work: WorkName
  readonly folder: string | null
}) => Promise<Work<never, unknown>>

/** Makes the file that calls it the entry of an isolate: what watches, and the thread that works behind the wall. */
export async function serveIsolate(file: string, open: OpenWork): Promise<void> {
  if (isMainThread) watchOver(JSON.parse(process.argv[2] ?? '') as Start, file)
  else await serve(workerData as Start, open)
}
