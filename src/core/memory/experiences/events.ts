import { z } from 'zod'
import { experienceSchema, experienceStandingSchema, rankingSchema } from '../../../shared/domain/experience'

const id = z.string().min(1)

/** What a memory's journal records about experiences. Nothing is ever taken out: an experience only changes its standing. */
export const experienceEventSchemas = [
  z.object({
    kind: z.literal('experience-added'),
    experience: experienceSchema,
    /** It was compared with the one most similar to it. Absent for what came without a model that could have. */
    compared: z.literal(true).optional(),
    /** u of statements that its own attempt bore out. Absent where it bore out none. */
    rules: z.record(z.string(), z.number()).optional(),
    /** How it did in the memory it was taken over from. Absent for one that is new. */
    carried: experienceStandingSchema
      .pick({ utility: true, uses: true, lastUsedAt: true, transfers: true, rules: true })
      .optional(),
  }),
  /** Another experience took its place. It can be restored. */
  z.object({
    kind: z.literal('experience-superseded'),
    experienceId: id,
    by: id,
    why: z.enum(['abstraction', 'duplicate', 'edit']),
    ranking: rankingSchema.optional(),
    at: z.string(),
  }),
  /** What came without a model was compared with the one most similar to it. */
  z.object({ kind: z.literal('experience-compared'), experienceId: id, at: z.string() }),
  /** Left for want of room; in the trash for `TRASH_DAYS`. `score` is what eviction ranked it by. */
  z.object({ kind: z.literal('experience-evicted'), experienceId: id, score: z.number(), at: z.string() }),
  /** A person put it into the trash. */
  z.object({ kind: z.literal('experience-deleted'), experienceId: id, at: z.string() }),
  z.object({ kind: z.literal('experience-restored'), experienceId: id, at: z.string() }),
  /** It was shown to an agent, and this is how the attempt went: u <- u + eta (r - u). */
  z.object({
    kind: z.literal('experience-used'),
    experienceId: id,
    /** The attempt or request; counted once per experience. */
    useId: id,
    /** The framework that used it. */
    framework: z.string().min(1),
    /** r_j in [0, 1]. */
    reward: z.number().min(0).max(1),
    /** eta in (0, 1]. */
    eta: z.number().gt(0).max(1),
    /** Statements of its guidance that the agent's plan took over (`rulesOf`); each moves as its utility does. Absent when none is known. */
    rules: z.array(z.string()).optional(),
    at: z.string(),
  }),
] as const

export type ExperienceEvent = z.infer<(typeof experienceEventSchemas)[number]>

export const isExperienceEvent = <E extends { readonly kind: string }>(
  event: E,
): event is Extract<E, { kind: ExperienceEvent['kind'] }> => event.kind.startsWith('experience-')
