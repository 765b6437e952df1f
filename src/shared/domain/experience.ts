import { z } from 'zod'
import { count, figure, instant, integer } from './units'
import { evidenceKindSchema, ruledVerdictSchema } from './verdict'

/** Agent KB's standard action vocabulary: what a step does, whatever the framework calls its tool. */
const ACTION_VERBS = [
  'search',
  'browse',
  'read',
  'write',
  'edit',
  'run',
  'query',
  'ask',
  'think',
  'delegate',
  'answer',
  'other',
] as const
const actionVerbSchema = z.enum(ACTION_VERBS)
export type ActionVerb = z.infer<typeof actionVerbSchema>

/** One action-reasoning pair (a_i, r_i) of S, and what came back. */
const experienceStepSchema = z.object({
  verb: actionVerbSchema,
  /** The framework's own name of the tool; empty when it has none. */
  tool: z.string(),
  /** The action as it was given: a command, a query, arguments. */
  content: z.string(),
  /** Why, in the agent's words; empty when it gave no reason. */
  reason: z.string(),
  /** What the environment answered, shortened; null when there was nothing. */
  observation: z.string().nullable(),
  /** The environment reported an error. */
  failed: z.boolean(),
})
export type ExperienceStep = z.infer<typeof experienceStepSchema>

/** One goal constraint of gamma as predicate(arguments), e.g. `answer-format("number")`. */
export const goalConstraintSchema = z.object({
  predicate: z.enum(['answer-format', 'must-use', 'must-not', 'source', 'limit', 'order', 'time', 'other']),
  arguments: z.array(z.string().min(1)).min(1),
})
export type GoalConstraint = z.infer<typeof goalConstraintSchema>

/** Guidance as the paper stores it: one text, or a list of principles. */
const guidance = z.union([z.string(), z.array(z.string())])
export type Guidance = z.infer<typeof guidance>

/** C: what another framework has to know before it reuses an experience. */
const experienceMetaSchema = z.object({
  /** Where it was made: `smolagents`, `openhands`, `loam`, ... */
  framework: z.string().min(1),
  frameworkVersion: z.string().nullable(),
  /** Tools that were used, by the framework's own names. */
  tools: z.array(z.string()),
  /** Field of work, e.g. `database`, `web`, `code`; `general` fits everywhere. */
  domain: z.string().min(1),
  model: z.string().nullable(),
  outcome: z.enum(['success', 'failure', 'unknown']),
  /** What the outcome was told from, where neither the log nor anybody said it; absent where somebody did. */
  verdict: ruledVerdictSchema.optional(),
  /** The signs of that where somebody said it, or the log; absent where there are none. */
  signs: z.array(evidenceKindSchema).max(40).optional(),
  promptTokens: count.nullable(),
  completionTokens: count.nullable(),
  /** The task's or session's id where it came from. */
  sourceId: z.string().nullable(),
  /** The file it was imported from, without its folder. */
  sourceFile: z.string().nullable(),
  /** SHA-256 of what was imported, secrets already taken out; the same one is never imported twice. */
  contentHash: z.string(),
  /** Which program handed it in; null when it was not handed in. */
  client: z.string().nullable(),
  /** The `metadata` of a data file, as it stood there. */
  extra: z.record(z.string(), z.unknown()),
})
export type ExperienceMeta = z.infer<typeof experienceMetaSchema>

/** What code repair adds (paper, appendix F.1.3). */
const repairHintsSchema = z.object({
  /** Generalizable precautions, the most influential first. */
  hints: z.array(z.string()),
  category: z.string(),
  keywords: z.array(z.string()),
  summary: z.string(),
})

/**
 * An experience unit E = (pi, gamma, S, C) of Agent KB (eq. 1). pi is the embedding of `question` and lies in the
 * search index; gamma is `constraints`, S `steps`, C `meta`.
 */
export const experienceSchema = z.object({
  id: z.string().min(1),
  createdAt: instant,
  question: z.string().min(1),
  constraints: z.array(goalConstraintSchema),
  steps: z.array(experienceStepSchema),
  /** Steps left out from the middle of a long attempt. */
  omittedSteps: count,
  agentPlan: z.string(),
  agentExperience: guidance,
  searchAgentPlan: z.string(),
  searchAgentExperience: guidance,
  repair: repairHintsSchema.nullable(),
  /**
   * `log`: an attempt as it happened. `abstraction`: written by a model from a log. `data-file`: read from an Agent KB file.
   * `submitted`: handed in by another program.
   */
  origin: z.enum(['log', 'abstraction', 'data-file', 'submitted']),
  /** The experience this one was abstracted from; null when none. */
  derivedFrom: z.string().nullable(),
  /** The attempt in this memory it came from; null when it was made elsewhere. */
  trajectoryId: z.string().nullable(),
  meta: experienceMetaSchema,
})
export type Experience = z.infer<typeof experienceSchema>

export const guidanceText = (input: Guidance): string =>
  typeof input === 'string' ? input : input.map((line) => `- ${line}`).join('\n')

/** The three criteria of the ranker, in the paper's order. */
export const RANKING_CRITERIA = ['reasoning', 'completeness', 'transferability'] as const

const vote = z.enum(['candidate', 'existing', 'tie'])
const rankingVerdictSchema = z.object({
  /** Which of the two the model saw first. */
  first: z.enum(['candidate', 'existing']),
  reasoning: vote,
  completeness: vote,
  transferability: vote,
})
export type RankingVerdict = z.infer<typeof rankingVerdictSchema>

/** Why one of two similar experiences was kept: every vote of both orders. */
export const rankingSchema = z.object({
  candidateId: z.string(),
  existingId: z.string(),
  cosine: z.number(),
  /** The threshold tau that was passed. */
  tau: z.number(),
  /** Empty when both were the same text, which needs no model. */
  verdicts: z.array(rankingVerdictSchema),
  winner: z.enum(['candidate', 'existing']),
})
export type Ranking = z.infer<typeof rankingSchema>

export const retrievalModeSchema = z.enum(['text', 'semantic', 'hybrid'])
export type RetrievalMode = z.infer<typeof retrievalModeSchema>

/** Where an experience stands now. */
export const experienceStandingSchema = z.object({
  /** `evicted`: in the trash, for want of room or because a person deleted it. */
  state: z.enum(['live', 'superseded', 'evicted']),
  /** The experience that took its place; null when none did. */
  by: z.string().nullable(),
  why: z.enum(['abstraction', 'duplicate', 'edit', 'budget', 'deleted']).nullable(),
  /** Since when; null while it is live. */
  at: instant.nullable(),
  /** Whether it was compared with the one most similar to it; absent in lines of earlier versions. */
  compared: z.boolean().optional(),
  /** u_j in [0, 1]; 0.5 to begin with. */
  utility: z.number(),
  /** Times it was shown to an agent whose attempt then ended. */
  uses: count,
  lastUsedAt: instant.nullable(),
  /** Other frameworks than its own it helped in. */
  transfers: z.array(z.string()),
  /** u of single statements of its guidance, by what they say, where plans took them over; absent when none did. */
  rules: z.record(z.string(), z.number()).optional(),
  /** The ranking that superseded it, when one did. */
  ranking: rankingSchema.nullable(),
})
export type ExperienceStanding = z.infer<typeof experienceStandingSchema>

export const storedExperienceSchema = z.object({
  experience: experienceSchema,
  standing: experienceStandingSchema,
})
export type StoredExperience = z.infer<typeof storedExperienceSchema>

/** One pass of Reason-Retrieve-Refine, and whether its plan was applied (the disagreement gate). */
export const kbDecisionSchema = z.object({
  stage: z.enum(['planning', 'feedback']),
  /** The round it followed; null while planning. */
  round: integer.nullable(),
  /** What set it off: the task itself, an error the environment reported, the end of a planner's cycle, or the critic. */
  trigger: z.enum(['task', 'environment', 'no-progress', 'cycle', 'critic']),
  /** What was searched for. */
  queries: z.array(z.string()),
  retrieved: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      framework: z.string(),
      score: z.number(),
      textScore: figure,
      semanticScore: figure,
    }),
  ),
  /** The log in short (feedback). */
  summary: z.string(),
  /** Entities mapped, tools substituted, steps moved (planning), or fixes (feedback). */
  adaptations: z.array(z.string()),
  /** rho, the plan before; empty when there was none. */
  plan: z.string(),
  /** rho', the refined plan; empty when none was written. */
  refined: z.string(),
  /** cos(phi(rho), phi(rho')); null when one of the two is missing. */
  cosine: figure,
  beta: z.number(),
  /** Whether the refined plan, or without refinement what was retrieved, reached the agent. */
  applied: z.boolean(),
  /** `gate`: the plans disagree too much. `nothing-found`: no experience fits. `unusable`: the model wrote no plan. */
  why: z.enum(['applied', 'gate', 'nothing-found', 'unusable']),
  /** Tokens by module (the paper's table 6). */
  cost: z.partialRecord(
    z.enum(['reason', 'refine', 'critic']),
    z.object({ promptTokens: count, completionTokens: count }),
  ),
})
export type KbDecision = z.infer<typeof kbDecisionSchema>
