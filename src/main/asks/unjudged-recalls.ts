import { keptAttempts, specOf, type AskDetail } from '../../shared/domain/ask'
import type { ItemRecalls } from '../../shared/domain/item'
import type { Asks } from './asks'

interface Shown {
  readonly kind: string
  readonly id: string
  readonly recalls: ItemRecalls
}

/** How often each item of a memory was shown to an answer that nobody judged, and that the memory therefore does not hold, by kind and id. */
function unjudgedOf(details: readonly Pick<AskDetail, 'ask' | 'turns' | 'attempts'>[], memoryId: string) {
  const counts = new Map<string, number>()
  for (const detail of details)
    for (const attempt of keptAttempts(detail)) {
      if (attempt.judgement !== null || specOf(detail.ask, attempt).memoryId !== memoryId) continue
      const items = new Set(attempt.trajectory.recalled.map(({ kind, id }) => `${kind} ${id}`))
      for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
    }
  return counts
}

/** The same items, and how often unjudged answers were shown each. */
export function withUnjudged<T extends Shown>(
  items: readonly T[],
  memoryId: string,
  asks: Pick<Asks, 'list' | 'get'>,
): T[] {
  const details = asks.list({ text: '', deleted: false }).map(({ id }) => asks.get(id))
  const counts = unjudgedOf(details, memoryId)
  return items.map((item) => {
    const unjudged = counts.get(`${item.kind} ${item.id}`)
    return unjudged === undefined ? item : { ...item, recalls: { ...item.recalls, unjudged } }
  })
}
