import { MEMORY_KINDS } from '.'
import type { ItemRef } from '../../shared/domain/item'
import type { Trajectory } from '../../shared/domain/trajectory'
import { applyCuration, emptyCuration } from './cases/curation'
import { isConceptEvent } from './guides/events'
import { applyConceptEvent, DOCUMENT_KIND, emptyConceptState } from './guides/fold'
import type { MemoryState } from './entries'
import type { MemoryEvent } from './events'
import { isExperienceEvent } from './experiences/events'
import { applyExperienceEvent } from './experiences/fold'
import { applyItemEvent, curatedOf, type CuratedItems } from './items/curated'
import { isItemEvent } from './items/events'
import type { MemoryKindModule } from './items/kind'
import { countRecalls, countReport } from './items/recalls'
import { claimOf } from './items/trust'

const KINDS: readonly MemoryKindModule[] = MEMORY_KINDS
/** One for all attempts that had read nothing. */
const NOTHING: readonly string[] = []

/** Nothing known yet. */
export function emptyMemoryState(): MemoryState {
  const curated: CuratedItems = new Map()
  return {
    cases: new Map(),
    trajectories: new Map(),
    items: new Map(),
    curation: emptyCuration(),
    failures: new Map(),
    experiences: new Map(),
    concepts: emptyConceptState(curatedOf(curated, DOCUMENT_KIND)),
    curated,
    recalls: new Map(),
    live: 0,
  }
}

/** Applies one commit, whose first event has this number. Applying the same commit again changes nothing. */
export function applyEvents(state: MemoryState, events: readonly MemoryEvent[], first: number): void {
  events.forEach((event, i) => applyEvent(state, event, first + i))
}

function applyEvent(state: MemoryState, event: MemoryEvent, at: number): void {
  if (isExperienceEvent(event)) {
    applyExperienceEvent(state.experiences, event, at)
    return
  }
  if (isConceptEvent(event)) {
    applyConceptEvent(state.concepts, event)
    return
  }
  if (isItemEvent(event)) {
    if (event.kind === 'item-reported') {
      countReport(state.recalls, event)
      return
    }
    applyItemEvent(state.curated, event)
    const memory = event.kind === 'item-restored' ? state.items.get(event.itemId) : undefined
    if (memory?.kind === event.of) memory.droppedAt = null
    return
  }
  switch (event.kind) {
    case 'trajectory-added': {
      const { id, reward, task } = event.trajectory
      if (state.trajectories.has(id)) return
      state.trajectories.set(id, {
        id,
        at,
        environment: task.environment,
        reward,
        claim: claimOf(event.trajectory),
        read: event.trajectory.read ?? NOTHING,
      })
      countRecalls(state.recalls, event.trajectory, shownBeside(event.trajectory))
      return
    }
    case 'case-added': {
      const { id, environment, reward, createdAt, deletedAt } = event.case
      if (state.cases.has(id)) return
      state.cases.set(id, { id, at, environment, reward, createdAt, deletedAt })
      if (deletedAt === null) state.live++
      return
    }
    case 'case-deleted': {
      const entry = state.cases.get(event.caseId)
      if (!entry || entry.deletedAt !== null) return
      entry.deletedAt = event.at
      state.live--
      return
    }
    case 'case-restored': {
      const entry = state.cases.get(event.caseId)
      if (!entry || entry.deletedAt === null) return
      entry.deletedAt = null
      state.live++
      return
    }
    case 'case-marked':
      applyCuration(state.curation, event, at)
      return
    case 'case-corrected': {
      const entry = state.cases.get(event.caseId)
      if (!entry || state.curation.corrections.get(event.caseId)?.has(event.id)) return
      applyCuration(state.curation, event, at)
      entry.reward = event.reward
      return
    }
    case 'memory-added': {
      const { id, kind, environment, createdAt, trajectoryIds, until } = event.memory
      if (state.items.has(id)) return
      const entry = { id, kind, at, environment, createdAt, trajectoryId: trajectoryIds[0] ?? '' }
      state.items.set(id, {
        ...entry,
        ...(until !== undefined && { until }),
        droppedAt: null,
        changes: new Map(),
      })
      return
    }
    case 'memory-dropped': {
      const entry = state.items.get(event.memoryId)
      if (entry) entry.droppedAt ??= event.at
      return
    }
    case 'note-evolved': {
      const entry = state.items.get(event.noteId)
      if (entry && !entry.changes.has(event.by)) entry.changes.set(event.by, event)
      return
    }
    case 'memory-changed': {
      const entry = state.items.get(event.memoryId)
      if (entry && !entry.changes.has(event.by)) entry.changes.set(event.by, event)
      return
    }
    case 'writing-failed':
      if (!state.failures.has(event.failure.id)) state.failures.set(event.failure.id, at)
  }
}

const shownBeside = (trajectory: Trajectory): ItemRef[] =>
  KINDS.flatMap(({ info, alsoShown }) => (alsoShown?.(trajectory) ?? []).map((id) => ({ kind: info.id, id })))

/** Order of equally scored cases: newest first, then by id. */
export function newestFirst(
  a: { id: string; createdAt: string },
  b: { id: string; createdAt: string },
): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
