import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import { abortError, throwIfAborted } from '../../../core/ground/abort'
import type { PromptReuse } from '../../../shared/domain/model'
import type { PromptLane } from '../../ground/engine-protocol'

/** Prompts are cut at multiples of this many tokens, so that reuse never changes how llama.cpp groups rows. */
export const REUSE_STEP = 16

/**
 * One sequence of the context and what it holds. `exact` counts its leading tokens that were evaluated as prompt rows;
 * tokens evaluated one by one while writing come out of other kernels and differ in the last bits, so they are never reused.
 */
export interface PooledSequence {
  readonly sequence: LlamaContextSequence
  exact: number
  /** Whether the call that has it went on behind tokens that were written: what it reads is then exact no more. */
  isLoose: boolean
  lastUsed: number
  /** Whose prompt it holds; null while it was never used. */
  lane: PromptLane | null
}

/**
 * How many leading tokens of `prompt` the sequence can answer from what it keeps. At least two tokens are always left to
 * evaluate: one row alone goes through other kernels than several do.
 */
function reusableTokens(
  { sequence: { contextTokens: tokens }, exact }: Pick<PooledSequence, 'sequence' | 'exact'>,
  prompt: readonly Token[],
  reuse: PromptReuse,
): number {
  const most = Math.min(reuse === 'fast' ? tokens.length : exact, tokens.length, prompt.length - 2)
  let shared = 0
  while (shared < most && tokens[shared] === prompt[shared]) shared++
  const whole = shared - (shared % REUSE_STEP)
  return Math.max(0, reuse === 'fast' && shared > exact ? shared : whole)
}

/** Notes that so many leading tokens of a sequence are there, read as a prompt. */
export function noteRead(pooled: PooledSequence, tokens: number): void {
  if (!pooled.isLoose) pooled.exact = tokens
}

interface Waiting {
  readonly first: boolean
  take(sequence: PooledSequence): void
}

/** Who asks for a sequence. */
export interface SequenceUse {
  readonly lane: PromptLane
  /** Whether a person waits. */
  readonly first: boolean
  readonly reuse: PromptReuse
}

/**
 * Lends out the sequences of one context; calls beyond their number wait in turn, those that a person waits for before others. A reserved
 * sequence is theirs alone. Each lane keeps what it read: another one takes its sequence only where none of its own and no unused one is free.
 */
export class SequencePool {
  readonly #free: PooledSequence[] = []
  #waiting: Waiting[] = []
  readonly #prefixes: boolean
  /** How many calls that nobody waits for may have one at a time, and how many have. */
  readonly #most: number
  readonly #count: number
  readonly #others = new Set<PooledSequence>()
  #clock = 0

  /** `keepsPrefixes` is false for recurrent models, whose state cannot be cut back. */
  constructor(context: LlamaContext, keepsPrefixes: boolean, reserve = 0) {
    this.#prefixes = keepsPrefixes
    this.#count = context.totalSequences
    this.#most = context.totalSequences - reserve
    for (let i = 0; i < context.totalSequences; i++)
      this.#free.push({ sequence: context.getSequence(), exact: 0, isLoose: false, lastUsed: 0, lane: null })
  }

  /** The free sequence of the lane that shares most with `prompt`, the least recently used among equals. */
  async acquire(
    prompt: readonly Token[],
    { lane, first, reuse }: SequenceUse,
    signal?: AbortSignal,
  ): Promise<PooledSequence> {
    throwIfAborted(signal)
    const pooled = this.#isFor(first) ? this.#bestFor(prompt, lane, reuse) : await this.#wait(first, signal)
    if (!first) this.#others.add(pooled)
    pooled.lane = lane
    return pooled
  }

  /** Whether one sequence alone is lent out. */
  get isAlone(): boolean {
    return this.#free.length === this.#count - 1
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

  #bestFor(prompt: readonly Token[], lane: PromptLane, reuse: PromptReuse): PooledSequence {
    const rank = ({ lane: holder }: PooledSequence): number => Number(holder !== lane && holder !== null)
    const [best] = this.#free
      .map((pooled) => ({
        pooled,
        rank: rank(pooled),
        shared: reusableTokens(pooled, prompt, reuse),
      }))
      .sort((a, b) => a.rank - b.rank || b.shared - a.shared || a.pooled.lastUsed - b.pooled.lastUsed)
    const choice = best?.pooled as PooledSequence
    this.#free.splice(this.#free.indexOf(choice), 1)
    return choice
  }

  /** Cuts the sequence back to the part of `prompt` it can keep; answers that part's length. */
  async adapt(
    pooled: PooledSequence,
    prompt: readonly Token[],
    reuse: PromptReuse = 'exact',
  ): Promise<number> {
    const { sequence } = pooled
    const keep = this.#prefixes ? reusableTokens(pooled, prompt, reuse) : 0
    if (keep < sequence.nextTokenIndex)
      await sequence.eraseContextTokenRanges([{ start: keep, end: sequence.nextTokenIndex }])
    pooled.isLoose = keep > pooled.exact
    pooled.exact = Math.min(keep, pooled.exact)
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
