import { join } from 'node:path'
import type { CaseRecord } from '../../shared/domain/case'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { CaseEntry, TrajectoryEntry } from '../../core/memory/entries'
import { parseMemoryEvent, type MemoryEvent } from '../../core/memory/events'
import { unknownCase } from '../../core/memory/new-events'
import { applyEvents, emptyMemoryState } from '../../core/memory/memory-state'
import { openJournal } from '../journal/journal'
import { caseReader } from './case-reader'
import { indexedSeq } from '../adapters/lancedb/index-note'
import { memoryReader } from './memory-reader'
import { JOURNAL_HEAD } from './memory-folder'

/** What a memory's journal says: its fold, and everything that is read where the journal has it. */
export type MemoryJournal = Awaited<ReturnType<typeof openMemoryJournal>>

/** Opens the journal of a memory and folds it. @throws LoamError `DATA_CORRUPT` when it does not hold what was committed */
export async function openMemoryJournal(
  folder: string,
  options: { now(): Date; readonly segmentBytes?: number; readonly onUse: () => void },
) {
  const state = emptyMemoryState()
  const successes: string[] = []
  let appliedSeq = 0

  function apply(events: readonly MemoryEvent[], seq: number, first: number): void {
    for (const event of events) {
      if (event.kind !== 'trajectory-added' || event.trajectory.reward !== 1) continue
      if (event.trajectory.heldOut) continue
      if (!state.trajectories.has(event.trajectory.id)) successes.push(event.trajectory.id)
    }
    applyEvents(state, events, first)
    appliedSeq = seq
  }

  const journal = await openJournal<MemoryEvent>(join(folder, 'journal'), {
    parse: parseMemoryEvent,
    onRecord: (record) => apply(record.events, record.seq, record.first),
    now: options.now,
    head: join(folder, JOURNAL_HEAD),
    knownSeq: await indexedSeq(folder),
    ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
  })
  const readAt = (at: number): Promise<MemoryEvent | null> => {
    options.onUse()
    return journal.readOne(at)
  }
  const cases = caseReader(state, readAt)

  function entryOf(id: string): CaseEntry {
    const entry = state.cases.get(id)
    if (entry) return entry
    throw unknownCase(id)
  }

  async function readTrajectory(entry: TrajectoryEntry): Promise<Trajectory> {
    const event = await readAt(entry.at)
    if (event?.kind !== 'trajectory-added')
      throw new Error(`Trajectory ${entry.id} is not where the journal had it`)
    return event.trajectory
  }

  return {
    state,
    get appliedSeq(): number {
      return appliedSeq
    },
    tornTail: journal.tornTail,
    readAt,
    /** Journals events, then folds them. */
    async append(events: readonly MemoryEvent[]): Promise<void> {
      options.onUse()
      const record = await journal.append(events)
      apply(events, record.seq, record.first)
    },
    cases,
    items: memoryReader(state, { readOne: readAt, now: options.now }),
    /** @throws LoamError `NOT_FOUND` */
    entryOf,
    caseById: async (id: string): Promise<CaseRecord> => cases.read(entryOf(id)),
    readTrajectory,
    async trajectory(id: string): Promise<Trajectory | null> {
      const entry = state.trajectories.get(id)
      return entry ? readTrajectory(entry) : null
    },
    /** The newest solved attempts, newest first. */
    async recentSuccesses(limit: number, filter?: { readonly environment?: string }): Promise<Trajectory[]> {
      const trajectoryEntries: TrajectoryEntry[] = []
      for (let i = successes.length - 1; i >= 0 && trajectoryEntries.length < limit; i--) {
        const entry = state.trajectories.get(successes[i] ?? '')
        if (entry && (filter?.environment === undefined || entry.environment === filter.environment))
          trajectoryEntries.push(entry)
      }
      return Promise.all(trajectoryEntries.map(readTrajectory))
    },
    rest: () => journal.rest(),
    close: () => journal.close(),
  }
}
