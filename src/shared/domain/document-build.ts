import { z } from 'zod'
import { conceptSchema } from './concept'
import { searchSettingsSchema } from './document-search'

/** What is fixed about a build from its start. */
export const buildSchema = z.object({
  id: z.string().min(1),
  environment: z.string(),
  /** Name or path of the stream; null when a run builds from its own first tasks. */
  stream: z.string().nullable(),
  /** GGUF path, and the name the model goes by. */
  model: z.string(),
  modelName: z.string(),
  seed: z.number().int(),
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
  startedAt: z.string(),
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
  iterations: z.number().int(),
  /** Without any document, with the roots' documents, and with the winners'. */
  without: kbScoreSchema,
  /** With what agents read when it began; absent when they read nothing. Winners below it are proposed, never used at once. */
  standing: kbScoreSchema.optional(),
  before: kbScoreSchema,
  after: kbScoreSchema,
  concepts: z.number().int(),
  documents: z.number().int(),
  /** Attempts asked for to score or to learn, and how many of them had been made before (same documents, query, model, seed). */
  evaluations: z.number().int(),
  cacheHits: z.number().int(),
  /** Findings and documents the model was asked for, and how many of them were not usable, in whole or in part. Default: not counted. */
  writings: z.number().int().optional(),
  unusable: z.number().int().optional(),
  tokens: z.number().int(),
  /** Wall time of model calls, summed; less than that on a clock where several ran at a time. */
  modelMs: z.number(),
  at: z.string(),
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
  nodes: z.number().int(),
  outcome: buildOutcomeSchema.nullable(),
})
export type BuildInfo = z.infer<typeof buildInfoSchema>

/** What a build would take, before it starts. */
export const buildEstimateSchema = z.object({
  /** Tasks to learn from and to score with, and how many the stream has that no build of this space had before. */
  train: z.number().int(),
  evaluation: z.number().int(),
  fresh: z.number().int(),
  /** Concepts it is reckoned for: a third of the training tasks, and at most as many as the settings allow. */
  concepts: z.number().int(),
  mostConcepts: z.number().int(),
  /** Attempts, and texts the model writes besides, for so many concepts; `most` for the most of them. Attempts that come again are made once. */
  attempts: z.number().int(),
  mostAttempts: z.number().int(),
  writings: z.number().int(),
  mostWritings: z.number().int(),
  /** By what attempts and texts took this model here before; null when it never worked on such tasks in this space. */
  minutes: z.number().nullable(),
  mostMinutes: z.number().nullable(),
})
export type BuildEstimate = z.infer<typeof buildEstimateSchema>

/** How far a running build is. */
export interface BuildProgress {
  readonly stage: 'rollouts' | 'concepts' | 'roots' | 'search' | 'scoring'
  readonly done: number
  readonly total: number
  readonly activity: string
}
