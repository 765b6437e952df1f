import { z } from 'zod'
import { kbDecisionSchema } from './experience'

/** Tokens and time one or more model calls took. `reused` counts prompt tokens answered from the kept prefix. */
export const usageSchema = z.object({
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  reusedTokens: z.number().int().nonnegative(),
  /** Wall time in milliseconds. */
  ms: z.number().nonnegative(),
})
export type Usage = z.infer<typeof usageSchema>

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, reusedTokens: 0, ms: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  reusedTokens: a.reusedTokens + b.reusedTokens,
  ms: a.ms + b.ms,
})

/** One thing a method put into the prompt, and why it was chosen. */
export const recalledItemSchema = z.object({
  kind: z.enum([
    'case',
    'trajectory',
    'lesson',
    'workflow',
    'note',
    'summary',
    'experience',
    'document',
    'soft-prompt',
  ]),
  id: z.string(),
  /** The trajectory it came from, for the link back; null when there is none. */
  trajectoryId: z.string().nullable(),
  /** Short text a person recognises it by. */
  title: z.string(),
  /** The method's own ranking score (cosine, Q, recency); null when the method does not score. */
  score: z.number().nullable(),
  /** How the score came about: `cosine`, `bm25`, `hybrid`, `recency`, `activation`, `link`, `q`. */
  scoreKind: z.string(),
  /** What a learned score is made of: (1 - weight) similarity + weight value. Absent where nothing is learned. */
  blend: z
    .object({
      /** Cosine in [-1, 1]. */
      similarity: z.number(),
      /** The learned value (Memento's Q). */
      value: z.number(),
      /** How far the value is trusted, 0 to 1; 0 before there is anything to learn from. */
      weight: z.number().min(0).max(1),
    })
    .optional(),
  /** Reward of the remembered attempt, 0 or 1; null when it has none. */
  reward: z.number().nullable(),
  /** Tokens it took in the prompt, by the running model's tokenizer. */
  tokens: z.number().int().nonnegative(),
})
export type RecalledItem = z.infer<typeof recalledItemSchema>

/** One exchange: what the agent wrote, the action read from it, and what the environment answered. */
export const roundSchema = z.object({
  index: z.number().int().nonnegative(),
  completion: z.string(),
  action: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('operation'), content: z.string() }),
    z.object({ kind: z.literal('answer'), content: z.string() }),
    z.object({ kind: z.literal('invalid'), reason: z.string() }),
  ]),
  /** What the environment said back; null when the round ended the attempt. */
  observation: z.string().nullable(),
  /** What the method added to the observation (a feedback stage); absent when nothing. */
  guidance: z.string().optional(),
  usage: usageSchema,
})
export type Round = z.infer<typeof roundSchema>

/**
 * How an attempt ended. `completed`: the agent answered. `round-limit`: no answer in time.
 * `invalid-action`: a reply in no known form. `context-overflow`: the prompt did not fit (the paper's OOM).
 * `output-limit`: a reply was cut at its token budget.
 */
export const finishSchema = z.enum([
  'completed',
  'round-limit',
  'invalid-action',
  'context-overflow',
  'output-limit',
])
export type Finish = z.infer<typeof finishSchema>

/** One attempt at one task. Everything Loam learns comes from these and links back to them. */
export const trajectorySchema = z.object({
  id: z.string(),
  runId: z.string(),
  spaceId: z.string(),
  task: z.object({
    id: z.string(),
    index: z.number().int().nonnegative(),
    environment: z.string(),
    instruction: z.string(),
    /** What the environment showed with the instruction (for a database: its tables). */
    context: z.string(),
    skills: z.array(z.string()),
  }),
  method: z.string(),
  model: z.string(),
  seed: z.number().int(),
  recalled: z.array(recalledItemSchema),
  rounds: z.array(roundSchema),
  finish: finishSchema,
  /** 1 solved, 0 not. */
  reward: z.union([z.literal(0), z.literal(1)]),
  /** Why nobody could judge the attempt (a judge out of reach, no known answer); its reward is then 0 and nothing is learned from it. */
  ungraded: z.string().min(1).optional(),
  /** The rounds' own. */
  usage: usageSchema,
  /** Each pass of Agent KB's Reason-Retrieve-Refine, in order; absent for other methods. */
  decisions: z.array(kbDecisionSchema).optional(),
  /** Model calls made to decide what to recall; absent when there were none. */
  recallUsage: usageSchema.optional(),
  /** Model calls made to learn from the attempt; absent when there were none. */
  learnUsage: usageSchema.optional(),
  /** ISO time. */
  startedAt: z.string(),
  finishedAt: z.string(),
})
export type Trajectory = z.infer<typeof trajectorySchema>
