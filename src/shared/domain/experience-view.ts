import { z } from 'zod'
import { experienceSchema, experienceStandingSchema, rankingSchema, retrievalModeSchema } from './experience'
import { importReportSchema } from './format'
import { usageSchema } from './trajectory'
import { count, counts, figure, instant, integer, milliseconds, share } from './units'
import { BOUNDS, integerIn } from './bounds'

/** Which experiences a person looks at. Without text: the newest first, page by page; with text: the best k live ones. */
export const experienceListQuerySchema = z.object({
  spaceId: z.string(),
  text: z.string().max(20_000).default(''),
  mode: retrievalModeSchema.default('hybrid'),
  /** Weight of words against meaning in hybrid mode. */
  alpha: share.default(0.5),
  /** Most experiences found by a text. */
  k: integerIn(BOUNDS.results).default(20),
  show: z.enum(['live', 'superseded', 'trash']).default('live'),
  /** Null: all of them. */
  framework: z.string().nullable().default(null),
  domain: z.string().nullable().default(null),
  /** With a text: only experiences of one of these domains; absent: of any. */
  domains: z.array(z.string()).optional(),
  /** With a text: only experiences that used one of these tools; absent: any. */
  tools: z.array(z.string()).optional(),
  outcome: z.enum(['success', 'failure', 'unknown']).nullable().default(null),
  offset: count.default(0),
  limit: z.number().int().min(1).max(200).default(100),
})
export type ExperienceListQuery = z.infer<typeof experienceListQuerySchema>

/** Why a text found an experience. */
const experienceMatchSchema = z.object({
  /** What hits are ordered by. */
  score: z.number(),
  /** Calibrated, in [0, 1]; null when that search was not made. */
  textScore: figure,
  semanticScore: figure,
  /** As the searches gave them. */
  bm25: figure,
  cosine: figure,
  /** What its utility added or took: `UTILITY_WEIGHT` * (u - 0.5). */
  utilityPart: z.number(),
  /** Words of the question that the search text has too, endings aside. */
  terms: z.array(z.string()),
})
export type ExperienceMatch = z.infer<typeof experienceMatchSchema>

/** An experience as one row of a list. */
export const experienceRowSchema = z.object({
  id: z.string(),
  /** At most 300 characters. */
  question: z.string(),
  framework: z.string(),
  domain: z.string(),
  origin: experienceSchema.shape.origin,
  outcome: experienceSchema.shape.meta.shape.outcome,
  createdAt: instant,
  standing: experienceStandingSchema,
  /** Days it stays in the trash; null when it is not there. */
  daysLeft: integer.nullable(),
  /** Null where nothing was searched for. */
  match: experienceMatchSchema.nullable(),
})
export type ExperienceRow = z.infer<typeof experienceRowSchema>

export const experiencePageSchema = z.object({
  rows: z.array(experienceRowSchema),
  /** Of all pages. */
  total: count,
  ms: milliseconds,
})
export type ExperiencePage = z.infer<typeof experiencePageSchema>

/** An experience in full, with those it replaced and those that replaced it. */
export const experienceDetailSchema = z.object({
  experience: experienceSchema,
  standing: experienceStandingSchema,
  daysLeft: integer.nullable(),
  /** Oldest first, the experience itself among them; alone when nothing was ever replaced. */
  chain: z.array(experienceRowSchema),
})
export type ExperienceDetail = z.infer<typeof experienceDetailSchema>

/** What became of an attempt: the experience made from it, and the ranking it was part of. */
export const attemptExperienceSchema = z.object({
  row: experienceRowSchema,
  /** Null when nothing similar was there. */
  ranking: rankingSchema.nullable(),
})
export type AttemptExperience = z.infer<typeof attemptExperienceSchema>

/** The parts a person may rewrite. */
export const experienceEditSchema = experienceSchema
  .pick({
    question: true,
    agentPlan: true,
    agentExperience: true,
    searchAgentPlan: true,
    searchAgentExperience: true,
  })
  .extend({ domain: z.string().trim().min(1).max(60) })
export type ExperienceEdit = z.infer<typeof experienceEditSchema>

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
const abstractReportSchema = z.object({
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

/** What an ended import or abstraction job has to tell. */
export const kbReportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), report: importReportSchema }),
  z.object({ kind: z.literal('abstract'), report: abstractReportSchema }),
])
export type KbReport = z.infer<typeof kbReportSchema>
