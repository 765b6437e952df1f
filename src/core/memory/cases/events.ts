import { z } from 'zod'
import { caseRecordSchema } from '../../../shared/domain/case'
import { curationEventSchemas } from './curation'

const caseId = z.string().min(1)

/** What a memory's journal records about cases. */
export const caseEventSchemas = [
  z.object({ kind: z.literal('case-added'), case: caseRecordSchema }),
  z.object({ kind: z.literal('case-deleted'), caseId, at: z.string() }),
  z.object({ kind: z.literal('case-restored'), caseId, at: z.string() }),
  ...curationEventSchemas,
] as const
export type CaseEvent = z.infer<(typeof caseEventSchemas)[number]>
