import { keptAttempts, specOf } from '../../shared/domain/ask'
import type { ItemRecalls } from '../../shared/domain/item'
import type { AskEntry } from './ask-entry'

/** An item as a list shows it. */
export interface ShownItem {
  readonly kind: string
  readonly id: string
  readonly recalls: ItemRecalls
}

/** Items of a memory, and how often each was shown to an answer that nobody judged, and that the memory therefore does not hold. */
export function withUnjudged<T extends ShownItem>(
  items: readonly T[],
  memoryId: string,
  asks: Iterable<AskEntry>,
): T[] {
  const counts = new Map(items.map(({ kind, id }) => [`${kind} ${id}`, 0]))
  for (const { state } of asks) {
    if (state.ask.deletedAt !== null) continue
    for (const attempt of keptAttempts(state)) {
      if (attempt.judgement !== null || specOf(state.ask, attempt).memoryId !== memoryId) continue
      for (const key of new Set(attempt.trajectory.recalled.map(({ kind, id }) => `${kind} ${id}`))) {
        const count = counts.get(key)
        if (count !== undefined) counts.set(key, count + 1)
      }
    }
  }
  return items.map((item) => {
    const unjudged = counts.get(`${item.kind} ${item.id}`) ?? 0
    return unjudged === 0 ? item : { ...item, recalls: { ...item.recalls, unjudged } }
  })
}
