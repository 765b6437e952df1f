import { writingCountSchema } from './writing'
import { z } from 'zod'
import { formerly } from './former-names'
import { kbDecisionSchema } from './experience'
import { planCycleSchema, questionOutcomeSchema } from './plan'
import { trustSchema } from './trust'
import { usageSchema, type Usage } from './usage'
import { verdictSchema } from './verdict'
import { count, figure, instant, integer, share } from './units'

export { addUsage, NO_USAGE, usageSchema, type Usage } from './usage'

/** One thing a method put into the prompt, and why it was chosen. */
export const recalledItemSchema = z.object({
  /** A kind of memory, or `trajectory` for an attempt shown as it was. */
  kind: z.string().min(1),
  id: z.string(),
  /** The trajectory it came from, for the link back; null when there is none. */
  trajectoryId: z.string().nullable(),
  /** Short text a person recognises it by. */
  title: z.string(),
  /** The method's own ranking score (cosine, Q, recency); null when the method does not score. */
  score: figure,
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
      weight: share,
    })
    .optional(),
  /** What a learned policy saw of it, by name of the feature, and what each added to the log-odds of success. Absent for other methods. */
  why: z
    .object({ features: z.record(z.string(), z.number()), parts: z.record(z.string(), z.number()) })
    .optional(),
  /** A person pinned it, so it came before better scored ones. */
  pinned: z.literal(true).optional(),
  /** Reward of the remembered attempt, 0 or 1; null when it has none. */
  reward: figure,
  /** Where it comes from and who stands for it; absent where that was not kept. */
  trust: trustSchema.optional(),
  /** Rules told that it was solved, and nobody has confirmed it. */
  unproven: z.literal(true).optional(),
  /** Tokens it took in the prompt, by the running model's tokenizer. */
  tokens: count,
})
export type RecalledItem = z.infer<typeof recalledItemSchema>

/** How a learned policy chose what to recall. */
const recallChoiceSchema = z.object({
  /** Tokens that could be used, and that were. */
  budget: count,
  tokens: count,
  /** Candidates that were looked at. */
  candidates: count,
  /** The probability of success that was expected, with nothing shown and with what was chosen. */
  without: share,
  expected: share,
  /** What came close, best first: what it would have added as it stood, less the price of its tokens. */
  runnersUp: z.array(
    z.object({
      kind: z.string().min(1),
      id: z.string(),
      title: z.string(),
      value: z.number(),
      tokens: count,
      parts: z.record(z.string(), z.number()),
    }),
  ),
})
export type RecallChoice = z.infer<typeof recallChoiceSchema>

/** Who answers the agent: the user of a conversation, a tool it called, or a world of another kind. */
const speakerSchema = z.enum(['user', 'tool', 'environment'])
export type Speaker = z.infer<typeof speakerSchema>

/** One exchange: what the agent wrote, the action read from it, and what the environment answered. */
export const roundSchema = z.object({
  index: count,
  /** What it wrote, without thoughts; a native call in its text form. */
  completion: z.string(),
  /** What it thought before it wrote; shown to people alone. */
  thought: z.string().min(1).optional(),
  /** The native call, where the model made one, and what it said with it. */
  call: z
    .object({
      id: z.string(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      said: z.string(),
    })
    .optional(),
  /** Set where the reply named no action and was taken as it stands, for an answer or for something said to the user. */
  plain: z.literal(true).optional(),
  action: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('operation'), content: z.string() }),
    z.object({ kind: z.literal('answer'), content: z.string() }),
    /** Something said to the user in a conversation. */
    z.object({ kind: z.literal('message'), content: z.string() }),
    z.object({ kind: z.literal('invalid'), reason: z.string() }),
  ]),
  /** What the environment said back; null when the round ended the attempt, and where `cycles` tells what followed. */
  observation: z.string().nullable(),
  /** Set where the environment reported an error, or the reply was no action. */
  failed: z.literal(true).optional(),
  /** The action was not done: what is known to make such an action fail was told instead. */
  isHeld: z.literal(true).optional(),
  /** The beliefs that were told of the action before it was done, by id. */
  heldBy: z.array(z.string()).optional(),
  /** Whose words the observation is; absent where it is a database's. */
  from: speakerSchema.optional(),
  /** What the method added to the observation (a feedback stage); absent when nothing. */
  guidance: z.string().optional(),
  /** What a person said while the agent worked, taken in before this reply; absent when nothing. */
  heard: z.string().min(1).optional(),
  /** Milliseconds until its first word came; absent where nobody watched. */
  firstMs: z.number().nonnegative().optional(),
  usage: usageSchema,
})
export type Round = z.infer<typeof roundSchema>

/**
 * How an attempt ended. `completed`: the agent answered. `round-limit`: no answer in time.
 * `invalid-action`: a reply in no known form. `context-overflow`: the prompt did not fit (the paper's OOM).
 * `output-limit`: a reply was cut at its token budget. `budget`: the task's tokens or time were used up. `stopped`: by a
 * person, or because Loam ended, while something was written.
 */
export const finishSchema = z.enum([
  'completed',
  'round-limit',
  'invalid-action',
  'context-overflow',
  'output-limit',
  'budget',
  'stopped',
])
export type Finish = z.infer<typeof finishSchema>

/** One part of a grade, for display; the reward alone decides. */
const scoreSchema = z.object({
  /** What was looked at, in plain words. */
  name: z.string(),
  /** 0 to 1. */
  value: share,
  /** What was missing or wrong; absent when nothing was. */
  detail: z.string().optional(),
})
export type Score = z.infer<typeof scoreSchema>

/** Several attempts that were made at one task (test-time scaling), in the order they were made. */
export interface Scaling {
  /** Independent of each other, or each going over the one before. */
  how: 'parallel' | 'sequential'
  /** `measured`: what the reward really was, where something else was told. `usage`: of its rounds and of what was asked before it. */
  attempts: { reward: 0 | 1; measured?: 0 | 1 | undefined; finish: Finish; rounds: Round[]; usage: Usage }[]
  /** Which of them the trajectory is: its rounds, its reward. */
  reported: number
  /** Why that one: the first (pass@1), the one the model chose without knowing the verdicts (best of n), the last going over. */
  by: 'first' | 'choice' | 'last'
  /** What all attempts but the reported one and the choice took. */
  usage: Usage
}
/** Named, so that the contract's type stays short. */
const scalingSchema: z.ZodType<Scaling> = z.object({
  how: z.enum(['parallel', 'sequential']),
  attempts: z
    .array(
      z.object({
        reward: verdictSchema,
        measured: verdictSchema.optional(),
        finish: finishSchema,
        rounds: z.array(roundSchema),
        usage: usageSchema,
      }),
    )
    .min(1),
  reported: count,
  by: z.enum(['first', 'choice', 'last']),
  usage: usageSchema,
})

const currentTrajectorySchema = z.object({
  id: z.string(),
  runId: z.string(),
  memoryId: z.string(),
  task: z.object({
    id: z.string(),
    index: count,
    environment: z.string(),
    instruction: z.string(),
    /** What the environment showed with the instruction (for a database: its tables). */
    context: z.string(),
    /** The one place that the task shares with others, where it says so. */
    world: z.string().optional(),
    skills: z.array(z.string()),
  }),
  method: z.string(),
  model: z.string(),
  seed: integer,
  recalled: z.array(recalledItemSchema),
  /** How that was chosen, where a learned policy did; absent for other methods. */
  choice: recallChoiceSchema.optional(),
  rounds: z.array(roundSchema),
  finish: finishSchema,
  /** Why it ended without an answer, in words; only where `finish` does not say it all. */
  reason: z.string().min(1).optional(),
  /** The plan tree of planner and executor; absent in environments that are acted in. Its last plan is the case's action. */
  cycles: z.array(planCycleSchema).optional(),
  /** For questions: the answer and how it compares. */
  question: questionOutcomeSchema.optional(),
  /** 1 solved, 0 not. */
  reward: verdictSchema,
  /** Why nobody could judge the attempt (a judge out of reach, no known answer); its reward is then 0 and nothing is learned from it. */
  ungraded: z.string().min(1).optional(),
  /** The attempt at an ask that this is the verdict on: a later verdict on the same takes its place where uses are counted. */
  verdictOn: z.string().optional(),
  /** Who says how it ended, in words; absent: its environment does, or, of older ones, whoever their scores name. */
  judgedBy: z.string().min(1).optional(),
  /** Text that nobody checked and that was recalled or read in it, by where it is from; absent where there was none. */
  read: z.array(z.string()).optional(),
  /**
   * What the reward really was, where the agent was told another or none. For figures alone: whatever learns or recalls reads `reward`.
   */
  measured: verdictSchema.optional(),
  /**
   * How far its reward counts while nobody has confirmed it, in [0, 1]: a success that rules told from signs. Absent for all that is proven. Whatever
   * is trained on attempts leaves it out.
   */
  probation: share.optional(),
  /** The task only tests (`protocol.heldOut`): nothing may be learned from the attempt, and it is shown to no later one. */
  heldOut: z.literal(true).optional(),
  /** It was made without memory, so that a run sees whether memory does harm. */
  unaided: z.literal(true).optional(),
  /** What the grade is made of; absent where there are no parts. */
  scores: z.array(scoreSchema).optional(),
  /** The rounds' own. */
  usage: usageSchema,
  /** The attempts it was chosen from; absent where one was made. */
  scaling: scalingSchema.optional(),
  /** Each pass of Agent KB's Reason-Retrieve-Refine, in order; absent for other methods. */
  decisions: z.array(kbDecisionSchema).optional(),
  /** Model calls made to decide what to recall; absent when there were none. */
  recallUsage: usageSchema.optional(),
  /** Model calls made to learn from the attempt; absent when there were none. */
  learnUsage: usageSchema.optional(),
  /** Parts of `learnUsage`, where the method tells them apart. */
  learnModules: z.partialRecord(z.enum(['abstraction', 'ranker']), usageSchema).optional(),
  /** How the texts came out that were asked for to recall and to learn; absent when none was. */
  writings: z.array(writingCountSchema).optional(),
  /** What training the soft prompt took that this attempt is the first to be served; absent when none was trained before it. */
  distilUsage: usageSchema.optional(),
  /** ISO time. */
  startedAt: instant,
  finishedAt: instant,
})

/** One attempt at one task. Everything Loam learns comes from these and links back to them. */
export const trajectorySchema = formerly({ spaceId: 'memoryId' }, currentTrajectorySchema)
export type Trajectory = z.infer<typeof currentTrajectorySchema>
