import type { Prepared } from './features'

/** What is believed less than this is worth a look, where one can be had. */
const SURE = 0.9
/** What is believed less than this is looked up anyway, since it is not worth showing. */
const SHOWN = 0.65
/** What a task itself names, and few others do. */
const NAMED = 0.5

/**
 * The candidates with one thing to look at anew: of what the task itself names, the one of which the best that is said is most in doubt is
 * held back, so that the agent looks it up while all else is at hand. Nothing is held back where all is sure, or where something has to be looked up anyway.
 */
export function withOneInDoubt(prepared: readonly Prepared[]): readonly Prepared[] {
  const best = new Map<string, number>()
  for (const { says } of prepared)
    for (const { word, need, p } of says) if (need > NAMED) best.set(word, Math.max(p, best.get(word) ?? 0))
  const [first] = [...best].toSorted((a, b) => a[1] - b[1])
  if (!first || first[1] >= SURE || first[1] < SHOWN) return prepared
  const [doubted] = first
  return prepared.map((one) =>
    one.says.some(({ word }) => word === doubted)
      ? { ...one, says: one.says.map((each) => (each.word === doubted ? { ...each, p: 0 } : each)) }
      : one,
  )
}
