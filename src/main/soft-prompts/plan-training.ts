import { CHARACTERS_PER_TOKEN } from '../../core/ground/fit-form'
import { forecastLengths, forecastOperations, measureLengths } from '../../core/soft-prompts/forecast'
import { comparisonTasks } from '../../core/soft-prompts/comparison'
import { estimateTraining } from '../../core/soft-prompts/estimate'
import { chooseLengths } from '../../core/soft-prompts/lengths'
import { MOST_LENGTHS, packRows, requireItem } from '../../core/soft-prompts/memory'

import type { TrainInput, TrainingPlan } from '../../shared/domain/soft-prompt-training'
import { LoamError, type LoamErrorShape } from '../../shared/errors'
import { freeMainMemory } from '../adapters/ggml/free-memory'
import { findGgml } from '../adapters/ggml/library-files'
import type { TrainingDeps } from './training-deps'
import { prepareTraining } from './prepare-training'
import { readPace, teacherPace } from './pace'
import { untieCost } from './untied-model'

/** What a training would come to, before anything is started. */
export async function planTraining(deps: TrainingDeps, input: TrainInput): Promise<TrainingPlan> {
  const prepared = await prepareTraining(deps, input)
  const { environment, planned, teacher, student, settings, shape, asked, reservedIds, tasks } = prepared
  const measurement = measureLengths(planned.map(({ attempt }) => attempt))
  const systemTokens = Math.ceil(environment.systemPrompt.length / CHARACTERS_PER_TOKEN)
  const forecast = forecastLengths(planned, measurement, systemTokens, settings.length)
  const lengths = forecast.samples
  const heldSet = new Set(planned.flatMap(({ attempt, heldOut }) => (heldOut ? [attempt.id] : [])))
  const freeBytes = freeMainMemory()
  // A pack is split where it would not fit; an attempt alone is not.
  const most = packRows(shape.sizes, Math.max(...lengths), 'auto', freeBytes)
  const packed = forecast.groups.map(({ rows }) => Math.min(rows, most))
  const learnedFrom = new Set(planned.map(({ attempt }) => attempt.task.instruction))
  const { compare } = input
  const comparedFrom = compare?.stream === undefined ? tasks : (await deps.streams.load(compare.stream)).tasks
  const pace = await readPace(deps.dataPath, deps.threads())
  return {
    environment: environment.id,
    attempts: planned.map(({ attempt: { id, task } }) => ({
      id,
      instruction: task.instruction,
      heldOut: heldSet.has(id),
    })),
    rounds: planned.reduce((sum, { attempt }) => sum + attempt.rounds.length, 0),
    reservedIds: [...reservedIds],
    teacher,
    student,
    settings,
    estimate: estimateTraining(
      shape.sizes,
      chooseLengths([...lengths, ...packed], MOST_LENGTHS),
      'auto',
      Number.POSITIVE_INFINITY,
    ),
    freeBytes,
    time: {
      teacherMs: input.actions === 'recorded' ? 0 : teacherPace(planned, measurement.shown),
      trainingMs: forecastOperations(forecast, shape.sizes, settings) / pace.operationsPerMs,
      measured: pace.measured,
    },
    untie: await untieCost(asked),
    compared: compare ? comparisonTasks(comparedFrom, learnedFrom, compare.tasks, compare.from).length : 0,
    refusal: refusalOf(() => {
      findGgml(input.backend ?? 'cpu')
      // Other devices have memory of their own, which only the trainer can ask for.
      if ((input.backend ?? 'cpu') === 'cpu') requireItem(shape.sizes, lengths, 'auto', freeBytes)
    }),
  }
}

function refusalOf(check: () => void): LoamErrorShape | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof LoamError) return error.toShape()
    throw error
  }
}
