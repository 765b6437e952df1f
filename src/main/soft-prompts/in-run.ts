import type { RunRecord } from '../../core/lab/run-record'
import type { DistilOrder } from '../../core/ground/method'
import type { TaskLengths } from '../../core/soft-prompts/forecast'
import { findMethod } from '../../core/methods'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Distilling } from '../../shared/domain/run'
import { addUsage, NO_USAGE, type Usage } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { Memories } from '../memories/memories'
import type { SoftPromptTraining } from './soft-prompt-training'
import type { TrainingStage } from './training-deps'
import { readPending, removePending } from './pending'
import { openSoftPromptStore } from './soft-prompt-store'
import { requireBaseModel, type SoftPromptFile } from './soft-prompt-file'

/** Whether a run stops on its way to train a soft prompt (EvoSC's PTC). */
export const trainsSoftPrompt = (method: string, settings: SettingChanges = {}): boolean =>
  findMethod(method).softPrompt?.trains(settings) ?? false

/**
 * Throws what would keep a run of `total` tasks from training the soft prompt it is to train: `BAD_INPUT` when it would never
 * fall due, or when another one is named; `TRAINER_*` when the model cannot be trained here. Nothing for runs that train none.
 */
export async function requireTraining(
  run: {
    readonly method: string
    readonly settings?: SettingChanges
    readonly softPrompt?: string
    readonly useSoftPrompt?: boolean
  },
  total: number,
  model: string,
  training: Pick<SoftPromptTraining, 'requireTrainable'>,
): Promise<void> {
  if (!trainsSoftPrompt(run.method, run.settings)) return
  if (run.softPrompt !== undefined || run.useSoftPrompt === false) {
    const other = run.softPrompt === undefined ? 'is to be served no soft prompt' : 'names a soft prompt'
    throw new LoamError('BAD_INPUT', `The run ${other}, and its method is set to train one of its own.`, {
      suggestion: 'Leave one of the two out.',
    })
  }
  const rewards = Array.from({ length: total }, () => 1 as const)
  const order = findMethod(run.method).distil?.({ rewards, total }, run.settings ?? {}) ?? null
  if (order === null)
    throw new LoamError(
      'BAD_INPUT',
      `The run has ${total} tasks, so no soft prompt would be trained before its last one.`,
      { suggestion: 'Give it more tasks, or let it be trained after fewer.' },
    )
  const { length, student, backend } = order
  await training.requireTrainable(model, { length, student, backend })
}

/** What training its own soft prompts will add to a run of `total` tasks, in words; null for one that trains none. Rejects as `requireTraining` does. */
export async function trainingCost(
  run: Parameters<typeof requireTraining>[0] & { readonly k?: number | null },
  total: number,
  model: string,
  training: Pick<SoftPromptTraining, 'requireTrainable' | 'forecast'>,
  tasks?: TaskLengths,
): Promise<string | null> {
  if (!trainsSoftPrompt(run.method, run.settings)) return null
  await requireTraining(run, total, model, training)
  const { info, distil } = findMethod(run.method)
  const dues: DistilOrder[] = []
  for (let doneCount = 1; doneCount < total; doneCount++) {
    const rewards = Array.from({ length: doneCount }, () => 1 as const)
    const order = distil?.({ rewards, total }, run.settings ?? {}) ?? null
    if (order && order.at !== dues.at(-1)?.at) dues.push(order)
  }
  const [first] = dues
  if (!first) return null
  const student = Math.min(first.student, run.k ?? info.defaultK ?? first.student)
  const minutes = Math.ceil(
    (await training.forecast(model, { ...first, student, ...(tasks && { tasks }) })) / 60_000,
  )
  const often = dues.length === 1 ? 'once' : `up to ${dues.length} times`
  return `It stops ${often} to train a soft prompt, first after ${first.at} tasks: about ${minutes} min each at most on this machine, and the teacher's part on top.`
}

/**
 * The soft prompt that a run asked for after `order.at` of its tasks, trained from its own memory if it is not there yet: its
 * name follows from run and place, so a run that was interrupted finds it, or goes on training it from the last checkpoint.
 * Throws `SOFT_PROMPT` when one that attempts were served already is gone or damaged, and what training throws.
 */
export async function distilForRun(
  { id, config, hashes }: RunRecord,
  order: DistilOrder,
  doneCount: number,
  environment: string,
  deps: { readonly softPromptTraining: SoftPromptTraining; readonly memories: Memories },
  watch: { readonly signal: AbortSignal; readonly onProgress: (now: Distilling) => void },
): Promise<SoftPromptFile> {
  const name = `${environment}-${id}-t${String(order.at).padStart(4, '0')}`
  const softPromptList = openSoftPromptStore(deps.memories.folder(config.memoryId))
  const keptFile = await softPromptList.find(name)
  if (keptFile) {
    requireBaseModel(keptFile, { path: config.model, sha256: hashes.model.sha256 })
    // The host may have ended right after the last file of it was written.
    if ((await readPending(softPromptList.folder))?.name === name) await removePending(softPromptList.folder)
    return keptFile
  }
  if (order.at < doneCount)
    throw new LoamError(
      'SOFT_PROMPT',
      `The run was served ${name}, and it is no longer in ${softPromptList.folder}.`,
      { suggestion: 'Put it back, or start a new run.' },
    )
  const { memory, stream, model, seed } = { ...config, memory: config.memoryId }
  const { teacher, length, steps, holdOut, backend, retry, caution } = order
  // The student is shown what the run shows, and no more.
  const student = Math.min(order.student, config.k)
  const { file } = await deps.softPromptTraining.consolidate(
    // Whether other runs in the memory are served it as well is for a person to say.
    {
      memory,
      stream,
      model,
      teacher,
      student,
      settings: { ...(length !== null && { length }), steps, seed, holdOut },
      backend,
      retry,
      caution,
      use: false,
    },
    {
      ofRun: { name, contextSize: config.contextSize ?? null },
      signal: watch.signal,
      onStage: (stage) => watch.onProgress(progressOf(stage)),
    },
  )
  return file
}

/** What a soft prompt took: the teacher's calls, and the time of the training. */
export const trainingUsage = ({ info }: SoftPromptFile): Usage =>
  addUsage(info.teacherUsage ?? NO_USAGE, { ...NO_USAGE, ms: info.outcome.wallMs })

function progressOf(stage: TrainingStage): Distilling {
  if (stage.kind !== 'training')
    return {
      stage: stage.kind === 'starting' ? 'training' : 'distilling',
      done: stage.done,
      total: stage.total,
      loss: null,
      etaMs: null,
    }
  const { point, steps, etaMs } = stage.progress
  return { stage: 'training', done: point.step, total: steps, loss: point.loss, etaMs }
}
