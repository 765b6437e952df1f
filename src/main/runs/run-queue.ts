import { runAttempt } from '../../core/agent/actor'
import type { CaseBank, Clock } from '../../core/ground/ports'
import { isAbortError } from '../../core/ground/abort'
import { attemptId } from '../../core/ground/identity'
import {
  applyRunEvent,
  runReport,
  stepOf,
  type RunEvent,
  type RunRecord,
  type StepEvent,
} from '../../core/lab/run-record'
import type { RunDelta, RunHead, RunInfo, RunReport, RunSnapshot } from '../../shared/domain/run'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError, toErrorShape } from '../../shared/errors'
import { closeAll } from '../ground/close-all'
import type { Logger } from '../ground/logger'
import { playRun, TrainingStopped, type PlayPorts, type RunResources } from './play-run'
import { mendOrSay, mendRun } from './mend-run'
import type { LoadedRun } from './read-run'
import {
  entryHead,
  entryInfo,
  runDelta,
  interruptedError,
  newEntry,
  PAUSING,
  wrongState,
  type RunEntry,
  type RunLane,
} from './run-entry'
import { createRunLine } from './run-line'
import type { RunStore } from './run-store'

export interface RunQueueDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly logger: Logger
  /**
   * Opens the space, loads the stream and the model. May take long; `signal` ends the wait. With `insist` the
   * model is loaded although it took the engine down before; `sequences` runs will use it at a time.
   */
  prepare(record: RunRecord, signal: AbortSignal, insist: boolean, sequences: number): Promise<RunResources>
  /** The case bank of a space, without loading anything else. */
  openBank(spaceId: string): Promise<CaseBank>
  /** Plays one task. Default: the actor. */
  readonly attempt?: typeof runAttempt
  /** Called on every change; `run` deltas carry the whole run. */
  publish(runId: string, delta: RunDelta): void
}

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
  forget(runId: string): void
  /** Takes in a run whose folder has come back. */
  adopt(runId: string): Promise<void>
  /** Takes effect when the current task is done. */
  pause(runId: string): Promise<RunInfo>
  resume(runId: string, lane?: RunLane): Promise<RunInfo>
  /** Takes effect at once; the unfinished task leaves no trace. */
  cancel(runId: string): Promise<RunInfo>
  /** Resolves once the run is neither waiting nor working. */
  settled(runId: string): Promise<RunInfo>
  /** Resolves once the run is done, failed or cancelled. */
  ended(runId: string): Promise<RunInfo>
  /**
   * Lets other work have the model to itself: it waits in the same line as runs, and runs wait for it. Resolves to what gives
   * the turn back; rejects with an AbortError when `signal` fires while it waits.
   */
  takeTurn(title: string, signal: AbortSignal): Promise<() => void>
  /** What has the model now, in a few words; null when nothing has. */
  atWork(): string | null
  /** Stops all work; runs that were going are paused and can be resumed. */
  dispose(): Promise<void>
}

/**
 * Opens the run queue. Runs that were going when the host stopped come back as paused, with the steps
 * their space's journal knows about even where events.jsonl had not caught up.
 */
// eslint-disable-next-line max-lines-per-function -- one factory: its closures share what it opened
export async function openRunQueue(deps: RunQueueDeps): Promise<RunQueue> {
  const { store, clock, logger, attempt = runAttempt } = deps
  const entries = new Map<string, RunEntry>()
  /** Runs whose record is lost, as people see them. */
  let lost = new Map<string, RunInfo>()

  const find = (runId: string): RunEntry => {
    const entry = entries.get(runId)
    const gone = lost.get(runId)?.problem
    if (gone) throw LoamError.fromShape(gone)
    if (!entry) {
      throw new LoamError('NOT_FOUND', `There is no run "${runId}".`, {
        suggestion: 'Pick one from the list of runs.',
      })
    }
    return entry
  }

  const tell = (entry: RunEntry, delta: RunDelta): void => {
    deps.publish(entry.state.record.id, delta)
  }

  const record = async (entry: RunEntry, event: RunEvent): Promise<void> => {
    entry.state = applyRunEvent(entry.state, event)
    try {
      await store.append(entry.state.record.id, event)
    } finally {
      tell(entry, runDelta(entry))
      if (event.kind === 'status') for (const wake of entry.waiting.splice(0)) wake()
    }
  }

  const until = async (runId: string, statuses: readonly RunInfo['status'][]): Promise<RunInfo> => {
    const entry = find(runId)
    while (!statuses.includes(entry.state.status)) {
      await new Promise<void>((resolve) => entry.waiting.push(resolve))
    }
    return entryInfo(entry)
  }

  const setStatus = (
    entry: RunEntry,
    status: RunInfo['status'],
    problem: LoamError | null = null,
  ): Promise<void> =>
    record(entry, {
      kind: 'status',
      status,
      problem: problem?.toShape() ?? null,
      at: clock.now().toISOString(),
    })

  /** Adds the steps that the journal holds and events.jsonl does not. */
  const recover = async (entry: RunEntry): Promise<void> => {
    const { id, config, total } = entry.state.record
    const bank = await deps.openBank(config.spaceId)
    while (entry.state.steps.length < total) {
      const kept = await bank.trajectory(attemptId(id, entry.state.steps.length))
      if (!kept) return
      await record(entry, stepOf(kept))
    }
  }

  const ports: PlayPorts = { prepare: deps.prepare.bind(deps), clock, attempt, tell, record }

  const end = async (entry: RunEntry, work: () => Promise<'done' | 'paused'>): Promise<void> => {
    const { id } = entry.state.record
    try {
      await setStatus(entry, 'running')
      const outcome = await work()
      entry.live = null
      await setStatus(entry, outcome)
    } catch (thrown) {
      entry.live = null
      const error = thrown instanceof TrainingStopped ? thrown.reason : thrown
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
          thrown instanceof TrainingStopped || PAUSING.has(problem.code) ? 'paused' : 'failed',
          problem,
        )
      }
    }
  }

  const line = createRunLine({
    logger,
    find,
    work: (entry, signal) => end(entry, () => playRun(entry, signal, ports)),
  })

  const enqueue = async (entry: RunEntry): Promise<void> => {
    line.push(entry.state.record.id)
    try {
      await setStatus(entry, 'queued')
    } finally {
      line.next()
    }
  }

  const mend = (entry: RunEntry): Promise<void> => mendRun(entry, { ...deps, bankOf: deps.openBank })

  /** Takes in a run as its folder tells it; one that was going is paused, with the steps the journal has. */
  const take = async (loaded: LoadedRun): Promise<void> => {
    const entry = newEntry(loaded.state)
    entries.set(loaded.state.record.id, entry)
    entry.damage = loaded.damage
    if (!(await mendOrSay(entry, mend, deps))) return
    const { state } = entry
    const { id: runId, total } = state.record
    if (state.status !== 'running' && state.status !== 'queued') return
    try {
      await recover(entry)
    } catch (error) {
      // The journal is asked again when the run is resumed; until then it is known as far as its events go.
      logger.error('The journal of an interrupted run could not be asked', { runId, error })
    }
    if (state.steps.length === total && total > 0) await setStatus(entry, 'done')
    else await setStatus(entry, 'paused', interruptedError())
  }

  const { runs, unreadable } = await store.loadAll()
  lost = new Map(unreadable.map(({ info }) => [info.id, info]))
  for (const { folder, info } of unreadable)
    logger.warn('A run could not be read', { folder, cause: info.problem?.cause })
  for (const loaded of runs) await take(loaded)

  return {
    async rename(runId, name) {
      await record(find(runId), { kind: 'named', name, at: clock.now().toISOString() })
    },
    forget(runId) {
      entries.delete(runId)
      lost.delete(runId)
      store.forget(runId)
    },
    async adopt(runId) {
      const loaded = await store.load(runId)
      if (loaded) await take(loaded)
    },
    list: () => [...[...entries.values()].map((entry) => entryInfo(entry)).reverse(), ...lost.values()],
    head: (runId) => lost.get(runId) ?? entryHead(find(runId)),
    get: (runId) => lost.get(runId) ?? entryInfo(find(runId)),
    snapshot: (runId) => ({ run: entryInfo(find(runId)), live: find(runId).live }),
    report: (runId) => runReport(find(runId).state),
    record: (runId) => find(runId).state.record,
    steps: (runId) => find(runId).state.steps,
    has: (runId) => entries.has(runId),
    async trajectory(runId, index) {
      const { config } = find(runId).state.record
      const found = await (await deps.openBank(config.spaceId)).trajectory(attemptId(runId, index))
      if (!found) {
        throw new LoamError('NOT_FOUND', `Task ${index + 1} of this run is not finished.`, {
          suggestion: 'Pick a finished task.',
        })
      }
      return found
    },
    async start(run, lane) {
      const state = await store.create(run)
      const entry = newEntry(state)
      entry.lane = lane ?? null
      entries.set(run.id, entry)
      await enqueue(entry)
      return entryInfo(entry)
    },
    async pause(runId) {
      const entry = find(runId)
      if (entry.state.status === 'queued') {
        line.leave(runId)
        await setStatus(entry, 'paused')
      } else if (entry.state.status === 'running') {
        entry.pauseRequested = true
        entry.training?.controller.abort()
      } else if (entry.state.status !== 'paused') {
        throw wrongState(entry, 'paused')
      }
      return entryInfo(entry)
    },
    async resume(runId, lane) {
      const entry = find(runId)
      if (entry.state.status === 'running' || entry.state.status === 'queued') {
        entry.pauseRequested = false
        return entryInfo(entry)
      }
      if (entry.state.status !== 'paused') throw wrongState(entry, 'resumed')
      await mend(entry)
      entry.insist = entry.state.problem?.code === 'MODEL_CRASHED_LAST_TIME'
      entry.lane = lane ?? null
      await enqueue(entry)
      return entryInfo(entry)
    },
    async cancel(runId) {
      const entry = find(runId)
      switch (entry.state.status) {
        case 'queued':
        case 'paused':
          line.leave(runId)
          await setStatus(entry, 'cancelled')
          break
        case 'running':
          entry.stop = 'cancel'
          entry.controller?.abort()
          await entry.work
          break
        case 'cancelled':
          break
        case 'done':
        case 'failed':
          throw wrongState(entry, 'cancelled')
      }
      return entryInfo(entry)
    },
    settled: (runId) => until(runId, ['paused', 'done', 'failed', 'cancelled']),
    ended: (runId) => until(runId, ['done', 'failed', 'cancelled']),
    takeTurn: line.takeTurn,
    atWork: line.atWork,
    async dispose() {
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
