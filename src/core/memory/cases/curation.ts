import { z } from 'zod'
import {
  caseMarkSchema,
  caseVersionSchema,
  type CaseMark,
  type CaseVersion,
} from '../../../shared/domain/case'

/** What a person does about cases. Nothing is overwritten: the last mark and the last correction count. */
export const curationEventSchemas = [
  /** Null takes the mark off. */
  z.object({
    kind: z.literal('case-marked'),
    caseId: z.string().min(1),
    mark: caseMarkSchema.nullable(),
    at: z.string(),
  }),
  /** How a case reads from here on. Taken back by one more that reads as before. */
  z.object({
    kind: z.literal('case-corrected'),
    id: z.string().min(1),
    caseId: z.string().min(1),
    ...caseVersionSchema.shape,
  }),
] as const
export type CurationEvent = z.infer<(typeof curationEventSchemas)[number]>

/** The fold of those events; what a correction says stays in the journal. */
export interface CaseCuration {
  readonly marks: Map<string, CaseMark>
  /** By case, then by correction, in order of arrival: the number of the event that has it. */
  readonly corrections: Map<string, Map<string, number>>
  /** When each corrected case was last corrected. */
  readonly correctedAt: Map<string, string>
  /** Names what learned values were learned from: after a correction they are learned again. Null without any. */
  lastCorrection: string | null
}

export const emptyCuration = (): CaseCuration => ({
  marks: new Map(),
  corrections: new Map(),
  correctedAt: new Map(),
  lastCorrection: null,
})

/** Applies an event; again, it changes nothing. */
export function applyCuration(curation: CaseCuration, event: CurationEvent, at: number): void {
  if (event.kind === 'case-marked') {
    if (event.mark === null) curation.marks.delete(event.caseId)
    else curation.marks.set(event.caseId, event.mark)
    return
  }
  const knownMap = curation.corrections.get(event.caseId) ?? new Map<string, number>()
  if (knownMap.has(event.id)) return
  curation.corrections.set(event.caseId, knownMap.set(event.id, at))
  curation.correctedAt.set(event.caseId, event.at)
  curation.lastCorrection = event.id
}

/** The event that has the text that counts; null for a case nobody corrected. */
export const lastCorrectionOf = ({ corrections }: CaseCuration, caseId: string): number | null =>
  [...(corrections.get(caseId)?.values() ?? [])].at(-1) ?? null

/** What a correction says, without whose it is. */
export const versionOf = ({ state, plan, reward, at }: CaseVersion): CaseVersion => ({
  state,
  plan,
  reward,
  at,
})
