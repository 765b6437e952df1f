import type { ServedSoftPrompt } from '../../core/agent/actor'
import { findMethod } from '../../core/methods'
import type { ServedSoftPromptInfo } from '../../shared/domain/soft-prompt-training'
import type { SettingChanges } from '../../shared/domain/setting'
import { LoamError } from '../../shared/errors'
import { openSoftPromptStore } from './soft-prompt-store'
import { readSoftPrompt, requireBaseModel, type SoftPromptFile } from './soft-prompt-file'

interface ModelFile {
  readonly path: string
  readonly sha256: string
}

/**
 * The soft prompt a run is served: the one it names, else the one in use in its memory if that was trained on the run's model.
 * Nothing when the run, or its method's settings, want none. Throws `SOFT_PROMPT` when the named one does not fit model or
 * environment.
 */
export async function chooseSoftPrompt(
  run: {
    readonly softPrompt?: string
    readonly useSoftPrompt?: boolean
    readonly method: string
    readonly settings?: SettingChanges
  },
  model: ModelFile,
  environment: string,
  memoryFolder: string | null,
): Promise<SoftPromptFile | null> {
  const { useSoftPrompt = true } = run
  const isWanted = useSoftPrompt && (findMethod(run.method).softPrompt?.serves(run.settings ?? {}) ?? true)
  if (run.softPrompt !== undefined) {
    if (!isWanted)
      throw new LoamError('BAD_INPUT', 'The run names a soft prompt, and is set to use none.', {
        suggestion: 'Leave one of the two out.',
      })
    const file = await readSoftPrompt(run.softPrompt)
    requireBaseModel(file, model)
    if (file.info.environment !== null && file.info.environment !== environment)
      throw new LoamError(
        'SOFT_PROMPT',
        `It was trained for ${file.info.environment}, and the tasks act in ${environment}.`,
        { suggestion: 'Pick a soft prompt of this environment, or train one.' },
      )
    return file
  }
  if (!isWanted || memoryFolder === null) return null
  const current = await openSoftPromptStore(memoryFolder).current(environment)
  return current?.info.baseModel.sha256 === model.sha256 ? current : null
}

/** What a memory has in use for an environment, and whether a run with this model would be served it. */
export async function servedInMemory(
  memoryFolder: string,
  environment: string,
  hashModel: () => Promise<ModelFile>,
): Promise<ServedSoftPromptInfo | null> {
  const current = await openSoftPromptStore(memoryFolder).current(environment)
  if (!current) return null
  const { baseModel } = current.info
  const fits = baseModel.sha256 === (await hashModel()).sha256
  return {
    ...factsOf(current),
    refusal: fits ? null : `It was trained on ${baseModel.name} and fits no other model.`,
  }
}

/** What a run's details say of the soft prompt it is served. */
export const factsOf = ({ info }: SoftPromptFile) => ({
  tokens: info.reservedIds.length,
  createdAt: info.createdAt,
})

/** A soft prompt as an attempt remembers it. */
export const servedSoftPrompt = ({ info }: SoftPromptFile): ServedSoftPrompt => ({
  id: info.adapterSha256,
  title: `Soft prompt of ${info.trajectories.length} attempts`,
  tokens: info.reservedIds.length,
})
