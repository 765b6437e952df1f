import { LoamError, type ErrorCode } from '../../../shared/errors'
import { Isolate, IsolateError, type OnPart } from './isolate'
import type { MemoryLimits, WorkName } from './protocol'

/** How files from outside are read in a process that can be ended. */
export interface ForeignOptions {
  /** Most milliseconds of processor time for one request; by the clock ten times as many, on a machine that is busy with other work. */
  readonly timeMs: number
  /** Default: those of `Isolate`. */
  readonly limits?: Partial<MemoryLimits>
  /** A folder that it may read besides Loam's own program. Default: none. */
  readonly folder?: string
  /** What a file is called that ends the process. Default `BAD_INPUT`. */
  readonly code?: ErrorCode
  /** What a person can do then. */
  readonly suggestion: string
}

/** How much longer a request may take by the clock. */
const CLOCK = 10

/** Milliseconds without a request after which the process ends. */
const IDLE_MS = 20_000

/**
 * The way by which everything from outside is read: in one process per kind of work, which is started with the first request, kept for a
 * while and ended when a request takes too long or too much memory. `name` is what the file is called in words about it.
 * @throws LoamError that the work threw, or `code` saying why the process was ended; AbortError
 */
export function foreignReader<Request, Reply>(
  work: WorkName,
  { timeMs, limits, folder, code = 'BAD_INPUT', suggestion }: ForeignOptions,
): (name: string, request: Request, signal?: AbortSignal, onPart?: OnPart) => Promise<Reply> {
  const isolate = new Isolate<Request, Reply>(work, {
    ...(limits && { limits }),
    ...(folder !== undefined && { folder }),
  })
  const limit = { cpuMs: timeMs, clockMs: CLOCK * timeMs }
  let open = 0
  let idle: NodeJS.Timeout | undefined
  return async (name, request, signal, onPart) => {
    open += 1
    clearTimeout(idle)
    try {
      return await isolate.call(() => request, limit, signal, onPart)
    } catch (error) {
      if (!(error instanceof IsolateError)) throw error
      throw new LoamError(code, `${name} cannot be read: ${error.message}`, { suggestion, underlying: error })
    } finally {
      open -= 1
      if (open === 0) idle = setTimeout(() => isolate.end(), IDLE_MS).unref()
    }
  }
}
