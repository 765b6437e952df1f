import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import { abortError, throwIfAborted } from '../../../core/ground/abort'

/** Prompts are cut at multiples of this many tokens, so that reuse never changes how llama.cpp groups rows. */
export const REUSE_STEP = 16

/**
 * One sequence of the context and what it holds. `exact` counts its leading tokens that were evaluated as prompt rows;
 * tokens evaluated one by one while writing come out of other kernels and differ in the last bits, so they are never reused.
 */
export interface PooledSequence {
  readonly sequence: LlamaContextSequence
  exact: number
  lastUsed: number
}

/**
 * How many leading tokens of `prompt` the sequence can answer from what it keeps. At least two tokens are always left to
 * evaluate: one row alone goes through other kernels than several do.
 */
function reusableTokens(tokens: readonly Token[], exact: number, prompt: readonly Token[]): number {
  const most = Math.min(exact, tokens.length, prompt.length - 2)
  let shared = 0
  while (shared < most && tokens[shared] === prompt[shared]) shared++
  return Math.max(0, shared - (shared % REUSE_STEP))
}

interface Waiting {
  readonly first: boolean
  take(sequence: PooledSequence): void
}

/**
 * Lends out the sequences of one context; calls beyond their number wait in turn, those that a person waits for before others. A reserved
 * sequence is theirs alone.
 */
export class SequencePool {
  readonly #free: PooledSequence[] = []
  #waiting: Waiting[] = []
  readonly #prefixes: boolean
  /** How many calls that nobody waits for may have one at a time, and how many have. */
  readonly #most: number
  readonly #others = new Set<PooledSequence>()
  #clock = 0

  /** `keepsPrefixes` is false for recurrent models, whose state cannot be cut back. */
  constructor(context: LlamaContext, keepsPrefixes: boolean, reserve = 0) {
    this.#prefixes = keepsPrefixes
    this.#most = context.totalSequences - reserve
    for (let i = 0; i < context.totalSequences; i++)
      this.#free.push({ sequence: context.getSequence(), exact: 0, lastUsed: 0 })
  }

  /** The free sequence that shares most with `prompt`, the least recently used among equals. `first`: a person waits. */
  async acquire(prompt: readonly Token[], first: boolean, signal?: AbortSignal): Promise<PooledSequence> {
    throwIfAborted(signal)
    const pooled = this.#isFor(first) ? this.#bestFor(prompt) : await this.#wait(first, signal)
    if (!first) this.#others.add(pooled)
    return pooled
  }

  release(pooled: PooledSequence): void {
    pooled.lastUsed = ++this.#clock
    this.#others.delete(pooled)
    this.#free.push(pooled)
    const next = this.#waiting.find(({ first }) => first) ?? this.#waiting[0]
    if (!next || !this.#isFor(next.first)) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#free.pop()
    // Counted at once: the one that waits goes on a moment later.
    if (!next.first) this.#others.add(pooled)
    next.take(pooled)
  }

  #isFor(first: boolean): boolean {
    return this.#free.length > 0 && (first || this.#others.size < this.#most)
  }

  #bestFor(prompt: readonly Token[]): PooledSequence {
    let best = 0
    let bestShared = -1
    for (const [index, candidate] of this.#free.entries()) {
      const shared = reusableTokens(candidate.sequence.contextTokens, candidate.exact, prompt)
      const older = candidate.lastUsed < (this.#free[best]?.lastUsed ?? 0)
      if (shared > bestShared || (shared === bestShared && older)) {
        best = index
        bestShared = shared
      }
    }
    return this.#free.splice(best, 1)[0] as PooledSequence
  }

  /** Cuts the sequence back to the part of `prompt` it can keep; answers that part's length. */
  async adapt(pooled: PooledSequence, prompt: readonly Token[]): Promise<number> {
    const { sequence } = pooled
    const keep = this.#prefixes ? reusableTokens(sequence.contextTokens, pooled.exact, prompt) : 0
    if (keep < sequence.nextTokenIndex)
      await sequence.eraseContextTokenRanges([{ start: keep, end: sequence.nextTokenIndex }])
    pooled.exact = keep
    return keep
  }

  #wait(first: boolean, signal?: AbortSignal): Promise<PooledSequence> {
    return new Promise((resolve, reject) => {
      const own: Waiting = {
        first,
        take(sequence) {
          signal?.removeEventListener('abort', leave)
          resolve(sequence)
        },
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== own)
        reject(abortError())
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(own)
    })
  }
}
