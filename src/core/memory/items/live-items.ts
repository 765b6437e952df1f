import type { LearnedEntry, MemoryState } from '../entries'
import { CASE_KIND } from '../cases/kind'
import { EXPERIENCE_KIND } from '../experiences/fold'

/** How many learned texts of a kind are not dropped. */
export function liveTexts(items: ReadonlyMap<string, LearnedEntry>, kind: string): number {
  let count = 0
  for (const entry of items.values()) if (entry.kind === kind && entry.droppedAt === null) count++
  return count
}

/** How many items of a kind a memory holds: the more, the likelier one is near by accident. */
export function liveItems(
  { cases, experiences, items }: Pick<MemoryState, 'cases' | 'experiences' | 'items'>,
  kind: string,
): number {
  if (kind === CASE_KIND) return cases.size
  return kind === EXPERIENCE_KIND ? experiences.size : liveTexts(items, kind)
}
