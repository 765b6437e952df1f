import { z } from 'zod'

/** A case (s, a, r) of Memento's case bank: the state, the actions taken, the reward (Memento eq. 12). */
export const caseRecordSchema = z.object({
  id: z.string(),
  trajectoryId: z.string(),
  runId: z.string(),
  environment: z.string(),
  /** The state s in words; this text is what gets embedded. */
  state: z.string(),
  /** The dialog that followed: actions and observations, as it is shown to the model. */
  plan: z.string(),
  /** r: 1 solved, 0 failed. */
  reward: z.union([z.literal(0), z.literal(1)]),
  createdAt: z.string(),
  /** Deleted cases stay restorable. */
  deletedAt: z.string().nullable(),
})
export type CaseRecord = z.infer<typeof caseRecordSchema>

export const caseQuerySchema = z.object({
  spaceId: z.string(),
  /** Words to search; empty lists the newest first. */
  text: z.string().default(''),
  mode: z.enum(['text', 'semantic']).default('text'),
  reward: z
    .union([z.literal(0), z.literal(1)])
    .nullable()
    .default(null),
  includeDeleted: z.boolean().default(false),
  limit: z.number().int().min(1).max(500).default(100),
  offset: z.number().int().min(0).default(0),
})
export type CaseQuery = z.infer<typeof caseQuerySchema>

export const caseHitSchema = z.object({ case: caseRecordSchema, score: z.number().nullable() })
export type CaseHit = z.infer<typeof caseHitSchema>
