import { basename, extname, join } from 'node:path'
import { operationsTaken } from '../../core/soft-prompts/forecast'
import { packRows } from '../../core/soft-prompts/memory'
import { packingLimits } from '../../core/soft-prompts/packing'
import { freeMainMemory } from '../adapters/ggml/free-memory'
import { sampleIds } from '../../core/soft-prompts/samples'
import { readModelShape, type ModelShape } from '../adapters/ggml/model-shape'
import type { TrainingOptions, TrainingDeps, SoftPromptResult } from './training-deps'
import { writePace } from './pace'
import { LIKELIEST } from './teach'
import { checkpointFile, type Pending, removePending, type Taught } from './pending'
import { openSoftPromptStore } from './soft-prompt-store'
import { readDeltas, writeSoftPrompt } from './soft-prompt-file'
import { trainInChild, type TrainingWatch } from './trainer'
import { LoamError } from '../../shared/errors'
import type { Instead } from '../../shared/domain/soft-prompt'
import type { TrainingJob, TrainingResult } from '../adapters/ggml/protocol'

/** The training itself, from what the teacher left to the artifact on the shelf. */
export async function finishTraining(
  deps: TrainingDeps,
  { at, input, name }: Pick<Pending, 'at' | 'input' | 'name'>,
  teaching: Taught,
  { signal, onStage = () => undefined }: TrainingOptions,
): Promise<SoftPromptResult> {
  const { environment, settings, reservedIds, train: samples, heldOut } = teaching
  const { folder, use } = openSoftPromptStore(deps.memories.folder(input.memory))
  const train = deps.train ?? trainInChild
  const { begunFrom } = teaching
  const begin =
    begunFrom === null
      ? null
      : await readDeltas(await openSoftPromptStore(deps.memories.folder(input.memory)).get(begunFrom))
  onStage({ kind: 'starting', done: 0, total: settings.steps })
  const { result, instead } = await trainSomewhere(
    train,
    {
      model: teaching.model,
      reservedIds,
      train: samples,
      heldOut,
      settings,
      begin,
      backend: input.backend ?? 'cpu',
      threads: deps.threads(),
      transposes: 'auto',
      checkpoint: checkpointFile(folder),
      selfTest: join(deps.dataPath, 'trainer-self-test.json'),
      memoryLimit: null,
    },
    {
      signal,
      onStart: ({ resumedAt }) => onStage({ kind: 'starting', done: resumedAt, total: settings.steps }),
      onProgress: (progress) => onStage({ kind: 'training', progress }),
    },
    (reason) => onStage({ kind: 'starting', done: 0, total: settings.steps, instead: reason }),
  )
  const shape = await readModelShape(teaching.model)
  const info = {
    createdAt: at,
    environment,
    space: input.memory,
    baseModel: describe(teaching.model, shape, teaching.modelHash),
    reservedIds,
    reservedTokens: teaching.reservedTokens,
    teacher: teaching.teacher,
    student: teaching.student,
    objective: objectiveOf(input),
    settings,
    teacherUsage: teaching.usage,
    ...(teaching.shown !== undefined && { teacherShown: teaching.shown }),
    ...(begunFrom !== null && { begunFrom }),
    trajectories: sampleIds(samples),
    heldOut: sampleIds(heldOut),
    ...(teaching.retried !== undefined && { retried: teaching.retried }),
    outcome: result.outcome,
    ...(instead && { instead }),
  }
  const call = name ?? `${environment}-${stamp(new Date(at))}`
  const file = await writeSoftPrompt(folder, call, info, result.deltas)
  await removePending(folder)
  const { steps, wallMs } = result.outcome
  const { sizes } = shape
  const rows = samples.map(({ tokens }) => tokens.length + reservedIds.length)
  const limits = packingLimits(
    sizes,
    reservedIds,
    packRows(sizes, Math.max(...rows), 'auto', freeMainMemory()),
  )
  await writePace(deps.dataPath, operationsTaken(samples, heldOut, settings, steps, sizes, limits) / wallMs)
  if (input.use ?? true) await use(environment, basename(file.adapter), deps.clock.now().toISOString())
  return { file, model: teaching.model }
}

const objectiveOf = ({ topK, caution = 0 }: Pending['input']) =>
  topK || caution > 0 ? { topK: topK ?? LIKELIEST, ...(caution > 0 && { caution }) } : ('tokens' as const)

const stamp = (time: Date): string =>
  time.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-')

const describe = (path: string, shape: ModelShape, hash: { sha256: string; sizeBytes: number }) => ({
  name: basename(path, extname(path)),
  architecture: shape.architecture,
  ...hash,
  width: shape.sizes.width,
  vocabulary: shape.sizes.vocabulary,
})

/** What says that a device cannot train: it is not there, it is off from the processor's gradients, or it ended on the way. */
const DEVICE_PROBLEMS: ReadonlySet<string> = new Set(['TRAINER_UNAVAILABLE', 'TRAINER_CHECK', 'TRAINER_DIED'])

/** What a training came to, and what stood in the way of the device that was chosen. */
interface SomewhereTrained {
  readonly result: TrainingResult
  readonly instead: Instead | undefined
}

/**
 * Trains on the device that was chosen; where that cannot, on the processor, from the beginning: a checkpoint is its device's. `onInstead` is told why. Rejects with what the
 * processor fails with, and with an AbortError when the signal fires.
 */
export async function trainSomewhere(
  train: NonNullable<TrainingDeps['train']>,
  job: TrainingJob,
  watch: TrainingWatch,
  onInstead: (instead: Instead) => void,
): Promise<SomewhereTrained> {
  try {
    return { result: await train(job, watch), instead: undefined }
  } catch (error) {
    const isDevice = error instanceof LoamError && DEVICE_PROBLEMS.has(error.code)
    if (!isDevice || job.backend === 'cpu' || watch.signal?.aborted === true) throw error
    const instead: Instead = { of: job.backend, why: error.why }
    onInstead(instead)
    return { result: await train({ ...job, backend: 'cpu' }, watch), instead }
  }
}
