import { z } from 'zod'
import { conceptSchema, conceptTreeSchema, guideInfoSchema } from './guide'
import { searchSettingsSchema } from './guide-search'
import { count, figure, instant, integer, milliseconds } from './units'

/** What is fixed about a build from its start. */
export const buildSchema = z.object({
  id: z.string().min(1),
  environment: z.string(),
  /** Name or path of the stream; null when a run builds from its own first tasks. */
  stream: z.string().nullable(),
  /** GGUF path, and the name the model goes by. */
  model: z.string(),
  modelName: z.string(),
  seed: integer,
  settings: searchSettingsSchema,
  /** Task ids. */
  train: z.array(z.string()),
  evaluation: z.array(z.string()),
  /** Versions that agents read when it began: what rollouts are made with and trees begin at. */
  start: z.array(z.string()),
  /** Waits for a person between the concepts and the search. */
  review: z.boolean(),
  /** Hash of tasks, prompts and rubrics: a build only goes on with the same ones. */
  inputs: z.string(),
  startedAt: instant,
})
export type Build = z.infer<typeof buildSchema>

/** Correctness over the held-out queries and MRR of the right document, each in [0, 1]. */
const kbScoreSchema = z.object({ correctness: z.number(), mrr: z.number() })
export type KbScore = z.infer<typeof kbScoreSchema>

/** What a build came to. */
export const buildOutcomeSchema = z.object({
  /** `budget`: it stopped with the best so far when tokens or time were spent. */
  stopped: z.enum(['done', 'budget']),
  /** Iterations made. */
  iterations: count,
  /** Without any document, with the roots' documents, and with the winners'. */
  without: kbScoreSchema,
  /** With what agents read when it began; absent when they read nothing. Winners below it are proposed, never used at once. */
  standing: kbScoreSchema.optional(),
  before: kbScoreSchema,
  after: kbScoreSchema,
  concepts: count,
  documents: count,
  /** Attempts asked for to score or to learn, and how many of them had been made before (same documents, query, model, seed). */
  evaluations: count,
  cacheHits: count,
  /** Findings and documents the model was asked for, and how many of them were not usable, in whole or in part. Default: not counted. */
  writings: count.optional(),
  unusable: count.optional(),
  tokens: count,
  /** Wall time of model calls, summed; less than that on a clock where several ran at a time. */
  modelMs: milliseconds,
  at: instant,
})
export type BuildOutcome = z.infer<typeof buildOutcomeSchema>

const buildStatusSchema = z.enum(['unfinished', 'running', 'concepts', 'done'])

/** A build as it is listed. `concepts`: it waits for a person to look at the concepts. */
export const buildInfoSchema = z.object({
  build: buildSchema,
  status: buildStatusSchema,
  /** The job that works on it; null when none does. */
  jobId: z.string().nullable(),
  concepts: z.array(conceptSchema),
  /** The search has begun, so the concepts are frozen. */
  frozen: z.boolean(),
  nodes: count,
  outcome: buildOutcomeSchema.nullable(),
})
export type BuildInfo = z.infer<typeof buildInfoSchema>

/** The guides of a memory and its builds, newest first, with the trees of the build that is looked at; null where none is or it is not there. */
export const guidesViewSchema = z.object({
  documents: z.array(guideInfoSchema),
  builds: z.array(buildInfoSchema),
  trees: z.array(conceptTreeSchema).nullable(),
})
export type GuidesView = z.infer<typeof guidesViewSchema>

/** What a build would take, before it starts. */
export const buildEstimateSchema = z.object({
  /** Tasks to learn from and to score with, and how many the stream has that no build of this memory had before. */
  train: count,
  evaluation: count,
  fresh: count,
  /** Concepts it is reckoned for: a third of the training tasks, and at most as many as the settings allow. */
  concepts: count,
  mostConcepts: count,
  /** Attempts, and texts the model writes besides, for so many concepts; `most` for the most of them. Attempts that come again are made once. */
  attempts: count,
  mostAttempts: count,
  writings: count,
  mostWritings: count,
  /** By what attempts and texts took this model here before; null when it never worked on such tasks in this memory. */
  minutes: figure,
  mostMinutes: figure,
})
export type BuildEstimate = z.infer<typeof buildEstimateSchema>

/** How far a running build is. */
export interface BuildProgress {
  readonly stage: 'rollouts' | 'concepts' | 'roots' | 'search' | 'scoring'
  readonly done: number
  readonly total: number
  readonly activity: string
}
