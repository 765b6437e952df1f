import { languageOf } from '../../core/ground/language'
import { LANGUAGE_NAMES } from '../../shared/domain/language'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { ModelProfiles } from '../models/model-profiles'

/** Whether a text is in a language that a model is known not to answer in. */
export async function cannotAnswer(
  text: string,
  model: string,
  profiles: Pick<ModelProfiles, 'cannotWrite'>,
): Promise<boolean> {
  const language = languageOf(text)
  return language !== null && (await profiles.cannotWrite(model, language))
}

/** An answer, with a word on it where the person writes in a language that the model is known not to answer in. */
export async function withLanguageNote(
  trajectory: Trajectory,
  model: string,
  profiles: Pick<ModelProfiles, 'cannotWrite'>,
): Promise<Trajectory> {
  if (trajectory.finish !== 'completed' || trajectory.reason !== undefined) return trajectory
  const [first] = trajectory.rounds
  // Nobody wrote it: it is a fact as it was told.
  const isFact =
    first?.usage.completionTokens === 0 &&
    trajectory.recalled.some(({ title }) => first.completion.startsWith(title.replace(/…$/, '')))
  const text = `${trajectory.task.instruction}\n${isFact ? first.completion : ''}`
  const language = languageOf(text)
  if (language === null || !(await cannotAnswer(text, model, profiles))) return trajectory
  const reason = `This model cannot answer in ${LANGUAGE_NAMES[language]}, as was measured.`
  return { ...trajectory, reason: isFact ? `What was remembered, as it was told. ${reason}` : reason }
}
