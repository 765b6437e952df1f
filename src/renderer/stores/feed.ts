import type { LoamErrorShape } from '../../shared/errors'
import { errorShape } from './error-shape'

/** What every feed sends: one snapshot at `seq`, then deltas numbered without gaps from `seq + 1`. */
export type FeedMessage<S, D> =
  | { readonly kind: 'snapshot'; readonly seq: number; readonly state: S }
  | { readonly kind: 'deltas'; readonly from: number; readonly deltas: readonly D[] }

export interface FeedOptions<S, D> {
  /** Subscribes; `since` is the last seq that was applied, or null for a snapshot. */
  open(since: number | null, signal: AbortSignal): Promise<AsyncIterable<FeedMessage<S, D>>>
  onSnapshot(state: S): void
  /** New deltas, in order, each exactly once. */
  onDeltas(deltas: readonly D[]): void
  /** The connection broke (it is retried) or the feed cannot be had at all; null once it is open (again). */
  onProblem?(problem: LoamErrorShape | null): void
  /** True when nothing more can come, so that an ended feed is not opened again. Default: never. */
  isOver?(): boolean
  /** Pause before attempt n (from 1) after a failure, in ms. Default 250 doubling up to 5000. */
  backoff?(attempt: number): number
}

/** Failures that the same call would only meet again. */
const FINAL_CODES: readonly LoamErrorShape['code'][] = ['NOT_FOUND', 'UNAUTHORIZED', 'BAD_INPUT']

/** Follows a feed until the returned function is called, resuming from the last seq whenever the connection breaks. */
export function followFeed<S, D>(options: FeedOptions<S, D>): () => void {
  const abort = new AbortController()
  void follow(options, abort.signal)
  return () => abort.abort()
}

async function follow<S, D>(options: FeedOptions<S, D>, signal: AbortSignal): Promise<void> {
  const backoff = options.backoff ?? ((attempt: number) => Math.min(5000, 250 * 2 ** (attempt - 1)))
  let seq: number | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      const messages = await options.open(seq, signal)
      if (!signal.aborted) options.onProblem?.(null)
      for await (const message of messages) {
        if (signal.aborted) return
        const next: number | null = apply(message, seq, options)
        failures = 0
        seq = next
        // A gap: deltas were lost, so only a new snapshot can be trusted.
        if (seq === null) break
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

/** Applies one message and returns the new seq; null when deltas are missing in between. */
function apply<S, D>(
  message: FeedMessage<S, D>,
  seq: number | null,
  options: FeedOptions<S, D>,
): number | null {
  if (message.kind === 'snapshot') {
    options.onSnapshot(message.state)
    return message.seq
  }
  if (seq === null || message.from > seq + 1) return null
  const fresh = message.deltas.slice(seq + 1 - message.from)
  if (fresh.length > 0) options.onDeltas(fresh)
  return seq + fresh.length
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
