import { isProven, planDistillation, type SecondTry } from '../../core/soft-prompts/plan'
import { isQuestions } from '../../core/ground/question-environment'
import { SHOWN_PRESETS, type TrainInput } from '../../shared/domain/soft-prompt-training'
import { trainingSettingsSchema } from '../../shared/domain/soft-prompt'
import { addUsage } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { TrainingOptions, TrainingDeps } from './training-deps'
import { reserveTokens, untiedModel } from './base-model'
import type { Taught } from './pending'
import { retryFailed } from './retry-failed'
import { openSoftPromptStore } from './soft-prompt-store'
import { teach } from './teach'

/** Most attempts learned from when nothing else is said. */
const ATTEMPTS = 100

/** Successes looked through for different tasks. */
const MOST_SUCCESSES = 4096
const LEAST_ATTEMPTS = 2

/** What a training would learn from and with. @throws LoamError `BAD_INPUT` when the memory has too few successes, `TRAINER_MODEL` */
export async function prepareTraining(deps: TrainingDeps, input: TrainInput) {
  const { info, tasks } = await deps.streams.load(input.stream)
  const environment = await deps.environment(info.environment)
  const bank = await deps.memories.open(input.memory)
  const successes = (await bank.recentSuccesses(MOST_SUCCESSES, { environment: environment.id })).filter(
    isProven,
  )
  const [usual] = SHOWN_PRESETS
  const { teacher = usual.teacher, student = usual.student, attempts = ATTEMPTS } = input
  const question = input.model ?? deps.demoModel
  const reserved = await reserveTokens(question, input.settings?.length ?? null)
  const settings = trainingSettingsSchema.parse({ ...input.settings, length: reserved.reservedIds.length })
  /** With second tries at failed tasks, those that were solved by one. */
  const plan = (retried: readonly SecondTry[] = []) =>
    planDistillation(successes, {
      ...{ teacher, student, most: attempts, holdOut: settings.holdOut, seed: settings.seed, retried },
      ...((input.lessons ?? true) && { served: successes }),
    })
  const planned = plan()
  if (planned.length < LEAST_ATTEMPTS)
    throw new LoamError(
      'BAD_INPUT',
      `This memory holds ${planned.length} solved tasks of the kind of this stream; at least ${LEAST_ATTEMPTS} are needed.`,
      { suggestion: 'Open the memory that a run of the stream learned in.' },
    )
  return {
    environment,
    tasks,
    planned,
    plan,
    successes,
    attempts,
    teacher,
    student,
    settings,
    asked: question,
    ...reserved,
  }
}

/** The teacher's part: what the training is to learn, from the engine. */
export async function taughtBy(
  deps: TrainingDeps,
  input: TrainInput,
  { signal, onStage = () => undefined, ofRun }: TrainingOptions,
): Promise<Taught> {
  const prepared = await prepareTraining(deps, input)
  const { environment, teacher, student, settings, reservedIds, reservedTokens, successes } = prepared
  const path = await untiedModel(
    prepared.asked,
    deps.modelFolder,
    input.untie ?? false,
    signal,
    (doneCount, total) => onStage({ kind: 'copying', done: doneCount, total }),
  )
  const modelHash = await deps.hasher.hash(path, signal)
  const model = await deps.loadModel(path, signal, ofRun?.contextSize ?? null)
  const retried =
    (input.retry ?? false) && !isQuestions(environment)
      ? await retryFailed({
          ...{ environment, model, successes, signal, clock: deps.clock, tasks: prepared.tasks },
          memory: await deps.memories.open(input.memory),
          embedder: await deps.embedder(),
          prompts: await deps.prompts(),
          most: prepared.attempts,
          onTask: (doneCount, total) => onStage({ kind: 'retrying', done: doneCount, total }),
        })
      : null
  const planned = retried ? prepared.plan(retried.solved) : prepared.planned
  // The demo model was trained to say the rules it goes by before it acts; without that line it does not know them.
  const { systemPrompt } = environment
  const world = prepared.asked === deps.demoModel ? { systemPrompt } : environment
  const { samples, usage, shown } = await teach(model, planned, world, input, signal, (doneCount) =>
    onStage({ kind: 'distilling', done: doneCount, total: planned.length }),
  )
  await deps.unloadModel()
  const heldSet = new Set(planned.flatMap(({ attempt, heldOut }) => (heldOut ? [attempt.id] : [])))
  const file =
    (input.fresh ?? false)
      ? undefined
      : (await openSoftPromptStore(deps.memories.folder(input.memory)).list()).find(
          ({ info }) =>
            info.environment === environment.id &&
            info.baseModel.sha256 === modelHash.sha256 &&
            info.reservedIds.join() === reservedIds.join(),
        )
  return {
    environment: environment.id,
    model: path,
    modelHash,
    reservedIds,
    reservedTokens,
    teacher,
    student,
    settings,
    usage: retried ? addUsage(retried.usage, usage) : usage,
    ...(retried && { retried: planned.filter(({ first }) => first).length }),
    ...(shown < teacher && { shown }),
    begunFrom: file?.info.adapter ?? null,
    train: samples.filter(({ id }) => !heldSet.has(id)) as Taught['train'],
    heldOut: samples.filter(({ id }) => heldSet.has(id)) as Taught['heldOut'],
  }
}
