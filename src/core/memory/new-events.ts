import { canonicalJson } from '../ground/canonical-json'
import type { CaseMark } from '../../shared/domain/case'
import { LoamError } from '../../shared/errors'
import type { MemoryEvent } from './events'
import { isConceptEvent } from './guides/events'
import { applyConceptEvent, changesConcepts, copyOfConcepts, type ConceptState } from './guides/fold'
import { isExperienceEvent } from './experiences/events'
import { changesItem } from './items/curated'
import { isItemEvent, type ItemEvent } from './items/events'
import { isReported } from './items/recalls'
import { newExperienceEvents } from './experiences/new-events'
import type { MemoryState } from './entries'

type Added = Extract<
  MemoryEvent,
  { kind: 'trajectory-added' | 'case-added' | 'memory-added' | 'writing-failed' }
>

/** The item an event brings in: what it is called, its id, and the event that brought it in before. */
function itemOf(event: Added, state: MemoryState) {
  switch (event.kind) {
    case 'trajectory-added':
      return {
        name: 'trajectory',
        id: event.trajectory.id,
        at: state.trajectories.get(event.trajectory.id)?.at,
      }
    case 'case-added':
      return { name: 'case', id: event.case.id, at: state.cases.get(event.case.id)?.at }
    case 'memory-added':
      return { name: event.memory.kind, id: event.memory.id, at: state.items.get(event.memory.id)?.at }
    case 'writing-failed':
      return { name: 'failed writing', id: event.failure.id, at: state.failures.get(event.failure.id) }
  }
}

/**
 * The events of a commit that change something: what is already there, unchanged, is dropped, so that committing twice
 * is the same as once. `getRecord` reads the event of a number.
 * @throws LoamError `CONFLICT` for an id that already holds something else, `NOT_FOUND` for an unknown case or memory
 */
export async function newEvents(
  events: readonly MemoryEvent[],
  state: MemoryState,
  getRecord: (at: number) => Promise<MemoryEvent | null>,
): Promise<MemoryEvent[]> {
  const selection: MemoryEvent[] = []
  const addedMap = new Map<string, MemoryEvent>()
  const deleted = new Map<string, boolean>()
  const changedSet = new Set<string>()
  const marked = new Map<string, CaseMark | null>()
  const isCase = (id: string): boolean => state.cases.has(id) || addedMap.has(`case-added ${id}`)
  const isLearnedItem = (id: string): boolean => state.items.has(id) || addedMap.has(`memory-added ${id}`)
  const experiences = newExperienceEvents(state.experiences, getRecord)
  // Concept events of one commit build on each other (a version, then the decision for it), so they are tried on a copy.
  let concepts: ConceptState | null = null
  for (const event of events) {
    if (isExperienceEvent(event)) {
      if (await experiences.isNew(event)) selection.push(event)
      continue
    }
    if (isConceptEvent(event)) {
      concepts ??= copyOfConcepts(state.concepts)
      if (!changesConcepts(concepts, event)) continue
      applyConceptEvent(concepts, event)
      selection.push(event)
      continue
    }
    if (isItemEvent(event)) {
      if (isNewItemEvent(state, event)) selection.push(event)
      continue
    }
    switch (event.kind) {
      case 'case-deleted':
      case 'case-restored': {
        const entry = state.cases.get(event.caseId)
        const isDeleted = deleted.get(event.caseId) ?? (entry ? entry.deletedAt !== null : null)
        if (isDeleted === null) throw unknownCase(event.caseId)
        const willBe = event.kind === 'case-deleted'
        if (isDeleted === willBe) continue
        deleted.set(event.caseId, willBe)
        break
      }
      case 'case-marked': {
        if (!isCase(event.caseId)) throw unknownCase(event.caseId)
        const before = marked.has(event.caseId)
          ? marked.get(event.caseId)
          : state.curation.marks.get(event.caseId)
        if ((before ?? null) === event.mark) continue
        marked.set(event.caseId, event.mark)
        break
      }
      case 'case-corrected': {
        if (!isCase(event.caseId)) throw unknownCase(event.caseId)
        const at = state.curation.corrections.get(event.caseId)?.get(event.id)
        const earlier =
          addedMap.get(`correction ${event.id}`) ?? (at === undefined ? null : await getRecord(at))
        if (earlier && canonicalJson(earlier) === canonicalJson(event)) continue
        if (earlier) throw conflict('correction', event.id)
        addedMap.set(`correction ${event.id}`, event)
        break
      }
      case 'memory-dropped': {
        if (!isLearnedItem(event.memoryId)) throw unknownItem(event.memoryId)
        if ((state.items.get(event.memoryId)?.droppedAt ?? null) !== null) continue
        if (changedSet.has(`drop ${event.memoryId}`)) continue
        changedSet.add(`drop ${event.memoryId}`)
        break
      }
      case 'note-evolved':
      case 'memory-changed': {
        const id = event.kind === 'note-evolved' ? event.noteId : event.memoryId
        if (!isLearnedItem(id)) throw unknownItem(id)
        const key = `${id} by ${event.by}`
        if (changedSet.has(key) || state.items.get(id)?.changes.has(event.by) === true) continue
        changedSet.add(key)
        break
      }
      default: {
        const { name, id, at } = itemOf(event, state)
        const key = `${event.kind} ${id}`
        const earlier = addedMap.get(key) ?? (at === undefined ? null : await getRecord(at))
        if (earlier && canonicalJson(earlier) === canonicalJson(event)) continue
        if (earlier) throw conflict(name, id)
        addedMap.set(key, event)
        if (event.kind === 'case-added') deleted.set(event.case.id, event.case.deletedAt !== null)
      }
    }
    selection.push(event)
  }
  return selection
}

const isNewItemEvent = (state: MemoryState, event: ItemEvent): boolean =>
  event.kind === 'item-restored'
    ? isGone(state, event.of, event.itemId)
    : event.kind === 'item-reported'
      ? !isReported(state.recalls, event)
      : changesItem(state.curated, event)

/** Whether a person deleted an item, it is in quarantine, or it left its queue. */
const isGone = (state: MemoryState, of: string, itemId: string): boolean => {
  const memory = state.items.get(itemId)
  return (
    (state.curated.get(of)?.get(itemId)?.deletedAt ?? null) !== null ||
    (state.curated.get(of)?.get(itemId)?.quarantined ?? null) !== null ||
    (memory?.kind === of && memory.droppedAt !== null)
  )
}

const conflict = (name: string, id: string): LoamError =>
  new LoamError('CONFLICT', `The memory already holds a different ${name} ${id}.`, {
    suggestion: 'Memories are never overwritten; give the new one an id of its own.',
  })

/** The error for a case id that a memory does not hold. */
export function unknownCase(id: string): LoamError {
  return new LoamError('NOT_FOUND', `There is no case ${id} in this memory.`, {
    suggestion: 'Reload the list of cases.',
  })
}

const unknownItem = (id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no lesson, workflow, note or summary ${id} in this memory.`, {
    suggestion: 'This is a fault in what was handed to the memory; nothing was written.',
  })
