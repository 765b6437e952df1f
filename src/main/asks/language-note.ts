import { languageOf } from '../../core/ground/language'
import { LANGUAGE_NAMES } from '../../shared/domain/language'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { ModelProfiles } from '../models/model-profiles'

/** An answer, with a word on it where the person writes in a language that the model is known not to answer in. */
export async function withLanguageNote(
  trajectory: Trajectory,
  model: string,
  profiles: Pick<ModelProfiles, 'cannotWrite'>,
): Promise<Trajectory> {
  const language = languageOf(trajectory.task.instruction)
  if (language === null || trajectory.finish !== 'completed' || trajectory.reason !== undefined)
    return trajectory
  return (await profiles.cannotWrite(model, language))
    ? { ...trajectory, reason: `This model cannot answer in ${LANGUAGE_NAMES[language]}, as was measured.` }
    : trajectory
}
