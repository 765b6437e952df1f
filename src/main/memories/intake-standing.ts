import type { MemoryStore } from '../../core/ground/ports'
import type { MemoryEvent } from '../../core/memory/events'
import type { MemorySource } from '../../core/memory/items/kind'

/** What a memory holds of what an event would add; nothing where it is not there. */
export async function heldOf(
  event: MemoryEvent,
  bank: Pick<MemoryStore, 'get' | 'trajectory' | 'concepts'>,
  memory: Pick<MemorySource, 'memory' | 'experience'>,
): Promise<unknown> {
  switch (event.kind) {
    case 'case-added':
      return bank.get(event.case.id)
    case 'trajectory-added':
      return bank.trajectory(event.trajectory.id)
    case 'memory-added':
      return memory.memory(event.memory.id)
    case 'experience-added':
      return memory.experience(event.experience.id)
    case 'document-written':
      return bank.concepts.versions.get(event.version.id)
    case 'rubrics-changed':
      return bank.concepts.rubrics.get(event.environment)
    default:
      return null
  }
}
