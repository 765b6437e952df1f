import { z } from 'zod'
import {
  caseCorrectionSchema,
  foundCaseSchema,
  caseLandscapeQuerySchema,
  caseLandscapeSchema,
  caseMarkSchema,
  caseQuerySchema,
  caseRecordSchema,
  caseVersionSchema,
  caseWorthQuerySchema,
  caseWorthSchema,
} from '../domain/case'
import { trajectorySchema } from '../domain/trajectory'
import { asking, changing, reading } from './procedure'
import { count, milliseconds } from '../domain/units'

const caseRef = z.object({ spaceId: z.string(), caseId: z.string() })

/** Cases (Memento). */
export const cases = {
  search: reading('Cases of a space, by page, text or likeness.')
    .input(caseQuerySchema)
    .output(z.object({ hits: z.array(foundCaseSchema), total: count, ms: milliseconds })),
  get: reading('One case.').input(caseRef).output(caseRecordSchema),
  source: reading('The attempt the case came from.').input(caseRef).output(trajectorySchema),
  delete: changing('Takes a case out of the bank; it can be restored.')
    .input(caseRef)
    .output(caseRecordSchema),
  restore: changing('Puts a deleted case back.').input(caseRef).output(caseRecordSchema),
  mark: changing('Pins or mutes a case; null takes that back.')
    .input(caseRef.extend({ mark: caseMarkSchema.nullable() }))
    .output(caseRecordSchema),
  correct: changing('Changes how a case reads; what it read before is kept.')
    .input(caseRef.extend({ correction: caseCorrectionSchema }))
    .output(caseRecordSchema),
  versions: reading('How a case read, oldest first.').input(caseRef).output(z.array(caseVersionSchema)),
  worth: asking('Q beside similarity for a task in words.')
    .input(caseWorthQuerySchema)
    .output(caseWorthSchema),
  landscape: reading('Q of the cases from the first write to the last.')
    .input(caseLandscapeQuerySchema)
    .output(caseLandscapeSchema),
}
