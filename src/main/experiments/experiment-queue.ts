import { abortError } from '../../core/ground/abort'
import type { Clock } from '../../core/ground/ports'
import type { ExperimentHead, ExperimentInfo, ExperimentReport } from '../../shared/domain/experiment'
import type { SuiteReport } from '../../shared/domain/suite'
import { type RunPart, interruptedError } from '../runs/run-entry'
import { LoamError } from '../../shared/errors'
import { closeAll } from '../ground/close-all'
import type { Watch, WatchOptions } from '../ground/feed'
import type { StreamLibrary } from '../streams/stream-library'
import { createExperimentEntries, type Entry } from './experiment-entries'
import { createExperimentPlayer, type PlayerDeps } from './experiment-player'
import type { ExperimentRecord, ExperimentStore } from './experiment-store'
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/ground/canonical-json'
import { checkBaseline } from '../../core/lab/experiment'
import { reportResults } from '../../core/lab/experiment-report'
import { cellResult, type RunsSeen } from './cell-info'
import { suiteResults, type StreamTasks } from '../../core/lab/suite-report'

/** A suite's lives as far as they came, with their figures. @throws LoamError `CONFLICT` for an experiment that is no suite */
async function suiteReport(
  record: ExperimentRecord,
  runs: RunsSeen,
  streams: Pick<StreamLibrary, 'load'>,
): Promise<SuiteReport> {
  const { definition, id, name, status, modelName } = record
  if (!definition.suite)
    throw new LoamError('CONFLICT', 'This experiment is over one stream; it is no suite.', {
      suggestion: 'Look at its report.',
    })
  const results = record.cells.map((plan) => cellResult(record, plan, runs))
  const names = new Set(record.cells.flatMap(({ stream }) => (stream === undefined ? [] : [stream])))
  const tasks: StreamTasks = new Map(
    await Promise.all([...names].map(async (one) => [one, (await streams.load(one)).tasks] as const)),
  )
  return { id, name, status, model: modelName, ...suiteResults(definition, results, tasks) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Results without what differs between equal experiments: times, ids and words. */
const resultHash = (cells: ExperimentReport['cells']): string =>
  sha256(
    canonicalJson(
      cells.map(({ runId: _runId, wallMs: _wallMs, note: _note, problem, ...results }) => ({
        ...results,
        problem: problem?.code ?? null,
      })),
    ),
  )

/** Lives of a suite are reported by `suiteReport`: means over different streams would say nothing. */
const NO_ROWS: ReturnType<typeof reportResults> = { cells: [], pending: 0, summary: [], averages: [] }

/**
 * The figures of an experiment's ended cells, compared with `baseline` (default: the definition's; null: with none).
 * @throws LoamError `BAD_INPUT` for a baseline that is not among the methods
 */
function experimentReport(
  record: ExperimentRecord,
  runs: RunsSeen,
  baseline?: string | null,
): ExperimentReport {
  const results = record.cells.map((plan) => cellResult(record, plan, runs))
  const planned = record.definition.suite ? NO_ROWS : reportResults(record.definition, results, record.skills)
  const choice = baseline === undefined ? record.definition.baseline : baseline
  if (baseline !== undefined) checkBaseline(record.definition, baseline)
  const reported =
    choice === record.definition.baseline || record.definition.suite
      ? planned
      : reportResults({ ...record.definition, baseline: choice }, results, record.skills)
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    stream: record.definition.stream,
    model: record.modelName,
    tasks: record.skills.length,
    baseline: choice,
    ...reported,
    // Whatever it is compared with just now, the results are the same.
    resultHash: resultHash(planned.cells),
  }
}

export interface ExperimentQueueDeps extends PlayerDeps {
  readonly store: ExperimentStore
  readonly clock: Clock
  readonly streams: Pick<StreamLibrary, 'load'>
}

/** Starts, follows, resumes and cancels experiments. What a cell did is its run's to tell. */
export type ExperimentQueue = Awaited<ReturnType<typeof openExperimentQueue>>

const alreadyOver = ({ record }: Entry): LoamError =>
  new LoamError('CONFLICT', `The experiment is ${record.status} already.`, {
    suggestion: 'Look at its report.',
  })

const nothingToResume = ({ record }: Entry): LoamError =>
  new LoamError('CONFLICT', `The experiment is ${record.status}, so there is nothing to resume.`, {
    suggestion: 'Look at its report, or start a new one.',
  })

/** Opens what is stored. Experiments that were going when the host stopped come back as paused. */
export async function openExperimentQueue(deps: ExperimentQueueDeps) {
  const { store, runs, logger, streams } = deps
  const entries = createExperimentEntries(deps)
  const { find, add, infoOf, tell, save, setStatus } = entries
  const player = createExperimentPlayer(deps, entries)
  let closing = false

  const begin = async (entry: Entry): Promise<void> => {
    if (closing) throw new LoamError('CONFLICT', 'Loam is closing.', { suggestion: 'Start Loam again.' })
    await player.begin(entry)
  }

  const { records, damaged } = await store.loadAll()
  for (const { record, cause } of damaged) {
    logger.warn('An experiment is damaged', { experimentId: record.id, cause })
    add(record)
  }
  for (const record of records) {
    const entry = add(record)
    if (record.status === 'running') await setStatus(entry, 'paused', interruptedError().toShape())
  }

  return {
    rename: async (id: string, name: string): Promise<void> => save(find(id), { name }),
    /** Knows an experiment no longer, whose folder is about to be moved away. It must not be at work. */
    async forget(id: string): Promise<void> {
      const entry = find(id)
      await entry.work
      entry.feed.close()
      entries.remove(entry)
      for (const { key } of entry.record.cells) await deps.releaseMemory(store.memoryFolder(id, key))
    },
    /** Takes in an experiment whose folder has come back; answers the ids of its cells' runs. */
    async adopt(id: string): Promise<string[]> {
      const record = (await store.loadAll()).records.find((one) => one.id === id)
      if (record) add(record)
      return record?.cells.map(({ runId }) => runId) ?? []
    },
    /** Newest first. */
    list: (): ExperimentHead[] =>
      entries
        .all()
        .map((entry) => {
          const { cells: _cells, ...head } = infoOf(entry)
          return head
        })
        .reverse(),
    get: (id: string): ExperimentInfo => infoOf(find(id)),
    /** Stores a planned experiment and begins with it. */
    async start(record: ExperimentRecord): Promise<ExperimentInfo> {
      const entry = add(record)
      await begin(entry)
      return infoOf(entry)
    },
    /** Takes effect when the tasks in flight are done; resolves then. */
    async pause(id: string): Promise<ExperimentInfo> {
      const entry = find(id)
      if (entry.controller) {
        entry.pauseRequested = true
        const active = entry.record.cells.filter(
          ({ runId }) => runs.has(runId) && ['queued', 'running'].includes(runs.get(runId).status),
        )
        await Promise.all(active.map(({ runId }) => runs.pause(runId)))
        await entry.work
      } else if (entry.record.status !== 'paused') {
        throw alreadyOver(entry)
      }
      return infoOf(entry)
    },
    /** Goes on with a paused experiment at the last committed task of each cell. */
    async resume(id: string): Promise<ExperimentInfo> {
      const entry = find(id)
      if (entry.record.status === 'running') return infoOf(entry)
      if (entry.record.status !== 'paused') {
        throw nothingToResume(entry)
      }
      await entry.work
      await begin(entry)
      return infoOf(entry)
    },
    /** Takes effect at once; finished tasks and cells are kept. */
    async cancel(id: string): Promise<ExperimentInfo> {
      const entry = find(id)
      if (entry.controller) {
        entry.stop = 'cancel'
        entry.controller.abort(abortError())
        await entry.work
      } else if (entry.record.status === 'paused') {
        await player.cancelCells(entry)
        await setStatus(entry, 'cancelled')
      } else if (entry.record.status !== 'cancelled') {
        throw alreadyOver(entry)
      }
      return infoOf(entry)
    },
    watch: (id: string, options: WatchOptions): Watch<ExperimentInfo> => find(id).feed.watch(options),
    /**
     * The figures of all cells that have ended, compared with `baseline` (default: the definition's; null: with none).
     * Throws `BAD_INPUT` for a baseline that is not among the methods.
     */
    report: (id: string, baseline?: string | null): ExperimentReport =>
      experimentReport(find(id).record, runs, baseline),
    /** The figures of a suite. @throws LoamError `CONFLICT` for an experiment that is none */
    suite: async (id: string): Promise<SuiteReport> => suiteReport(find(id).record, runs, streams),
    /** Resolves once the experiment is not working any more, paused included. */
    async settled(id: string): Promise<ExperimentInfo> {
      const entry = find(id)
      await entry.work
      return infoOf(entry)
    },
    /** Calls `listener` at every change; answers how to stop. */
    onChange(id: string, listener: (info: ExperimentInfo) => void): () => void {
      const { listeners } = find(id)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Told of every change of a run. */
    hear(runId: string, part: RunPart): void {
      const entry = entries.ofRun(runId)
      if (entry && part === 'run' && !closing) tell(entry)
    },
    /** From here on ends of runs are the host's doing: experiments become paused. Call before the run queue is closed. */
    interrupt(): void {
      closing = true
      for (const entry of entries.all()) {
        entry.stop ??= 'interrupt'
        entry.controller?.abort(abortError())
      }
    },
    /** Waits for all work to end. */
    async close(): Promise<void> {
      closing = true
      await closeAll([
        ...entries.all().map((entry) => () => entry.work),
        ...entries.all().map((entry) => () => entry.feed.close()),
      ])
    },
  }
}
