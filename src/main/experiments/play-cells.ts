import { abortable, abortError, isAbortError } from '../../core/ground/abort'
import { findVariant } from '../../core/lab/experiment'
import { isEnded } from '../../core/lab/experiment-report'
import type { RunRecord } from '../../core/lab/run-record'
import type { CellPlan } from '../../shared/domain/experiment'
import type { RunInfo } from '../../shared/domain/run'
import { LoamError, toErrorShape, type LoamErrorShape } from '../../shared/errors'
import { trainsSoftPrompt } from '../soft-prompts/in-run'
import { PAUSING, type RunLane } from '../runs/run-entry'
import type { RunQueue } from '../runs/run-queue'
import { cellResult } from './cell-info'
import type { ExperimentRecord } from './experiment-store'

/** Times a cell goes on by itself after the engine or the trainer died, or a model server broke off, without one more task done. */
const RESTARTS = 2

/** A trainer that died over a check of ggml's would die again, and a server that shows a web page shows it again. */
const mayGoOn = ({ problem }: RunInfo): boolean =>
  problem?.code === 'ENGINE_DIED' ||
  ((problem?.code === 'TRAINER_DIED' || problem?.code === 'MODEL_SERVER') && problem.retryable)

/** What playing cells needs. */
export interface CellPorts {
  readonly runs: RunQueue
  /** The experiment as it stands. */
  record(): ExperimentRecord
  /** How many cells may go on at a time where nobody chose a number, so that every processor that helps is used and no reply is another one. */
  atATime(): Promise<number>
  /** Makes a cell's run ready to start. */
  draft(plan: CellPlan): Promise<RunRecord>
  /** Notes that a cell cannot even begin. */
  refuse(plan: CellPlan, problem: LoamErrorShape): Promise<void>
  /** Whether a person wants the experiment to rest: no further cell begins, and those in flight pause. */
  pauseRequested(): boolean
  /** Told when a cell will not be worked on again. */
  ended(plan: CellPlan): Promise<void>
}

/**
 * Works through the cells that have not ended, `inFlight` at a time, or where that is 1 as many as the machine has processors for. A cell that fails is kept as failed and the others go on.
 *
 * @returns why the experiment has to wait for a person, or null when every cell has ended. Cells in
 * flight are paused first, each after its current task.
 * @throws AbortError when `signal` fires; the runs themselves are then up to the caller
 */
export async function playCells(
  ports: CellPorts,
  signal: AbortSignal,
): Promise<{ readonly reason: LoamErrorShape | null } | null> {
  const { runs } = ports
  const { id, cells, definition } = ports.record()
  const waiters = cells.filter((plan) => !isEnded(cellResult(ports.record(), plan, runs).status))
  const choice = definition.settings.inFlight
  const inFlight = choice > 1 ? choice : await ports.atATime()
  const apart = choice < inFlight
  // A cell that trains is served a soft prompt of its own, and the model is loaded with one: it works alone.
  const laneOf = (plan: CellPlan): RunLane | undefined => {
    const { method, settings } = findVariant(definition, plan.method)
    return trainsSoftPrompt(method, settings) ? undefined : { id, width: inFlight, apart }
  }
  let halt: { readonly reason: LoamErrorShape | null } | null = null

  const begin = async (plan: CellPlan): Promise<boolean> => {
    try {
      if (runs.has(plan.runId)) {
        await runs.resume(plan.runId, laneOf(plan))
      } else {
        const record = await ports.draft(plan)
        if (signal.aborted) throw abortError()
        await runs.start(record, laneOf(plan))
      }
      return true
    } catch (error) {
      const problem = toErrorShape(error)
      if (isAbortError(error) || PAUSING.has(problem.code)) throw error
      await ports.refuse(plan, problem)
      return false
    }
  }

  const play = async (plan: CellPlan): Promise<void> => {
    if (!(await begin(plan))) return
    // Asked for while the cell was being made ready.
    if (ports.pauseRequested()) await runs.pause(plan.runId)
    let tries = 0
    let reached = runs.get(plan.runId).done
    for (;;) {
      const run: RunInfo = await abortable(runs.settled(plan.runId), signal)
      if (run.status !== 'paused') return ports.ended(plan)
      if (run.done > reached) tries = 0
      reached = run.done
      if (halt !== null || !mayGoOn(run) || tries++ >= RESTARTS) {
        halt ??= { reason: run.problem }
        return
      }
      await runs.resume(plan.runId, laneOf(plan))
    }
  }

  const pauseOthers = async (): Promise<void> => {
    for (const { runId } of cells) {
      if (!runs.has(runId)) continue
      const { status } = runs.get(runId)
      if (status === 'running' || status === 'queued') await runs.pause(runId)
    }
  }

  const work = async (): Promise<void> => {
    for (let plan = waiters.shift(); plan && halt === null; plan = waiters.shift()) {
      if (signal.aborted) throw abortError()
      if (ports.pauseRequested()) {
        halt = { reason: null }
        break
      }
      try {
        await play(plan)
      } catch (error) {
        if (isAbortError(error)) throw error
        const problem = toErrorShape(error)
        if (!PAUSING.has(problem.code)) throw error
        halt ??= { reason: LoamError.fromShape(problem).toShape() }
      }
    }
    if (halt !== null) await pauseOthers()
  }

  const workers = Array.from({ length: Math.min(inFlight, waiters.length) }, () => work())
  const ends = await Promise.allSettled(workers)
  const rejectedResult = ends.find((end) => end.status === 'rejected')
  if (rejectedResult) throw rejectedResult.reason
  return halt
}
