import { canonicalJson } from '../canonical-json'
import { LoamError } from '../../shared/errors'
import type { SpaceEvent } from './events'
import type { SpaceState } from './space-state'

/**
 * The events of a commit that change something: what is already there, unchanged, is dropped, so that committing twice
 * is the same as once. `stored` finds the event that first brought in an item.
 * @throws LoamError `CONFLICT` for an id that already holds something else, `NOT_FOUND` for an unknown case
 */
export async function newEvents<At>(
  events: readonly SpaceEvent[],
  state: SpaceState<At>,
  stored: (place: { readonly at: At; readonly part: number }) => Promise<SpaceEvent | undefined>,
): Promise<SpaceEvent[]> {
  const kept: SpaceEvent[] = []
  const added = new Map<string, SpaceEvent>()
  const deleted = new Map<string, boolean>()
  for (const event of events) {
    if (event.kind === 'case-deleted' || event.kind === 'case-restored') {
      const entry = state.cases.get(event.caseId)
      const isDeleted = deleted.get(event.caseId) ?? (entry ? entry.deletedAt !== null : null)
      if (isDeleted === null) throw unknownCase(event.caseId)
      const willBe = event.kind === 'case-deleted'
      if (isDeleted === willBe) continue
      deleted.set(event.caseId, willBe)
      kept.push(event)
      continue
    }
    const item = event.kind === 'case-added' ? event.case : event.trajectory
    const key = `${event.kind === 'case-added' ? 'case' : 'trajectory'} ${item.id}`
    const entry = (event.kind === 'case-added' ? state.cases : state.trajectories).get(item.id)
    const earlier = added.get(key) ?? (entry && (await stored(entry)))
    if (earlier && canonicalJson(earlier) === canonicalJson(event)) continue
    if (earlier) {
      throw new LoamError('CONFLICT', `The memory already holds a different ${key}.`, {
        suggestion: 'Memories are never overwritten; give the new one an id of its own.',
      })
    }
    added.set(key, event)
    if (event.kind === 'case-added') deleted.set(event.case.id, event.case.deletedAt !== null)
    kept.push(event)
  }
  return kept
}

/** The error for a case id that a space does not hold. */
export function unknownCase(id: string): LoamError {
  return new LoamError('NOT_FOUND', `There is no case ${id} in this memory.`, {
    suggestion: 'Reload the list of cases.',
  })
}
