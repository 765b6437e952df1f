import type { ServedSoftPrompt } from '../../core/agent/actor'
import { settingsOf } from '../../core/methods/settings'
import type { MethodSettings } from '../../shared/domain/method-settings'
import { LoamError } from '../../shared/errors'
import { openShelf } from './shelf'
import { readSoftPrompt, requireBaseModel, type SoftPromptFile } from './soft-prompt-file'

/**
 * The soft prompt a run is served: the one it names, else for EvoSC (with PTC on) the one in use in its space, if that was
 * trained on the run's model. Throws `SOFT_PROMPT` when the named one does not fit model or environment.
 */
export async function chooseSoftPrompt(
  run: { readonly softPrompt?: string; readonly method: string; readonly settings?: MethodSettings },
  model: { readonly path: string; readonly sha256: string },
  environment: string,
  spaceFolder: string | null,
): Promise<SoftPromptFile | null> {
  const wanted = run.method !== 'evosc' || settingsOf('evosc', run.settings ?? {}).softPrompt
  if (run.softPrompt !== undefined) {
    if (!wanted)
      throw new LoamError('BAD_INPUT', 'The run names a soft prompt, and EvoSC is set to use none.', {
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
  if (run.method !== 'evosc' || !wanted || spaceFolder === null) return null
  const current = await openShelf(spaceFolder).current(environment)
  return current?.info.baseModel.sha256 === model.sha256 ? current : null
}

/** A soft prompt as an attempt remembers it. */
export const servedSoftPrompt = ({ info }: SoftPromptFile): ServedSoftPrompt => ({
  id: info.adapterSha256,
  title: `Soft prompt of ${info.trajectories.length} attempts`,
  tokens: info.reservedIds.length,
})
