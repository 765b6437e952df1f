import { applyPlanEvent } from '../../shared/domain/plan'
import type { LiveTask } from '../../shared/domain/run'
import type { AttemptEvents } from './actor'
import type { QuestionEvents } from './question-attempt'

/** Where the view of an attempt at work is held. */
export interface LiveHolder<L extends LiveTask> {
  live(): L | null
  /** Holds it, and tells those who watch. */
  put(live: L): void
}

/** What is seen of an attempt as it begins. */
type Beginning = Parameters<NonNullable<AttemptEvents['started']>>[0]

/**
 * Keeps the view of an attempt up to date: its tokens, rounds and plan. Deaf once `signal` fires, for then the attempt never was. `change`
 * changes the view in another way, while there is one.
 */
export function followLive<L extends LiveTask>(
  { live, put }: LiveHolder<L>,
  begin: (view: Beginning) => L,
  signal: AbortSignal,
): { readonly events: Required<QuestionEvents>; change(next: (live: L) => L): void } {
  const change = (next: (live: L) => L): void => {
    const before = live()
    if (before && !signal.aborted) put(next(before))
  }
  return {
    change,
    events: {
      started(view) {
        if (!signal.aborted) put(begin(view))
      },
      token: (text) => change((before) => ({ ...before, streaming: before.streaming + text })),
      round: (round) => change((before) => ({ ...before, rounds: [...before.rounds, round], streaming: '' })),
      plan: (event) =>
        change((before) => ({
          ...before,
          cycles: applyPlanEvent(before.cycles ?? [], event),
          streaming: '',
        })),
    },
  }
}
