import { isAbortError } from '../../core/ground/abort'
import { otherModels } from '../../core/agent/roles'
import { findVariant, variantOf } from '../../core/lab/experiment'
import type { RunRecord } from '../../core/lab/run-record'
import type { CellPlan, StartingExperiences } from '../../shared/domain/experiment'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { Logger } from '../ground/logger'
import type { RunDrafts } from '../runs/run-drafts'
import { interruptedError } from '../runs/run-entry'
import type { RunQueue } from '../runs/run-queue'
import type { Entry, ExperimentEntries } from './experiment-entries'
import type { ExperimentRecord, ExperimentStore } from './experiment-store'
import { playCells } from './play-cells'

export interface PlayerDeps {
  readonly store: Pick<ExperimentStore, 'memoryFolder'>
  readonly runs: RunQueue
  readonly drafts: Pick<RunDrafts, 'draft'>
  readonly logger: Logger
  /** How many dialogs a model of this machine can go on with at a time, each in a process of its own. */
  readonly atATime: (model: string) => Promise<number>
  /** Gives the memory of an ended cell back to the system. */
  readonly releaseMemory: (folder: string) => Promise<void>
  /** Copies experiences of one memory, named by id or folder, into another. */
  readonly startWith: (from: string, folder: string, choice: StartingExperiences) => Promise<unknown>
}

/** Several where all cells ask one model alone; what asks several takes turns. */
async function cellsAtATime(
  { definition: { model, methods } }: Pick<ExperimentRecord, 'definition'>,
  atATime: PlayerDeps['atATime'],
): Promise<number> {
  const isAlone =
    model !== null && methods.every((one) => otherModels(model, variantOf(one).settings).length === 0)
  return isAlone ? atATime(model) : 1
}

/** Plays what `entries` holds; every end is stored there, with its reason. */
export function createExperimentPlayer(deps: PlayerDeps, entries: ExperimentEntries) {
  const { store, runs, logger } = deps
  const { save, setStatus } = entries

  const draft = (entry: Entry, plan: CellPlan): Promise<RunRecord> => {
    const { id, definition } = entry.record
    const { settings } = definition
    const { method, preset, settings: own, ...variant } = findVariant(definition, plan.method)
    const contextSize = variant.contextSize ?? settings.contextSize
    return deps.drafts.draft(plan.runId, {
      stream: plan.stream ?? definition.stream,
      method,
      ...(definition.model !== null && { model: definition.model }),
      seed: plan.seed,
      k: plan.exp,
      tasks: definition.tasks,
      memoryId: store.memoryFolder(id, plan.key),
      temperature: variant.temperature ?? settings.temperature,
      maxTokens: variant.maxTokens ?? settings.maxTokens,
      protocol: definition.protocol,
      ...(contextSize !== null && { contextSize }),
      ...(preset !== undefined && { preset }),
      settings: own,
    })
  }

  const play = async (entry: Entry, signal: AbortSignal): Promise<void> => {
    const { id, hashes } = entry.record
    try {
      const halt = await playCells(
        {
          runs,
          record: () => entry.record,
          async draft(plan) {
            const record = await draft(entry, plan)
            const { model, stream, prompt } = record.hashes
            const expectation = entry.record.streams?.[plan.stream ?? ''] ?? hashes.stream
            const rules = entry.record.prompts?.[plan.key] ?? hashes.prompt
            if (model.sha256 !== hashes.model || stream !== expectation || prompt !== rules) {
              throw new LoamError(
                'CONFLICT',
                'Model, stream or prompt changed since the experiment began, so this cell would not be comparable.',
                { suggestion: 'Start a new experiment.' },
              )
            }
            const { experiences } = findVariant(entry.record.definition, plan.method)
            const from = entry.record.definition.experiences
            if (experiences && from !== undefined)
              await deps.startWith(from, store.memoryFolder(id, plan.key), experiences)
            return record
          },
          refuse: (plan, problem) =>
            save(entry, { refused: { ...entry.record.refused, [plan.key]: problem } }),
          atATime: () => cellsAtATime(entry.record, deps.atATime),
          pauseRequested: () => entry.pauseRequested,
          ended: (plan) => deps.releaseMemory(store.memoryFolder(id, plan.key)),
        },
        signal,
      )
      await (halt ? setStatus(entry, 'paused', halt.reason) : setStatus(entry, 'done'))
    } catch (error) {
      if (isAbortError(error) && entry.stop === 'cancel') {
        await cancelCells(entry)
        await setStatus(entry, 'cancelled')
      } else if (isAbortError(error)) {
        await setStatus(entry, 'paused', interruptedError().toShape())
      } else {
        logger.error('An experiment stopped', { experiment: id, error })
        await setStatus(entry, 'failed', toErrorShape(error))
      }
    }
  }

  /** Cancels the runs of cells that have begun and not ended. */
  const cancelCells = async (entry: Entry): Promise<void> => {
    const open = entry.record.cells.filter(
      ({ runId }) => runs.has(runId) && !['done', 'failed', 'cancelled'].includes(runs.get(runId).status),
    )
    await Promise.all(open.map(({ runId }) => runs.cancel(runId)))
  }

  /** Sets it going; resolves once that is stored. Its work is `entry.work`. */
  const begin = async (entry: Entry): Promise<void> => {
    const controller = new AbortController()
    entry.controller = controller
    entry.stop = null
    entry.pauseRequested = false
    await setStatus(entry, 'running')
    entry.work = play(entry, controller.signal)
      .catch((error: unknown) => {
        logger.error('An experiment could not be stored', { experiment: entry.record.id, error })
      })
      .finally(() => {
        entry.controller = null
      })
  }

  return { begin, cancelCells }
}
