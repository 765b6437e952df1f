import type { Relation } from '../../shared/domain/verdict'

/** Relations of a message that go on with the goal of the attempt before it; all others begin a new one. */
const SAME_GOAL: ReadonlySet<Relation> = new Set([
  'complaint',
  'correction',
  'error-pasted',
  'same-again',
  'other-words',
  'continue',
  'answers',
  'follow-up',
])

/** Whether a person's next message goes on with what they wanted of the attempt before it: a task is a chain of attempts on one goal. */
export const goesOnWith = (relation: Relation): boolean => SAME_GOAL.has(relation)
