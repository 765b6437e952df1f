import { LoamError } from '../../shared/errors'
import { abortError, throwIfAborted } from '../../core/ground/abort'
import type { EnginePort } from './engine-port'
import { currentTrail } from '../ground/trail'
import type { EngineAnswers, EngineCallKind, EngineEvent, EngineRequest } from '../ground/engine-protocol'

/** A request before it has its id. */
export type EngineCall = {
  [K in EngineCallKind]: Omit<Extract<EngineRequest, { kind: K }>, 'id' | 'trail'>
}[EngineCallKind]

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly trail: string | undefined
  readonly onText: ((text: string) => void) | undefined
  readonly onHeld: ((held: boolean) => void) | undefined
}

/** How long a process may take to end by itself, in ms. */
const GRACE_MS = 1000

/** Calls to one engine process: gives them ids, matches answers, and fails them all when the process ends. */
export class EngineClient {
  readonly ready: Promise<void>
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #death: LoamError | null = null

  constructor(
    private readonly port: EnginePort,
    hooks: {
      onEvent: (event: Extract<EngineEvent, { kind: 'memory' | 'log' }>) => void
      /** `trails`: the work that was under way. */
      onDeath: (error: LoamError, trails: readonly string[]) => void
    },
  ) {
    let isReady: () => void = () => undefined
    let neverReady: (error: Error) => void = () => undefined
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve
      neverReady = reject
    })
    this.ready.catch(() => undefined)
    port.onEvent((event) => {
      if (event.kind === 'ready') isReady()
      else if (event.kind === 'memory' || event.kind === 'log') hooks.onEvent(event)
      else this.#settle(event)
    })
    port.onExit((reason) => {
      const error = new LoamError('ENGINE_DIED', `The engine process stopped: ${reason}.`, {
        suggestion: 'Loam starts it again by itself; resume what was running.',
        retryable: true,
      })
      this.#death = error
      neverReady(error)
      const backlog = [...this.#pending.values()]
      this.#pending.clear()
      hooks.onDeath(error, [...new Set(backlog.flatMap(({ trail }) => trail ?? []))])
      for (const { reject } of backlog) reject(error)
    })
  }

  get pid(): number | undefined {
    return this.port.pid
  }

  get alive(): boolean {
    return this.#death === null
  }

  /**
   * Makes one call. Rejects with what the engine answered, `ENGINE_DIED` when it ends, or an AbortError at once when the
   * signal fires; the engine then stops by itself at the next token.
   */
  async call<K extends EngineCallKind>(
    call: Extract<EngineCall, { kind: K }>,
    options: {
      signal?: AbortSignal | undefined
      onText?: (text: string) => void
      onHeld?: ((held: boolean) => void) | undefined
    } = {},
  ): Promise<EngineAnswers[K]> {
    const { signal } = options
    throwIfAborted(signal)
    if (this.#death) throw this.#death
    const id = this.#nextId++
    const trail = currentTrail()
    return await new Promise<EngineAnswers[K]>((resolve, reject) => {
      const stop = () => {
        this.#pending.delete(id)
        this.port.send({ kind: 'abort', target: id })
        reject(abortError())
      }
      const leave = () => signal?.removeEventListener('abort', stop)
      this.#pending.set(id, {
        resolve: (value: EngineAnswers[K]) => {
          leave()
          resolve(value)
        },
        reject: (error) => {
          leave()
          reject(error)
        },
        trail,
        onText: options.onText,
        onHeld: options.onHeld,
      })
      signal?.addEventListener('abort', stop, { once: true })
      this.port.send({ ...call, id, trail } as EngineRequest)
    })
  }

  /** Has all its requests hold, or go on, for what a person waits for in another process. */
  hold(isHeld: boolean): void {
    if (this.alive) this.port.send({ kind: 'hold', held: isHeld })
  }

  /** Asks the process to end, and ends it when it does not within a second. */
  async close(): Promise<void> {
    if (!this.alive) return
    const removalPromise = new Promise<void>((resolve) => this.port.onExit(() => resolve()))
    this.port.send({ kind: 'shutdown' })
    const timer = setTimeout(() => this.port.kill(), GRACE_MS)
    await removalPromise
    clearTimeout(timer)
  }

  #settle(event: Extract<EngineEvent, { kind: 'answer' | 'error' | 'text' | 'held' }>): void {
    const backlog = this.#pending.get(event.id)
    // A call that was aborted here may still be answered there.
    if (!backlog) return
    if (event.kind === 'text') {
      backlog.onText?.(event.text)
      return
    }
    if (event.kind === 'held') {
      backlog.onHeld?.(event.held)
      return
    }
    this.#pending.delete(event.id)
    if (event.kind === 'answer') backlog.resolve(event.value as never)
    else backlog.reject(LoamError.fromShape(event.error))
  }
}
