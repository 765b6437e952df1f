import type { Experience } from '../../../../shared/domain/experience'
import { redactAll, type Redactions } from './redact'
import { withoutAnswers } from './without-answers'

/** An experience, and how many secrets of each kind were taken out of it. */
export interface SanitisedExperience {
  readonly experience: Experience
  readonly redactions: Redactions
}

/** An experience of another memory as it is taken over: without secrets and recorded right answers, else unchanged. */
export function sanitiseExperience(experience: Experience): SanitisedExperience {
  const { id, meta, ...fields } = experience
  const extra = withoutAnswers(meta.extra)
  const { value, redactions } = redactAll({
    ...fields,
    extra,
    file: meta.sourceFile,
    sourceId: meta.sourceId,
  })
  const { extra: cleanExtra, file, sourceId, ...clean } = value
  return {
    experience: { ...clean, id, meta: { ...meta, extra: cleanExtra, sourceFile: file, sourceId } },
    redactions,
  }
}
