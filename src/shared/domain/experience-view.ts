import { z } from 'zod'
import { experienceStandingSchema, rankingSchema } from './experience'
import { usageSchema } from './trajectory'
import { count, counts, figure, share } from './units'
import { BOUNDS, integerIn } from './bounds'

/** What became of an attempt: the experience made from it, and the ranking it was part of. */
export const attemptExperienceSchema = z.object({
  id: z.string(),
  standing: experienceStandingSchema,
  /** Null when nothing similar was there. */
  ranking: rankingSchema.nullable(),
})

/** How models are to write experiences from imported logs. */
export const abstractionSchema = z.object({
  /** GGUF path. Default: the bundled demo model. */
  model: z.string().nullable().default(null),
  /** Most logs to work through; null takes all. */
  limit: z.number().int().min(1).nullable().default(null),
  seed: integerIn(BOUNDS.seed).default(1),
  /** Cosine from which a new one is ranked against the one it is like. Default: Agent KB's. */
  tau: share.nullable().default(null),
})
export type Abstraction = z.infer<typeof abstractionSchema>

/** The experiences of a memory in figures. */
export const kbStatsSchema = z.object({
  live: count,
  superseded: count,
  /** Evicted or deleted and still restorable. */
  trash: count,
  /** Live logs that no model has written an experience from. */
  waiting: count,
  /** Live ones that came without a model and were not compared with similar ones yet. */
  uncompared: count,
  byFramework: counts,
  byDomain: counts,
  byOrigin: counts,
  byOutcome: counts,
  /** Mean u_j of the live ones; null when there are none. */
  meanUtility: figure,
  /** Uses by agents, all experiences together. */
  uses: count,
  /** Live ones that helped in another framework than their own. */
  transferred: count,
})
export type KbStats = z.infer<typeof kbStatsSchema>

/** What a round of abstraction did. */
export const abstractReportSchema = z.object({
  logs: count,
  written: count,
  /** Logs the model gave no usable text for; they stay as they are and are tried again next time. */
  failed: z.array(z.object({ id: z.string(), reason: z.string() })).readonly(),
  /** Experiences from files and programs that were compared with similar ones. */
  compared: count,
  /** Rankings made, and how many the new experience won. */
  ranked: count,
  candidateWon: count,
  usage: usageSchema,
})
export type AbstractReport = z.infer<typeof abstractReportSchema>
