import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'
import { applyMessage, type FeedMessage, type FeedPlace } from '../../shared/feed'
import { errorShape } from './error-shape'

/** Subscribes to a feed; `since` is the last number that was applied, or null for a snapshot. */
export type OpenFeed<S> = (
  since: number | null,
  signal: AbortSignal,
) => Promise<AsyncIterable<FeedMessage<S>>>

export interface FeedOptions<S> {
  readonly open: OpenFeed<S>
  /** The state as it is now, and as it was told the last time; null the first time. */
  onState(state: S, before: S | null): void
  /** The connection broke (it is retried) or the feed cannot be had at all; null once it is open (again). */
  onProblem?(problem: LoamErrorShape | null): void
  /** True when nothing more can come, so that an ended feed is not opened again. Default: never. */
  isOver?(): boolean
  /** Pause before attempt n (from 1) after a failure, in ms. Default 250 doubling up to 5000. */
  backoff?(attempt: number): number
}

/** Failures that the same call would only meet again. */
const FINAL_CODES: readonly LoamErrorShape['code'][] = ['NOT_FOUND', 'UNAUTHORIZED', 'BAD_INPUT']

/** Follows a feed until the returned function is called, resuming from the last number whenever the connection breaks. */
export function followFeed<S>(options: FeedOptions<S>): () => void {
  const abort = new AbortController()
  void follow(options, abort.signal)
  return () => abort.abort()
}

async function follow<S>(options: FeedOptions<S>, signal: AbortSignal): Promise<void> {
  const backoff = options.backoff ?? ((attempt: number) => Math.min(5000, 250 * 2 ** (attempt - 1)))
  let place: FeedPlace<S> | null = null
  let notice: S | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      const messages = await options.open(place?.seq ?? null, signal)
      if (!signal.aborted) options.onProblem?.(null)
      for await (const message of messages) {
        if (signal.aborted) return
        const next: FeedPlace<S> | null = applyMessage<S>(place, message)
        failures = 0
        // A gap: patches were lost, so only a new snapshot can be trusted.
        if (next === null) {
          place = null
          break
        }
        if (next.seq !== place?.seq || message.kind === 'snapshot') options.onState(next.state, notice)
        place = next
        notice = next.state
      }
      if (options.isOver?.()) return
    } catch (error) {
      if (signal.aborted) return
      const problem = errorShape(error)
      options.onProblem?.(problem)
      if (FINAL_CODES.includes(problem.code)) return
    }
    failures += 1
    await pause(backoff(failures), signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })

/** Something of the host that is followed as a whole. */
export interface FeedState<S> {
  readonly data: S
  /** Set while the feed is broken: the connection to the host is lost or refused. */
  readonly problem: LoamErrorShape | null
  /** True while the feed is open. */
  readonly connected: boolean
  /** Follows it until the returned function is called. */
  follow(): () => void
}

export type FeedStore<S> = StoreApi<FeedState<S>>

/** A store around one feed, with what it holds until the host has told; `heard` is told of each state and the one before it. */
export const createFeedStore = <S, N extends S | null>(
  nothing: N,
  open: OpenFeed<S>,
  report?: FeedOptions<S>['onState'],
): FeedStore<S | N> =>
  createStore<FeedState<S | N>>()((set) => ({
    data: nothing,
    problem: null,
    connected: false,
    follow: () =>
      followFeed<S>({
        open,
        onState(data, before) {
          set({ data, connected: true })
          report?.(data, before)
        },
        onProblem: (problem) => set({ problem, connected: problem === null }),
      }),
  }))
