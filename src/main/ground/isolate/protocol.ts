import type { LoamErrorShape } from '../../../shared/errors'

/** What an isolate can be started for; each has a module in `work`. */
export type WorkName =
  | 'javascript'
  | 'python'
  | 'shell'
  | 'math'
  | 'document'
  | 'page'
  | 'rows'
  | 'bundle'
  | 'gguf'
  | 'workbook'
  | 'memory-file'
  | 'texts'
  | 'answers'
  | 'module-format'

/** Answers requests one after the other; what it keeps between them lasts as long as its process. */
export type Work<Request, Reply> = (request: Request) => Reply | Promise<Reply>

/** A reply and a list of it that goes before it in parts, so that taking a long one holds nobody up. */
export class InParts<Reply> {
  constructor(
    readonly reply: Reply,
    readonly list: readonly unknown[],
  ) {}
}

/** Thrown by work that cannot go on: the isolate ends, and the next request gets a new one. */
export class BrokenWork extends Error {
  override readonly name = 'BrokenWork'
}

/** How much memory the process of an isolate may take. */
export interface MemoryLimits {
  /** Most MiB a WebAssembly memory may grow to. */
  readonly wasmMb: number
  /** Most MiB of JavaScript objects. */
  readonly heapMb: number
  /** Most MiB the whole process may take, whatever it is used for. */
  readonly processMb: number
}

/** A request, and the milliseconds of processor time that it may take; absent: as many as it wants. */
export type ToIsolate = { readonly request: unknown; readonly cpuMs?: number }

export type FromIsolate =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly part: readonly unknown[] }
  | { readonly kind: 'reply'; readonly reply: unknown }
  /** The request failed in a way its maker can understand; the isolate goes on. */
  | {
      readonly kind: 'problem'
      readonly message: string
      /** A LoamError, as it was thrown. */
      readonly told?: LoamErrorShape
    }
  /** The isolate cannot go on and ends. */
  | { readonly kind: 'fatal'; readonly reason: 'memory' | 'time' | 'broken'; readonly message: string }
