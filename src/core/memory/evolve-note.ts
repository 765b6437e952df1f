import type { Memory } from '../../shared/domain/memory'
import type { MemoryEntry } from './space-state'

/** A memory as it is now: a note with all its changes applied in order, anything else as it was written. */
export function currentMemory(memory: Memory, changes: MemoryEntry<unknown>['changes']): Memory {
  if (memory.kind !== 'note') return memory
  let note = memory
  for (const change of changes.values()) {
    note = {
      ...note,
      context: change.context ?? note.context,
      tags: change.tags ?? note.tags,
      links: [...new Set([...note.links, ...(change.links ?? [])])],
    }
  }
  return note
}
