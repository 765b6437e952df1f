import { z } from 'zod'
import { verdictSchema } from './verdict'
import { count, figure, instant, integer, share } from './units'
import { BOUNDS, integerIn } from './bounds'

/** What a person decided about a case: `pinned` is recalled before any other, `muted` never. */
export const caseMarkSchema = z.enum(['pinned', 'muted'])
export type CaseMark = z.infer<typeof caseMarkSchema>

/** What a person may put right about a case. */
export const caseCorrectionSchema = z.object({
  state: z.string().trim().min(1).max(100_000),
  plan: z.string().max(400_000),
  reward: verdictSchema,
})
export type CaseCorrection = z.infer<typeof caseCorrectionSchema>

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
  reward: verdictSchema,
  /** How far its reward counts while nobody has confirmed it, in [0, 1]; absent once proven. */
  probation: share.optional(),
  createdAt: instant,
  /** Deleted cases stay restorable. */
  deletedAt: instant.nullable(),
  /** Absent when nothing was decided. */
  mark: caseMarkSchema.optional(),
  /** When a person last corrected it; absent for a case as its attempt left it. */
  correctedAt: instant.optional(),
})
export type CaseRecord = z.infer<typeof caseRecordSchema>

/** A case as it read from `at` on. The first version is what the attempt left, the last one what is recalled. */
export const caseVersionSchema = caseRecordSchema
  .pick({ state: true, plan: true, reward: true })
  .extend({ at: instant })
export type CaseVersion = z.infer<typeof caseVersionSchema>

/**
 * A case as it is found: by a search, a method's recall or a learner. There is one such shape; who finds without a learner leaves its
 * parts out.
 */
export const foundCaseSchema = z.object({
  case: caseRecordSchema,
  /** What found cases are ordered by; null in a list without a search. */
  score: figure,
  /** Cosine of the states, in [-1, 1] (Memento eq. 13). */
  similarity: z.number().optional(),
  /** The learned value Q(s, c) and how far it is trusted: score = (1 - weight) similarity + weight value (eq. 15, 16). */
  value: z.number().optional(),
  weight: z.number().optional(),
  /** Whether a task would be shown it. */
  recalled: z.boolean().optional(),
})
export type FoundCase = z.infer<typeof foundCaseSchema>

/** A found case that has a score. */
export type ScoredCase = FoundCase & { readonly score: number }

export const caseQuerySchema = z.object({
  memoryId: z.string(),
  /** Words to search; empty lists the newest first. */
  text: z.string().default(''),
  mode: z.enum(['text', 'semantic']).default('text'),
  reward: z
    .union([z.literal(0), z.literal(1)])
    .nullable()
    .default(null),
  includeDeleted: z.boolean().default(false),
  limit: integerIn(BOUNDS.page).default(100),
  offset: count.default(0),
})
export type CaseQuery = z.infer<typeof caseQuerySchema>

/** With which learner to look. */
const learnerChoice = {
  memoryId: z.string(),
  /** Id of a method with a learner; null takes the one of the newest run that learned in the memory, else the first there is. */
  method: z.string().nullable().default(null),
}

/** The learner that answered: a run's, or one with the default settings where no run used the method here. */
const shownLearnerSchema = z.object({
  /** Id of the method the learner belongs to. */
  method: z.string(),
  seed: integer,
  k: integer,
  /** The run whose settings these are; null for the defaults. */
  runId: z.string().nullable(),
  /** Cases it has taken in. */
  writes: count,
  /** Cases are drawn by chance (softmax policy), not the best taken. */
  draws: z.boolean(),
})
export type ShownLearner = z.infer<typeof shownLearnerSchema>

export const caseWorthQuerySchema = z.object({
  ...learnerChoice,
  /** The task in words. */
  text: z.string().trim().min(1).max(20_000),
  /** Null takes that of the newest case. */
  environment: z.string().nullable().default(null),
})
export type CaseWorthQuery = z.infer<typeof caseWorthQuerySchema>

/** Q(s, c) beside similarity (Memento eq. 13, 15, 16): a found case with all its parts. */
const weighedCaseSchema = foundCaseSchema.required().extend({ score: z.number() })
export type WeighedCase = z.infer<typeof weighedCaseSchema>

/** The cases considered for a task, highest score first. */
export const caseWorthSchema = z.object({
  learner: shownLearnerSchema,
  environment: z.string(),
  cases: z.array(weighedCaseSchema),
})
export type CaseWorth = z.infer<typeof caseWorthSchema>

export const caseLandscapeQuerySchema = z.object({
  ...learnerChoice,
  /** The task in words; empty takes the mean over tasks of the memory. */
  text: z.string().trim().max(20_000).default(''),
})
export type CaseLandscapeQuery = z.infer<typeof caseLandscapeQuerySchema>

/** How Q of a memory's cases moved while it learned. */
export const caseLandscapeSchema = z.object({
  learner: shownLearnerSchema,
  environment: z.string(),
  /** Cases written by each moment, ascending. */
  moments: z.array(integer),
  /** How far Q counts at each moment, 0 to 1; the rest of a score comes from similarity. */
  trust: z.array(z.number()),
  /** Attempts the values are the mean over; 0 when a task was given. */
  probes: count,
  /** Highest last value first. */
  rows: z.array(
    z.object({
      case: caseRecordSchema,
      /** Attempts it was recalled for. */
      uses: count,
      /** Q at each moment; null before the case was written. */
      values: z.array(z.number().nullable()),
    }),
  ),
  /** Cases of the environment that are not shown, the least recalled. */
  left: integer,
})
export type CaseLandscape = z.infer<typeof caseLandscapeSchema>
