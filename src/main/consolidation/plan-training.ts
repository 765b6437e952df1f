import { sampleIds } from '../../core/consolidation/samples'
import { comparisonTasks } from '../../core/consolidation/comparison'
import { estimateTraining } from '../../core/consolidation/estimate'
import { chooseLengths } from '../../core/consolidation/lengths'
import { MOST_LENGTHS, requireMemory } from '../../core/consolidation/memory'
import { holdOut } from '../../core/consolidation/samples'
import type { ConsolidateInput, ConsolidationPlan } from '../../shared/domain/consolidation'
import { LoamError, type LoamErrorShape } from '../../shared/errors'
import { freeMainMemory } from '../adapters/ggml/free-memory'
import { findGgml } from '../adapters/ggml/library-files'
import type { ConsolidationDeps } from './training-deps'
import { prepareTraining } from './prepare-training'
import { operationsOf, readPace, sequencesOf, teacherPace } from './pace'
import { untieCost } from './untie'

/** Tokens one replayed attempt is guessed to take in a prompt. */
export const DIALOG_TOKENS = 120

/** What a training would come to, before anything is started. */
export async function planTraining(
  deps: ConsolidationDeps,
  input: ConsolidateInput,
): Promise<ConsolidationPlan> {
  const prepared = await prepareTraining(deps, input)
  const { environment, planned, teacher, student, settings, shape, asked, reservedIds, tasks } = prepared
  const lengths = planned.map(({ attempt, few }) => {
    const own = Math.max(0, ...attempt.rounds.map(({ usage }) => usage.promptTokens + usage.completionTokens))
    // What the attempt was shown of others is not part of what is learned.
    const shown = attempt.recalled.reduce((sum, { tokens }) => sum + tokens, 0)
    return Math.max(own - shown, DIALOG_TOKENS) + few.length * DIALOG_TOKENS + settings.length
  })
  // Ids alone decide what is held out.
  const ids = planned.map(({ attempt: { id } }) => ({ id, tokens: [], softAt: 0, targets: [] }))
  const held = new Set(sampleIds(holdOut(ids, settings.holdOut, settings.seed).heldOut))
  const freeBytes = freeMainMemory()
  const learnedFrom = new Set(planned.map(({ attempt }) => attempt.task.instruction))
  const { compare } = input
  const comparedFrom = compare?.stream === undefined ? tasks : (await deps.streams.load(compare.stream)).tasks
  const pace = await readPace(deps.dataPath, deps.threads())
  const used = planned.length - held.size
  return {
    environment: environment.id,
    attempts: planned.map(({ attempt: { id, task } }) => ({
      id,
      instruction: task.instruction,
      heldOut: held.has(id),
    })),
    rounds: planned.reduce((sum, { attempt }) => sum + attempt.rounds.length, 0),
    reservedIds: [...reservedIds],
    teacher,
    student,
    settings,
    estimate: estimateTraining(
      shape.sizes,
      chooseLengths(lengths, MOST_LENGTHS),
      'auto',
      Number.POSITIVE_INFINITY,
    ),
    freeBytes,
    time: {
      teacherMs: input.actions === 'recorded' ? 0 : teacherPace(planned, DIALOG_TOKENS),
      trainingMs:
        operationsOf(shape.sizes, lengths, sequencesOf(settings, settings.steps, used, held.size)) /
        pace.operationsPerMs,
      measured: pace.measured,
    },
    untie: await untieCost(asked),
    compared: compare ? comparisonTasks(comparedFrom, learnedFrom, compare.tasks, compare.from).length : 0,
    refusal: refusalOf(() => {
      findGgml(input.backend ?? 'cpu')
      // Other devices have memory of their own, which only the trainer can ask for.
      if ((input.backend ?? 'cpu') === 'cpu') requireMemory(shape.sizes, lengths, 'auto', freeBytes)
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
