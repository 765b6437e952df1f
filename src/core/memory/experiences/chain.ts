import type { ExperienceEntry } from './fold'

type Entry = Pick<ExperienceEntry, 'id' | 'gone'>

/**
 * The ids of a chain of replacements, oldest first: everything that came to be replaced by the experience, directly or in
 * steps, the experience itself, and what replaced it.
 */
export function chainOf(entries: Iterable<Entry>, id: string): string[] {
  const by = new Map<string, string>()
  const replaced = new Map<string, string[]>()
  for (const { id: old, gone } of entries) {
    const next = gone?.by ?? null
    if (next === null) continue
    by.set(old, next)
    replaced.set(next, [...(replaced.get(next) ?? []), old])
  }
  const chain: string[] = []
  const seenSet = new Set<string>()
  const collect = (each: string): void => {
    if (seenSet.has(each)) return
    seenSet.add(each)
    for (const older of replaced.get(each) ?? []) collect(older)
    chain.push(each)
  }
  collect(id)
  for (let next = by.get(id); next !== undefined && !seenSet.has(next); next = by.get(next)) {
    seenSet.add(next)
    chain.push(next)
  }
  return chain
}
