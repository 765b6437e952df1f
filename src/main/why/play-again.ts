import { randomBytes } from 'node:crypto'
import { runAttempt, type AttemptInput } from '../../core/agent/actor'
import { runQuestion } from '../../core/agent/question-attempt'
import { isQuestions } from '../../core/ground/question-environment'
import { recallingOnly } from '../../core/lab/why'
import { findMethod, suggestedMethod } from '../../core/methods'
import type { RunConfig } from '../../shared/domain/run'
import type { Embedder } from '../../core/ground/ports'
import type { ItemRef } from '../../shared/domain/item'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { ReplayWithout } from '../../shared/domain/why'
import type { Host } from '../host/host'
import { openQuestionWorld } from '../questions/question-world'
import type { RunsArea } from '../runs/open-runs'
import { openRunModels } from '../runs/run-models'
import type { Memories } from '../memories/memories'
import type { StreamsArea } from '../streams/open-streams'

/** What playing again needs of other areas. */
export interface PlayAgainNeeds extends StreamsArea, Pick<RunsArea, 'runs' | 'questions'> {
  readonly memories: Memories
}

/** An attempt of a run, and what it is played again without. */
export interface Again {
  readonly runId: string
  /** As its stream has it. */
  readonly task: Task
  readonly first: Trajectory
  readonly without: ReplayWithout
}

/** An encoder on the scale that a run measured with it. */
const onScale = (embedder: Embedder, measurement: RunConfig['encoder']): Embedder =>
  measurement?.id === embedder.id ? { ...embedder, unrelated: measurement.unrelated } : embedder

/**
 * Plays an attempt of a run again: the same model, roles, seed and settings, and of what it recalled then all but something. What was
 * learned since is not shown, and nothing is learned from it.
 */
export async function playAgain(
  { runId, task, first, without }: Again,
  host: Host,
  needs: PlayAgainNeeds,
  signal: AbortSignal,
): Promise<Trajectory> {
  const { config } = needs.runs.record(runId)
  const { settings, contextSize } = config
  const environment = await needs.environments.get(task.environment, settings)
  const method = without.kind === 'memory' ? suggestedMethod('baseline') : findMethod(config.method)
  const key = ({ kind, id }: ItemRef): string => `${kind} ${id}`
  const knownSet = new Set(first.recalled.map(key))
  if (without.kind === 'item') knownSet.delete(key(without.item))
  const giveBack = await needs.runs.waitForModel('an attempt played again', signal)
  try {
    const models = await openRunModels({
      ...{ model: config.model, settings, sequences: 1, signal },
      load: (path, own = signal, beside) =>
        host.loadModel(path, { signal: own, beside, ...(contextSize !== undefined && { contextSize }) }),
    })
    const role = (name: Parameters<typeof models.of>[0]) => models.of(name, models.run)
    const input: Omit<AttemptInput, 'environment'> = {
      id: `${first.id}-again-${randomBytes(4).toString('hex')}`,
      runId,
      memoryId: first.memoryId,
      task,
      method: recallingOnly(method, (item) => knownSet.has(key(item))),
      context: {
        bank: await needs.memories.open(first.memoryId),
        embedder: onScale(await host.embedder(), config.encoder),
        prompts: await host.prompts(),
        model: models.acting(models.run),
        writer: role('writer'),
        settings,
        k: config.k,
        seed: config.seed,
      },
      clock: host.clock,
      temperature: config.temperature,
      maxTokens: config.maxTokens,
      signal,
    }
    if (!isQuestions(environment))
      return await runAttempt({ ...input, environment, user: role('user'), judge: role('judge') })
    const { files } = await needs.streams.load(config.stream)
    const world = openQuestionWorld(
      {
        ...{ environment, settings, files, title: runId },
        models: { planner: role('planner'), executor: role('executor'), judge: role('judge') },
      },
      needs.questions,
    )
    return await runQuestion({ ...input, environment: world })
  } finally {
    giveBack()
  }
}
