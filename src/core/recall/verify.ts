import type { Prepared } from './features'

/** What is believed less than this is worth a look, where one can be had. */
const SURE = 0.9
/** What is believed less than this is looked up anyway, since it is not worth showing. */
const SHOWN = 0.65

/**
 * The candidates with one thing to look at anew: of the things that the task itself names, the one whose best statement is most in doubt is
 * held back, so that the agent looks it up while all else is at hand. Nothing is held back where all is sure, or where something has to be looked up anyway.
 */
export function withOneInDoubt(prepared: readonly Prepared[]): readonly Prepared[] {
  const best = new Map<string, number>()
  for (const { says } of prepared)
    for (const { statement, need, p } of says)
      if (need === 1) best.set(statement.subject, Math.max(p, best.get(statement.subject) ?? 0))
  const [first] = [...best].toSorted((a, b) => a[1] - b[1])
  if (!first || first[1] >= SURE || first[1] < SHOWN) return prepared
  const [subject] = first
  return prepared.map((one) =>
    one.says.some(({ statement }) => statement.subject === subject)
      ? {
          ...one,
          says: one.says.map((each) => (each.statement.subject === subject ? { ...each, p: 0 } : each)),
        }
      : one,
  )
}
