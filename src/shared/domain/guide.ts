import { z } from 'zod'
import { trajectorySchema } from './trajectory'
import { verdictSchema } from './verdict'
import { count, instant, share } from './units'

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
export const guideTextSchema = z.object({
  context: z.string(),
  howToUse: z.string().min(1),
  whenToUse: z.string(),
  bestPractices: z.string(),
})
export type GuideText = z.infer<typeof guideTextSchema>
export const GUIDE_SECTIONS = ['context', 'howToUse', 'whenToUse', 'bestPractices'] as const
export type GuideSection = (typeof GUIDE_SECTIONS)[number]

/** A sentence-level insight of the reflector and where it comes from (BREW eq. 1). */
export const insightSchema = z.object({
  id: z.string().min(1),
  /** The concept as the reflector named it. */
  concept: z.string().min(1),
  text: z.string().min(1),
  /** The rollout it was drawn from, and that rollout's task and label. */
  trajectoryId: z.string(),
  taskId: z.string(),
  reward: verdictSchema,
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
const sentenceSchema = z.object({
  section: z.enum(GUIDE_SECTIONS),
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
export const guideVersionSchema = z.object({
  id: z.string().min(1),
  conceptId: z.string().min(1),
  /** The concept's name when it was written: the document's title. */
  concept: z.string().min(1),
  environment: z.string(),
  /** Null when a person wrote it. */
  buildId: z.string().nullable(),
  /** The version it was made from. */
  parent: z.string().nullable(),
  text: guideTextSchema,
  sentences: z.array(sentenceSchema),
  /** Particulars of the parent, and insights, that are missing here although the integrator was asked again: they found no room. */
  lost: z.array(z.string()),
  /** Sentences of the parent and insights that the integrator left out and that were put back word for word. Default: none. */
  putBack: z.array(z.string()).optional(),
  /** Sentences of a person that had to be put back, and ones they removed that had to be taken out again. */
  restored: z.array(z.string()),
  /** What a person added (kept word for word by every later search) and removed (never comes back). */
  constraints: z.object({
    keep: z.array(z.object({ section: z.enum(GUIDE_SECTIONS), text: z.string() })),
    drop: z.array(z.string()),
  }),
  createdAt: instant,
})
export type GuideVersion = z.infer<typeof guideVersionSchema>

/** R = lambda_corr R_corr + lambda_ret R_ret (BREW eq. 6 to 8), each in [0, 1]. */
const rewardSchema = z.object({ total: z.number(), correctness: z.number(), retrieval: z.number() })
export type Reward = z.infer<typeof rewardSchema>

/** A node's held-out query: the rollout that scored it, and where its document stood among those found. */
export const evaluationSchema = z.object({
  taskId: z.string(),
  trajectoryId: z.string(),
  reward: verdictSchema,
  /** 1 / rank of the document; 0 when there is no document. Absent where another concept is nearer, so that it need not be found. */
  reciprocalRank: share.optional(),
})
export type Evaluation = z.infer<typeof evaluationSchema>

/** A state of a concept's search tree, as it was scored. Ids are `<concept id>:<path>`, the root's path being empty. */
export const treeNodeSchema = z.object({
  id: z.string().min(1),
  conceptId: z.string().min(1),
  parent: z.string().nullable(),
  depth: count,
  /** The iteration it was made in, 0 for roots. */
  iteration: count,
  /** Null where the integrator wrote nothing usable (only at a root). */
  versionId: z.string().nullable(),
  reward: rewardSchema,
  evaluations: z.array(evaluationSchema),
  /** It fell behind in a race, so that some of its concept's queries were not played. Default: all were. */
  stopped: z.literal(true).optional(),
  /** Insights of its concept that its document says, and words in it that stand in none. Default: not counted. */
  said: count.optional(),
  unsourced: count.optional(),
  at: instant,
})
export type TreeNode = z.infer<typeof treeNodeSchema>

/** A node with what the search makes of it. */
const treeViewNodeSchema = treeNodeSchema.extend({
  /** N(s) and the mean of the rewards backed up to it. */
  visits: count,
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
const versionStateSchema = z.enum(['current', 'proposed', 'earlier', 'rejected', 'candidate'])

/** A version, where it stands, and what it scored in its search; null when a person wrote it. */
export const versionViewSchema = z.object({
  version: guideVersionSchema,
  state: versionStateSchema,
  reward: rewardSchema.nullable(),
})
export type VersionView = z.infer<typeof versionViewSchema>

/** A concept's document as it is listed. */
export const guideInfoSchema = z.object({
  conceptId: z.string(),
  concept: z.string(),
  environment: z.string(),
  /** Null when none was accepted yet, or every one rejected. */
  current: guideVersionSchema.nullable(),
  /** What the last search proposes instead; null when nothing waits. */
  proposed: guideVersionSchema.nullable(),
  /** What the current version scored in its search; null when there is none or a person wrote it. */
  reward: rewardSchema.nullable(),
  /** Versions, candidates of a search left out. */
  versions: count,
})
export type GuideInfo = z.infer<typeof guideInfoSchema>

/** A rollout with what judge and reflector made of it; null for one that only scored a document. */
export const trajectoryViewSchema = z.object({
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
export type TrajectoryView = z.infer<typeof trajectoryViewSchema>
