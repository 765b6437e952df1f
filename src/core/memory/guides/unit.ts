import { z } from 'zod'
import { guideTextSchema, rubricScoreSchema } from '../../../shared/domain/guide'
import { trajectorySchema, usageSchema } from '../../../shared/domain/trajectory'

/**
 * A piece of a build that cost model calls: one line of its log. A build that is begun again does none of them twice, and since
 * everything between them follows from them, it ends as if it had never stopped.
 */
export const buildUnitSchema = z.discriminatedUnion('kind', [
  /** Key: hash of the documents shown, task, model, seed. */
  z.object({ kind: z.literal('rollout'), key: z.string(), trajectory: trajectorySchema }),
  /** What judge and reflector made of a rollout. Key: its id. */
  z.object({
    kind: z.literal('findings'),
    key: z.string(),
    scores: z.array(rubricScoreSchema).nullable(),
    insights: z.array(z.object({ concept: z.string(), insight: z.string() })),
    problem: z.string().nullable(),
    usage: usageSchema,
  }),
  /** What the integrator wrote. Key: the node, and which call of it. Null: nothing usable. */
  z.object({
    kind: z.literal('integration'),
    key: z.string(),
    text: guideTextSchema.nullable(),
    lost: z.array(z.string()),
    /** What was put back word for word; absent when nothing was. */
    back: z.array(z.string()).optional(),
    /** Nothing usable was written: the text is the insights, word for word. */
    unwritten: z.literal(true).optional(),
    usage: usageSchema,
  }),
])
export type BuildUnit = z.infer<typeof buildUnitSchema>
