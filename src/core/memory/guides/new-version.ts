import type { GuideText, GuideVersion } from '../../../shared/domain/guide'
import { attribute, editedConstraints } from './guide'

/** The version of a concept's document that a person wrote, on top of the one that is read now (null: none is). */
export function versionByHand(
  id: string,
  concept: Pick<GuideVersion, 'conceptId' | 'concept' | 'environment'>,
  before: GuideVersion | null,
  text: GuideText,
  createdAt: string,
): GuideVersion {
  const constraints = editedConstraints(before, text)
  const byHand = new Set(constraints.keep.map((one) => one.text))
  const { conceptId, concept: name, environment } = concept
  return {
    id,
    conceptId,
    concept: name,
    environment,
    buildId: null,
    parent: before?.id ?? null,
    text,
    sentences: attribute(text, [], before?.sentences ?? []).map((sentence) => ({
      ...sentence,
      byHand: sentence.byHand || byHand.has(sentence.text),
    })),
    lost: [],
    restored: [],
    constraints,
    createdAt,
  }
}

/** A person's word that a version is the one that is read. */
export const acceptedByHand = (conceptId: string, versionId: string, at: string) =>
  ({ kind: 'document-decided', conceptId, versionId, accepted: true, by: 'person', at }) as const
