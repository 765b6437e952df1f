import type { Clock } from '../../core/ground/ports'
import type { ExperimentInfo } from '../../shared/domain/experiment'
import { LoamError, type LoamErrorShape } from '../../shared/errors'
import { Feed } from '../ground/feed'
import { experimentInfo, type RunsSeen } from './cell-info'
import type { ExperimentRecord, ExperimentStore } from './experiment-store'

/** An experiment as the queue holds it. */
export interface Entry {
  record: ExperimentRecord
  readonly feed: Feed<ExperimentInfo>
  readonly listeners: Set<(info: ExperimentInfo) => void>
  /** Set while it works. */
  controller: AbortController | null
  /** Why it was told to stop. */
  stop: 'cancel' | 'interrupt' | null
  pauseRequested: boolean
  work: Promise<void>
}

/** Every experiment of a data folder, and what is told and stored of each. */
export type ExperimentEntries = ReturnType<typeof createExperimentEntries>

/** Begins with none; `add` takes in stored and new ones alike. */
export function createExperimentEntries(deps: {
  readonly store: Pick<ExperimentStore, 'save'>
  readonly runs: RunsSeen
  readonly clock: Clock
}) {
  const { store, runs, clock } = deps
  const entries = new Map<string, Entry>()
  const byRun = new Map<string, Entry>()

  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (!entry) {
      throw new LoamError('NOT_FOUND', `There is no experiment "${id}".`, {
        suggestion: '"loam experiments" lists those in this data folder; --data chooses another one.',
      })
    }
    return entry
  }

  const infoOf = (entry: Entry): ExperimentInfo => experimentInfo(entry.record, runs)

  const add = (record: ExperimentRecord): Entry => {
    const entry: Entry = {
      record,
      feed: new Feed(() => infoOf(entry)),
      listeners: new Set(),
      controller: null,
      stop: null,
      pauseRequested: false,
      work: Promise.resolve(),
    }
    entries.set(record.id, entry)
    for (const { runId } of record.cells) byRun.set(runId, entry)
    return entry
  }

  const tell = (entry: Entry): void => {
    entry.feed.changed()
    if (entry.listeners.size === 0) return
    const info = infoOf(entry)
    for (const listener of entry.listeners) listener(info)
  }

  const save = async (entry: Entry, change: Partial<ExperimentRecord>): Promise<void> => {
    entry.record = { ...entry.record, ...change }
    try {
      await store.save(entry.record)
    } finally {
      tell(entry)
    }
  }

  const setStatus = (
    entry: Entry,
    status: ExperimentRecord['status'],
    problem: LoamErrorShape | null = null,
  ): Promise<void> => {
    const over = status !== 'running' && status !== 'paused'
    return save(entry, { status, problem, finishedAt: over ? clock.now().toISOString() : null })
  }

  return {
    /** In the order they were added. */
    all: (): Entry[] => [...entries.values()],
    /** @throws LoamError `NOT_FOUND` */
    find,
    /** The experiment that a run is a cell of. */
    ofRun: (runId: string): Entry | undefined => byRun.get(runId),
    add,
    /** Forgets it and its cells' runs; what is stored stays. */
    remove({ record }: Entry): void {
      entries.delete(record.id)
      for (const { runId } of record.cells) byRun.delete(runId)
    },
    infoOf,
    /** Tells who follows that something is different. */
    tell,
    /** Changes the record, stores it, and tells. @throws LoamError `DISK_FULL`, `DISK_WRITE`; it is told all the same */
    save,
    setStatus,
  }
}
