import { z } from 'zod'
import { searchSettingsSchema } from './document-search'
import { trajectorySchema } from './trajectory'

/** One thing good behaviour has, e.g. `looks-up`: what is looked for, in words a person can check. */
export const rubricSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  text: z.string().min(1).max(400),
})
export type Rubric = z.infer<typeof rubricSchema>

/** How far a rubric holds for an attempt: 1 (not) to 5 (throughout), and why. */
export const rubricScoreSchema = z.object({
  rubric: z.string(),
  score: z.number().int().min(1).max(5),
  reason: z.string(),
})
export type RubricScore = z.infer<typeof rubricScoreSchema>

/** The sections of a concept document, in their order. Each may be empty but `howToUse`. */
export const documentTextSchema = z.object({
  context: z.string(),
  howToUse: z.string().min(1),
  whenToUse: z.string(),
  bestPractices: z.string(),
})
export type DocumentText = z.infer<typeof documentTextSchema>
export const DOCUMENT_SECTIONS = ['context', 'howToUse', 'whenToUse', 'bestPractices'] as const
export type DocumentSection = (typeof DOCUMENT_SECTIONS)[number]

/** A sentence-level insight of the reflector and where it comes from (BREW eq. 1). */
export const insightSchema = z.object({
  id: z.string().min(1),
  /** The concept as the reflector named it. */
  concept: z.string().min(1),
  text: z.string().min(1),
  /** The rollout it was drawn from, and that rollout's task and label. */
  trajectoryId: z.string(),
  taskId: z.string(),
  reward: z.union([z.literal(0), z.literal(1)]),
})
export type Insight = z.infer<typeof insightSchema>

/** A meta-concept k with its insights and queries (algorithm 3). */
export const conceptSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  environment: z.string(),
  /** Every name the reflector gave it. */
  members: z.array(z.string()),
  /** I_k: ids of insights. */
  insights: z.array(z.string()),
  /** Q_k^train and Q_k^eval: task ids. Nothing that was learned from scores a document. */
  train: z.array(z.string()),
  evaluation: z.array(z.string()),
  /** Those of Q_k^eval that no other concept is nearer to: being found is asked of these. Default: of all. */
  nearest: z.array(z.string()).optional(),
})
export type Concept = z.infer<typeof conceptSchema>

/** What a person may do with the concepts before the search. */
export const conceptEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rename'), conceptId: z.string(), name: z.string().trim().min(1).max(60) }),
  /** `from` becomes part of `into`. */
  z.object({ kind: z.literal('merge'), into: z.string(), from: z.string() }),
  /** The named members become a concept of their own. */
  z.object({
    kind: z.literal('split'),
    conceptId: z.string(),
    members: z.array(z.string()).min(1),
    name: z.string().trim().min(1).max(60),
  }),
])
export type ConceptEdit = z.infer<typeof conceptEditSchema>

/** A sentence of a document and what it rests on. */
export const sentenceSchema = z.object({
  section: z.enum(DOCUMENT_SECTIONS),
  text: z.string(),
  /** Insights it was written from, by overlap; a document written by hand has none. */
  insights: z.array(z.string()),
  /** Their rollouts. */
  trajectories: z.array(z.string()),
  /** Written or changed by a person. */
  byHand: z.boolean(),
})
export type Sentence = z.infer<typeof sentenceSchema>

/** One version of a concept's document. */
export const documentVersionSchema = z.object({
  id: z.string().min(1),
  conceptId: z.string().min(1),
  /** The concept's name when it was written: the document's title. */
  concept: z.string().min(1),
  environment: z.string(),
  /** Null when a person wrote it. */
  buildId: z.string().nullable(),
  /** The version it was made from. */
  parent: z.string().nullable(),
  text: documentTextSchema,
  sentences: z.array(sentenceSchema),
  /** Particulars of the parent, and insights, that are missing here although the integrator was asked again: they found no room. */
  lost: z.array(z.string()),
  /** Sentences of the parent and insights that the integrator left out and that were put back word for word. Default: none. */
  putBack: z.array(z.string()).optional(),
  /** Sentences of a person that had to be put back, and ones they removed that had to be taken out again. */
  restored: z.array(z.string()),
  /** What a person added (kept word for word by every later search) and removed (never comes back). */
  constraints: z.object({
    keep: z.array(z.object({ section: z.enum(DOCUMENT_SECTIONS), text: z.string() })),
    drop: z.array(z.string()),
  }),
  createdAt: z.string(),
})
export type DocumentVersion = z.infer<typeof documentVersionSchema>

/** R = lambda_corr R_corr + lambda_ret R_ret (BREW eq. 6 to 8), each in [0, 1]. */
export const rewardSchema = z.object({
  total: z.number(),
  correctness: z.number(),
  retrieval: z.number(),
})
export type Reward = z.infer<typeof rewardSchema>

/** A node's held-out query: the rollout that scored it, and where its document stood among those found. */
export const evaluationSchema = z.object({
  taskId: z.string(),
  trajectoryId: z.string(),
  reward: z.union([z.literal(0), z.literal(1)]),
  /** 1 / rank of the document; 0 when there is no document. Absent where another concept is nearer, so that it need not be found. */
  reciprocalRank: z.number().min(0).max(1).optional(),
})
export type Evaluation = z.infer<typeof evaluationSchema>

/** A state of a concept's search tree, as it was scored. Ids are `<concept id>:<path>`, the root's path being empty. */
export const treeNodeSchema = z.object({
  id: z.string().min(1),
  conceptId: z.string().min(1),
  parent: z.string().nullable(),
  depth: z.number().int().nonnegative(),
  /** The iteration it was made in, 0 for roots. */
  iteration: z.number().int().nonnegative(),
  /** Null where the integrator wrote nothing usable (only at a root). */
  versionId: z.string().nullable(),
  reward: rewardSchema,
  evaluations: z.array(evaluationSchema),
  /** Insights of its concept that its document says, and words in it that stand in none. Default: not counted. */
  said: z.number().int().nonnegative().optional(),
  unsourced: z.number().int().nonnegative().optional(),
  at: z.string(),
})
export type TreeNode = z.infer<typeof treeNodeSchema>

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
export const kbScoreSchema = z.object({ correctness: z.number(), mrr: z.number() })
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

export const buildStatusSchema = z.enum(['unfinished', 'running', 'concepts', 'done'])

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

/** A node with what the search makes of it. */
export const treeViewNodeSchema = treeNodeSchema.extend({
  /** N(s) and the mean of the rewards backed up to it. */
  visits: z.number().int(),
  meanReward: z.number(),
  /** From the root to the best document. */
  onBestPath: z.boolean(),
})
export type TreeViewNode = z.infer<typeof treeViewNodeSchema>

/** The tree of one concept. */
export const conceptTreeSchema = z.object({
  concept: conceptSchema,
  nodes: z.array(treeViewNodeSchema),
  /** The node whose document won so far; null when the concept has none. */
  best: z.string().nullable(),
})
export type ConceptTree = z.infer<typeof conceptTreeSchema>

/** Whether a version is what agents read. `proposed`: it won a search and waits for a person. `candidate`: a node's document that did not win or was not decided upon. */
export const versionStateSchema = z.enum(['current', 'proposed', 'earlier', 'rejected', 'candidate'])

/** A version, where it stands, and what it scored in its search; null when a person wrote it. */
export const versionViewSchema = z.object({
  version: documentVersionSchema,
  state: versionStateSchema,
  reward: rewardSchema.nullable(),
})
export type VersionView = z.infer<typeof versionViewSchema>

/** A concept's document as it is listed. */
export const documentInfoSchema = z.object({
  conceptId: z.string(),
  concept: z.string(),
  environment: z.string(),
  /** Null when none was accepted yet, or every one rejected. */
  current: documentVersionSchema.nullable(),
  /** What the last search proposes instead; null when nothing waits. */
  proposed: documentVersionSchema.nullable(),
  /** What the current version scored in its search; null when there is none or a person wrote it. */
  reward: rewardSchema.nullable(),
  /** Versions, candidates of a search left out. */
  versions: z.number().int(),
})
export type DocumentInfo = z.infer<typeof documentInfoSchema>

/** A rollout with what judge and reflector made of it; null for one that only scored a document. */
export const rolloutViewSchema = z.object({
  trajectory: trajectorySchema,
  findings: z
    .object({
      scores: z.array(rubricScoreSchema).nullable(),
      insights: z.array(insightSchema),
      /** Why there are no scores or no insights; null when there are both. */
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type RolloutView = z.infer<typeof rolloutViewSchema>

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
export const buildProgressSchema = z.object({
  stage: z.enum(['rollouts', 'concepts', 'roots', 'search', 'scoring']),
  done: z.number().int(),
  total: z.number().int(),
  activity: z.string(),
})
export type BuildProgress = z.infer<typeof buildProgressSchema>
