import { randomInt } from 'node:crypto'
import type { FeedMessage } from '../../shared/feed'
import { patchBetween, type Patch } from '../../shared/patch'

/** How a feed is made. */
export interface FeedOptions {
  /** Milliseconds between two patches at least: what changes within them travels as one, what changes after a rest at once. Default 60. */
  readonly batchMs?: number
  /** Patches kept for those who reconnect. Default 2000. */
  readonly history?: number
  /** Milliseconds for which they are kept once nobody watches. Default 60,000. */
  readonly keepMs?: number
  /**
   * Number before the first patch. Default: one by chance, so that numbers from before a restart of the host lead to a fresh snapshot,
   * whatever the clock says meanwhile.
   */
  readonly firstSeq?: number
}

/** Who watches, from where. */
export interface WatchOptions {
  /** The last number already seen; null (default) starts with a snapshot. */
  readonly since?: number | null
  /** Ends the watching quietly. */
  readonly signal?: AbortSignal
}

/** A feed as it is watched. */
export type Watch<S> = AsyncGenerator<FeedMessage<S>, void, void>

/**
 * A live view of some state: a snapshot, then numbered patches. `state` is asked at most once a batch, and only while somebody has watched;
 * its answers are compared, so none may be changed in place. A watcher is only a cursor into one bounded history, so a slow one costs
 * nothing and is given a fresh snapshot once it falls behind what is kept.
 */
export class Feed<S> {
  private readonly options: Required<FeedOptions>
  private history: Patch[] = []
  private last: number
  /** The state that the newest patch leads to; null until somebody watches. */
  private told: { readonly state: S } | null = null
  private timer: NodeJS.Timeout | undefined
  /** Until what was told is forgotten. */
  private rest: NodeJS.Timeout | undefined
  /** When the state was last compared. */
  private comparedAt = -Infinity
  private closed = false
  private readonly wakers = new Set<() => void>()

  constructor(
    private readonly state: () => S,
    options: FeedOptions = {},
  ) {
    this.options = { batchMs: 60, history: 2000, keepMs: 60_000, firstSeq: randomInt(2 ** 47), ...options }
    this.last = this.options.firstSeq
  }

  /** The number of the newest patch. */
  get seq(): number {
    return this.last
  }

  /** How many are watching. */
  get watchers(): number {
    return this.wakers.size
  }

  /** Has watchers told, with the next batch, what is different. A closed feed tells nobody. */
  changed(): void {
    if (!this.told || this.closed) return
    const rest = this.comparedAt + this.options.batchMs - performance.now()
    this.timer ??= setTimeout(() => this.flush(), Math.max(0, rest))
  }

  /** Sends what is waiting, then ends every watcher. Safe to call twice. */
  close(): void {
    if (this.timer) this.flush()
    this.closed = true
    this.wake()
  }

  /**
   * Snapshot first (or only what came after `since`, when that is still kept), then batches as they come. Ends when
   * `signal` fires or the feed closes.
   */
  async *watch({ since = null, signal }: WatchOptions = {}): Watch<S> {
    let wake: () => void = () => undefined
    const onWake = () => wake()
    this.wakers.add(onWake)
    clearTimeout(this.rest)
    signal?.addEventListener('abort', onWake)
    try {
      let cursor = since ?? Number.NaN
      // A newcomer begins with the state as it is, and what waited for its batch is no news to it.
      const notice = this.flush()
      while (!signal?.aborted) {
        if (!this.keeps(cursor)) {
          cursor = this.last
          yield { kind: 'snapshot', seq: cursor, state: (this.told ?? notice).state }
        } else if (cursor < this.last) {
          const from = cursor + 1
          const patches = this.history.slice(this.history.length - (this.last - cursor))
          cursor = this.last
          yield { kind: 'patches', from, patches }
        } else if (this.closed) {
          return
        } else {
          await new Promise<void>((resolve) => (wake = resolve))
        }
      }
    } finally {
      this.wakers.delete(onWake)
      signal?.removeEventListener('abort', onWake)
      if (this.wakers.size === 0) this.rest = setTimeout(() => this.forget(), this.options.keepMs).unref()
    }
  }

  /** Nobody has come back: the next one begins anew. Whoever closes it still tells those who come what it was at last. */
  private forget(): void {
    if (this.closed) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.told = null
    this.history = []
    this.last += 1
  }

  /** Whether everything after `cursor` is still in the history. */
  private keeps(cursor: number): boolean {
    return cursor <= this.last && cursor >= this.last - this.history.length
  }

  /** Numbers what is different since the last time. */
  private flush(): { readonly state: S } {
    clearTimeout(this.timer)
    this.timer = undefined
    this.comparedAt = performance.now()
    if (this.closed && this.told) return this.told
    const before = this.told
    const notice = (this.told = { state: this.state() })
    const patch = before ? patchBetween(before.state, notice.state) : []
    if (patch.length > 0) {
      this.last += 1
      this.history.push(patch)
      // Trimmed in strides: shifting a long array every time would cost more than the few extra entries.
      if (this.history.length > this.options.history * 1.25)
        this.history = this.history.slice(-this.options.history)
      this.wake()
    }
    return notice
  }

  private wake(): void {
    for (const wake of this.wakers) wake()
  }
}
