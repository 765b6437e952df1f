import type { ItemRef } from '../../shared/domain/item'
import { cases } from './cases/kind'
import type { MemoryEvent } from './events'
import { experiences } from './experiences/kind'
import { ATTEMPT, itemAdded } from './items/projects'

/** The item that an event adds; null when it adds none. */
export function addedBy(event: MemoryEvent): ItemRef | null {
  const item = itemAdded(event)
  return item && item.kind !== ATTEMPT ? { kind: item.kind, id: item.id } : null
}

/** The item that an event puts out of use to make room or to replace it; null when it does neither. */
export function endedBy(event: MemoryEvent): ItemRef | null {
  switch (event.kind) {
    case 'experience-evicted':
    case 'experience-deleted':
      return { kind: experiences.info.id, id: event.experienceId }
    case 'case-deleted':
      return { kind: cases.info.id, id: event.caseId }
    case 'item-deleted':
      return { kind: event.of, id: event.itemId }
    default:
      return null
  }
}
