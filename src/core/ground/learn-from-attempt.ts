import { NO_USAGE, type Trajectory } from '../../shared/domain/trajectory'
import { abortable, abortError } from './abort'
import { NOTHING_LEARNED, type Learned, type Method, type MethodContext } from './method'
import type { MemoryStore, MemoryEvent } from './ports'

/** What takes something from a finished attempt. */
export type Learn = (attempt: Trajectory, signal?: AbortSignal) => Promise<Learned>

/**
 * What a method takes from attempts: from judged ones what `learn` says, and nothing from those that are held out or that nobody could judge.
 * `context` is asked anew for each.
 */
export const learningOf =
  (method: Method, context: () => MethodContext): Learn =>
  async (attempt, signal) => {
    // What nobody could judge must not become a failure to learn from.
    if (attempt.heldOut === true || attempt.ungraded !== undefined) return NOTHING_LEARNED
    return method.learn(attempt, context(), signal)
  }

/** What else is kept with an attempt, and how. */
export interface LearnOptions {
  /** Fires when nothing may be kept any more. */
  readonly signal?: AbortSignal
  /** What learning cost beside the method's own calls, asked once it is over. Default: nothing. */
  noted?(): Pick<Trajectory, 'writings' | 'distilUsage'>
  /** Under whose name the memory keeps what was learned. Default: as the method says. */
  named?(events: readonly MemoryEvent[]): readonly MemoryEvent[]
}

/**
 * Learns from a finished attempt: the attempt, everything taken from it (also how what it recalled turned out) and what that cost go into the
 * memory as one commit. Runs, asks, programs behind the proxy and attempts of other agents all come here. Answers the attempt as it is kept.
 *
 * @throws AbortError when the signal fires before the commit; what learning or the commit failed with
 */
export async function learnFromAttempt(
  attempt: Trajectory,
  learn: Learn,
  bank: Pick<MemoryStore, 'commit'>,
  { signal, noted, named = (events) => events }: LearnOptions = {},
): Promise<Trajectory> {
  const learning = learn(attempt, signal)
  const { events, usage, modules } = await (signal ? abortable(learning, signal) : learning)
  if (signal?.aborted) throw abortError()
  const trajectory: Trajectory = {
    ...attempt,
    ...(usage !== NO_USAGE && { learnUsage: usage }),
    ...(modules && { learnModules: modules }),
    ...noted?.(),
  }
  await bank.commit([{ kind: 'trajectory-added', trajectory }, ...named(events)])
  return trajectory
}
