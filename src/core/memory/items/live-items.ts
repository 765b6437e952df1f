import type { MemoryState } from '../entries'
import { CASE_KIND } from '../cases/kind'
import { EXPERIENCE_KIND } from '../experiences/fold'

/** How many items of a kind a memory holds: the more, the likelier one is near by accident. */
export function liveItems(
  { cases, experiences, items }: Pick<MemoryState, 'cases' | 'experiences' | 'items'>,
  kind: string,
): number {
  if (kind === CASE_KIND) return cases.size
  if (kind === EXPERIENCE_KIND) return experiences.size
  return [...items.values()].filter((entry) => entry.kind === kind && entry.droppedAt === null).length
}
