import { MEMORY_KINDS } from '..'
import type { MemorySource } from './kind'
import type { PartOfMemory } from './scoped-bank'

/**
 * A memory as it was: answers which of the items that are live now it held before a time (ISO). What was deleted or replaced since is not among them, and
 * what was edited since reads as it does now. Kinds that are looked for apart, as own files, are left out altogether.
 */
export async function openPast(source: MemorySource): Promise<(at: string) => PartOfMemory> {
  const times = new Map<string, Map<string, string>>()
  for (const kind of MEMORY_KINDS) {
    const own = new Map<string, string>()
    if (kind.shownAs !== 'apart')
      for (const { id, createdAt, gone } of await kind.heads(source))
        if (gone === null) own.set(id, createdAt)
    times.set(kind.info.id, own)
  }
  return (at) => ({
    has: (kind, id) => (times.get(kind)?.get(id) ?? at) < at,
    outside: (kind) =>
      new Set([...(times.get(kind) ?? [])].flatMap(([id, createdAt]) => (createdAt < at ? [] : [id]))),
  })
}
