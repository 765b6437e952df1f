import type { Logger } from '../ground/logger'
import { runAttempt } from '../../core/agent/actor'
import { isAbortError } from '../../core/ground/abort'
import { attemptId } from '../../core/ground/identity'
import { runReport, type RunRecord, type StepEvent } from '../../core/lab/run-record'
import type { RunHead, RunInfo, RunReport, RunSnapshot } from '../../shared/domain/run'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError, toErrorShape } from '../../shared/errors'
import { closeAll } from '../ground/close-all'
import { playRun } from './play-run'
import { TrainingStopped, type PlayPorts } from './run-resources'
import {
  entryHead,
  entryInfo,
  entrySnapshot,
  interruptedError,
  PAUSING,
  type RunEntry,
  type RunLane,
} from './run-entry'
import { createModelQueue, type ModelQueue } from './model-queue'
import { createRunCommands } from './run-commands'

import { loadRunEntries, type RunEntries } from './run-entries'
import type { RunQueueDeps } from './run-queue-deps'
/** Starts, pauses, resumes and cancels runs; one works at a time (or the runs of one lane), others wait in line. */
export interface RunQueue {
  list(): RunInfo[]
  get(runId: string): RunInfo
  /** The same without its curve, at a cost that does not grow with the run. */
  head(runId: string): RunHead
  snapshot(runId: string): RunSnapshot
  report(runId: string): RunReport
  record(runId: string): RunRecord
  /** The finished steps in order. */
  steps(runId: string): readonly StepEvent[]
  has(runId: string): boolean
  trajectory(runId: string, index: number): Promise<Trajectory>
  /** Writes run.json and puts the run in line. Default lane: none, so it works alone. */
  start(record: RunRecord, lane?: RunLane): Promise<RunInfo>
  /** Gives a run a name; null takes it off. */
  rename(runId: string, name: string | null): Promise<void>
  /** Knows a run no longer, whose folder is about to be moved away. It must not be at work. */
  forget(runId: string): Promise<void>
  /** Takes in a run whose folder has come back. */
  adopt(runId: string): Promise<void>
  /** The run and those of its series, in the order they go. */
  withMates(runId: string): readonly string[]
  /** Takes effect when the current task is done. The others of its series are paused too. */
  pause(runId: string): Promise<RunInfo>
  /** With the others of its series. */
  resume(runId: string, lane?: RunLane): Promise<RunInfo>
  /** Takes effect at once; the unfinished task leaves no trace. What waits of its series is paused. */
  cancel(runId: string): Promise<RunInfo>
  /** Resolves once the run is neither waiting nor working. */
  settled(runId: string): Promise<RunInfo>
  /** Resolves once the run is done, failed or cancelled. */
  ended(runId: string): Promise<RunInfo>
  /** As the line has them. */
  readonly waitForModel: ModelQueue['waitForModel']
  readonly visitModel: ModelQueue['visitModel']
  readonly startNow: ModelQueue['startNow']
  readonly quiet: ModelQueue['quiet']
  readonly atWork: ModelQueue['atWork']
  readonly atRest: ModelQueue['atRest']
  readonly isAwaited: ModelQueue['isAwaited']
  readonly isVisited: ModelQueue['isVisited']
  /** Stops all work; runs that were going are paused and can be resumed. */
  close(): Promise<void>
}

/**
 * Opens the run queue. Runs that were going when the host stopped come back as paused, with the steps
 * their memory's journal knows about even where events.jsonl had not caught up.
 */
export async function openRunQueue(deps: RunQueueDeps): Promise<RunQueue> {
  const { store, clock, logger, attempt = runAttempt } = deps
  const entries = await loadRunEntries(deps)
  const { all, lost, find, tell, record, setStatus, until, take } = entries
  const tellAll: typeof tell = (entry, part) => {
    tell(entry, part)
    // A training may be over.
    if (part !== 'live') line.admit()
  }
  const ports: PlayPorts = { prepare: deps.prepare.bind(deps), clock, attempt, tell: tellAll, record }

  const line = createModelQueue({
    logger,
    find,
    tell,
    work: (entry, signal) => workThrough(entry, () => playRun(entry, signal, ports), entries, logger),
  })

  const { enqueue, withMates, pause, resume, cancel } = createRunCommands(entries, line)

  return {
    async rename(runId, name) {
      await record(find(runId), { kind: 'named', name, at: clock.now().toISOString() })
    },
    async forget(runId) {
      entries.remove(runId)
      await store.forget(runId)
    },
    async adopt(runId) {
      const run = await store.load(runId)
      if (run) await take(run)
    },
    list: () => [...[...all.values()].map((entry) => entryInfo(entry)).reverse(), ...lost.values()],
    head: (runId) => lost.get(runId) ?? entryHead(find(runId)),
    get: (runId) => lost.get(runId) ?? entryInfo(find(runId)),
    snapshot: (runId) => entrySnapshot(find(runId)),
    report: (runId) => runReport(find(runId).state),
    record: (runId) => find(runId).state.record,
    steps: (runId) => find(runId).state.steps,
    has: (runId) => all.has(runId),
    withMates: (runId) => withMates(find(runId)).map(({ id }) => id),
    trajectory: (runId, index) => attemptOf(entryHead(find(runId)), index, deps),
    async start(run, lane) {
      const state = await store.create(run)
      const entry = entries.add(state)
      entry.lane = lane ?? null
      await enqueue(entry)
      return entryInfo(entry)
    },
    ...{ pause, resume, cancel },
    settled: (runId) => until(runId, ['paused', 'done', 'failed', 'cancelled']),
    ended: (runId) => until(runId, ['done', 'failed', 'cancelled']),
    ...linePorts(line),
    async close() {
      const { waiting, working } = line.close()
      for (const entry of working) {
        entry.stop ??= 'interrupt'
        entry.controller?.abort()
      }
      await closeAll([
        ...waiting.map((one) => () => setStatus(find(one), 'paused', interruptedError())),
        ...working.map((entry) => () => entry.work),
      ])
    },
  }
}

/** What others ask of the line. */
const linePorts = ({ waitForModel, visitModel, startNow, quiet, atWork, atRest, ...of }: ModelQueue) => ({
  ...{ waitForModel, visitModel, startNow, quiet, atWork, atRest },
  ...{ isAwaited: of.isAwaited, isVisited: of.isVisited },
})

/** Works on a run to its end, and keeps how it ended: failures that are nobody's fault but the moment's pause it. */
async function workThrough(
  entry: RunEntry,
  work: () => Promise<'done' | 'paused'>,
  { setStatus }: Pick<RunEntries, 'setStatus'>,
  logger: Logger,
): Promise<void> {
  const { id } = entry
  try {
    await setStatus(entry, 'running')
    const outcome = await work()
    entry.live = null
    await setStatus(entry, outcome)
  } catch (reason) {
    entry.live = null
    const error = reason instanceof TrainingStopped ? reason.reason : reason
    const problem = LoamError.fromShape(toErrorShape(error))
    // Nothing below may hide the first failure, so a status that cannot be stored is only logged.
    const keep = (status: RunInfo['status'], reason: LoamError | null): Promise<void> =>
      setStatus(entry, status, reason).catch((unstored: unknown) => {
        logger.error('A run changed its status but it could not be stored', { runId: id, status, unstored })
      })
    if (isAbortError(error) || entry.controller?.signal.aborted) {
      await (entry.stop === 'cancel' ? keep('cancelled', null) : keep('paused', interruptedError()))
    } else {
      logger.error('A run stopped', { runId: id, error })
      await keep(
        reason instanceof TrainingStopped || PAUSING.has(problem.code) ? 'paused' : 'failed',
        problem,
      )
    }
  }
}

/** An attempt of a run, from its memory's journal. @throws LoamError `NOT_FOUND` before it is finished */
async function attemptOf(
  { id, config }: RunHead,
  index: number,
  { openStore }: Pick<RunQueueDeps, 'openStore'>,
): Promise<Trajectory> {
  const match = await (await openStore(config.memoryId)).trajectory(attemptId(id, index))
  if (match) return match
  throw new LoamError('NOT_FOUND', `Task ${index + 1} of this run is not finished.`, {
    suggestion: 'Pick a finished task.',
  })
}
