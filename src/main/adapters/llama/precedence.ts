import { abortError, throwIfAborted } from '../../../core/ground/abort'

/** How long requests that a person waits for may hold another one, in ms: it then goes on to its end. */
const MOST_HELD_MS = 600_000

/** One request among all of the engine. */
export interface Place {
  /** Does a step of the request, once nothing holds it. Rejects with an AbortError when its signal fires before. */
  step<T>(work: () => Promise<T>): Promise<T>
  /** What `source` brings, a step each. */
  each<T>(source: AsyncIterator<T, unknown>): AsyncGenerator<T, void>
  /** ms that it was held. */
  readonly heldMs: number
  leave(): void
}

interface PlaceOptions {
  /** Whether a person waits for it. */
  readonly first: boolean
  readonly signal?: AbortSignal | undefined
  /** Told when it is held, and when it goes on. */
  readonly onHeld?: ((held: boolean) => void) | undefined
}

/**
 * Lets the requests that a person waits for go before all others, of any model: those hold between two tokens, so that no batch mixes both and
 * nothing in what they write changes.
 */
export class Precedence {
  readonly #mostHeldMs: number
  #first = 0
  #steps = 0
  readonly #waiting = new Set<() => void>()

  constructor(mostHeldMs = MOST_HELD_MS) {
    this.#mostHeldMs = mostHeldMs
  }

  /** Resolves at once, or, for one that a person waits for, when the steps of others that are under way are done. */
  async enter({ first, signal, onHeld }: PlaceOptions): Promise<Place> {
    if (first) return this.#enterFirst(signal)
    let heldMs = 0
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#first > 0 && heldMs < this.#mostHeldMs) {
        const began = performance.now()
        onHeld?.(true)
        try {
          await this.#until(() => this.#first === 0, signal, this.#mostHeldMs - heldMs)
        } finally {
          heldMs += performance.now() - began
          onHeld?.(false)
        }
      }
      this.#steps++
      try {
        return await work()
      } finally {
        this.#steps--
        this.#wake()
      }
    }
    return {
      step,
      each: (source) => eachOf(source, step),
      get heldMs() {
        return heldMs
      },
      leave: () => undefined,
    }
  }

  async #enterFirst(signal: AbortSignal | undefined): Promise<Place> {
    this.#first++
    const leave = (): void => {
      this.#first--
      this.#wake()
    }
    try {
      // One that was held for too long does not end its steps for this one.
      await this.#until(() => this.#steps === 0, signal, MOST_STEP_MS)
    } catch (error) {
      leave()
      throw error
    }
    const step = <T>(work: () => Promise<T>): Promise<T> => work()
    return { step, each: (source) => eachOf(source, step), heldMs: 0, leave }
  }

  /** Waits until something holds, at most so long. */
  async #until(holds: () => boolean, signal: AbortSignal | undefined, mostMs: number): Promise<void> {
    throwIfAborted(signal)
    if (holds()) return
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        signal?.removeEventListener('abort', giveUp)
      }
      const look = (): void => {
        if (!holds()) return
        end()
        resolve()
      }
      const giveUp = (): void => {
        end()
        reject(abortError())
      }
      const timer = setTimeout(() => {
        end()
        resolve()
      }, mostMs)
      this.#waiting.add(look)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look()
  }
}

/** Longer than any step takes: a token, or a piece of a prompt. */
const MOST_STEP_MS = 10_000

async function* eachOf<T>(source: AsyncIterator<T, unknown>, step: Place['step']): AsyncGenerator<T, void> {
  try {
    for (;;) {
      const next = await step(() => source.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}
