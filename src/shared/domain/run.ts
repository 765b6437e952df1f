import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { buildOutcomeSchema } from './guide-build'
import { settingChangesSchema } from './setting'
import { planCycleSchema } from './plan'
import { questionFiguresSchema } from './question-figures'
import { trialResultSchema, untrainedSchema } from './soft-prompt'
import { writingCountSchema } from './writing'
import { roundSchema, trajectorySchema, recalledItemSchema, usageSchema } from './trajectory'
import { verdictSchema } from './verdict'
import { count, figure, instant, integer, milliseconds, share } from './units'
import { BOUNDS, integerIn, numberIn } from './bounds'

/** What several attempts at each task came to. Rates are over all tasks of the run, in [0, 1]. */
export interface ScalingFigures {
  /** Attempts per task, the mean. */
  readonly attempts: number
  /** Share of tasks whose first attempt was solved (pass@1). */
  readonly first: number
  /** Share of tasks whose reported attempt was solved: the chosen one (best of n), or the last. */
  readonly reported: number
  /** Share of tasks that any attempt solved (pass@n): what no choice can pass. */
  readonly any: number
}
const rateSchema = z.number().min(0).max(1)
/** Named, so that the contract's type stays short. */
export const scalingFiguresSchema: z.ZodType<ScalingFigures> = z.object({
  attempts: z.number(),
  first: rateSchema,
  reported: rateSchema,
  any: rateSchema,
})

/** How often a run goes through its stream. See src/core/lab/protocol.ts. */
export const protocolSchema = z
  .strictObject({
    /** Times the whole stream is worked through with the memory kept (Memento's learning iterations). */
    iterations: integerIn(BOUNDS.iterations).default(1),
    /** Sequential passes over what is still unsolved (Agent KB); gives pass@1 to pass@k. */
    passes: integerIn(BOUNDS.passes).default(1),
    /** Iterations and passes after the first are drawn at this temperature, from all tokens, so that a model without memory tries anew too. Default: as the first. */
    againTemperature: numberIn(BOUNDS.temperature).optional(),
    /** Tasks from the start of the stream that are tried once more at the end, to measure forgetting. */
    retest: count.default(0),
    /** The last tasks of those that are taken: attempted once, after all iterations and passes, and learned nothing from (GAIA's test split). Default: none. */
    test: integerIn(BOUNDS.test).optional(),
    /** Skills (datasets, levels) whose tasks come last and are learned nothing from: Memento's out-of-distribution split. Default: none. */
    heldOut: z.array(z.string().min(1)).min(1).optional(),
  })
  .refine(({ iterations, passes }) => iterations === 1 || passes === 1, {
    message: 'Choose either iterations or passes, not both',
  })
export type Protocol = z.infer<typeof protocolSchema>

/** Everything that decides a run. Written once to run.json, never changed. */
export const runConfigSchema = z.object({
  stream: z.string(),
  method: z.string(),
  /** Absolute GGUF path. */
  model: z.string(),
  seed: integer.default(1),
  /** Items recalled per task (Memento's K). Default: the method's own. */
  k: integerIn(BOUNDS.k),
  /** Tasks to take from the start of the stream; null takes all. */
  tasks: integerIn(BOUNDS.tasks).nullable().default(null),
  memoryId: z.string(),
  /** 0 is greedy, and then every seed gives the same run, except where a method learns or draws by itself. */
  temperature: numberIn(BOUNDS.temperature).default(0.2),
  maxTokens: integerIn(BOUNDS.maxTokens).default(512),
  /** Default: once through the stream. */
  protocol: protocolSchema.optional(),
  /** Tokens the model may read at once. Default: what it was trained for, as far as memory allows. */
  contextSize: integerIn(BOUNDS.contextSize).optional(),
  /** The preset that filled in what was left out, as `PRESET` or `PRESET/BENCHMARK`. Absent: none. */
  preset: z.string().min(1).max(80).optional(),
  /** Settings of the methods, by method id; ablations are made here. Default: none changed. */
  settings: settingChangesSchema.default({}),
  /** What its texts are compared by; absent in runs of earlier versions. */
  encoder: z
    .object({
      /** Of the built-in word matcher, a folder, a GGUF file or a server's model. */
      id: z.string(),
      dimension: z.number().int().positive(),
      /** Cosine of texts without relation, the zero of the methods' thresholds. */
      unrelated: share,
      /** Pairs of texts that is the median of, and whose. */
      pairs: count,
      from: z.enum(['space', 'sentences', 'nothing']),
    })
    .optional(),
  /** Absolute path of the soft prompt's adapter that is served in every round. Default: none. */
  softPrompt: z.string().optional(),
  /** What is told of it. */
  softPromptFacts: z.object({ tokens: count, createdAt: instant }).optional(),
})
export type RunConfig = z.infer<typeof runConfigSchema>

export const runStatusSchema = z.enum(['queued', 'running', 'paused', 'done', 'failed', 'cancelled'])
export type RunStatus = z.infer<typeof runStatusSchema>

/** A soft prompt being trained between two tasks of a run. */
export const distillingSchema = z.object({
  /** `distilling`: the teacher acts, attempt by attempt. `training`: step by step. `trying`: held-out tasks, one by one. */
  stage: z.enum(['distilling', 'training', 'trying']),
  done: count,
  total: count,
  /** Loss per token of the newest step, in nats; null before the first. */
  loss: figure,
  /** Milliseconds left of this stage; null until known. */
  etaMs: milliseconds.nullable(),
})
export type Distilling = z.infer<typeof distillingSchema>

/** How far a training is, in a few words. */
export function distillingWords({ stage, done, total, loss }: Distilling): string {
  if (stage === 'distilling')
    return `training a soft prompt: the teacher acts, attempt ${done + 1} of ${total}`
  if (stage === 'trying') return `trying the soft prompt on held-out tasks: ${done + 1} of ${total}`
  return `training a soft prompt: step ${done} of ${total}${loss === null ? '' : `, loss ${loss.toFixed(3)}`}`
}

export const runInfoSchema = z.object({
  id: z.string(),
  config: runConfigSchema,
  status: runStatusSchema,
  /** Why it is paused or failed, in words. */
  problem: loamErrorShape.nullable(),
  createdAt: instant,
  /** The same for runs that were begun as one, and are held and resumed together; absent for others. */
  series: z.string().optional(),
  finishedAt: instant.nullable(),
  total: count,
  done: count,
  solved: count,
  /** 1 or 0 per finished task, in stream order. */
  rewards: z.array(verdictSchema),
  usage: usageSchema,
  /** Milliseconds left at the pace so far; null until known. */
  etaMs: milliseconds.nullable(),
  /** Present while the run trains a soft prompt. */
  distilling: distillingSchema.optional(),
  /** It pauses once the task that it works on is done; absent while nobody wants that. */
  pausing: z.literal(true).optional(),
  /** What it rests for, in words; absent while it does not. */
  resting: z.string().optional(),
  /** Soft prompts that fell due after `due` tasks, whose training failed and which the run went on without; absent when none. */
  untrained: z.array(untrainedSchema).optional(),
  /** How the soft prompts it trained did on held-out tasks, and which of them it is served; absent when none was tried. */
  tried: z.array(trialResultSchema).optional(),
  /** What is worth knowing of its models, in words, e.g. which layout stands in for a missing chat template; absent when nothing is. */
  notes: z.array(z.string()).optional(),
  /** A name a person gave it; absent without one. */
  name: z.string().optional(),
  /** What was wrong with its record and has been put right, in words; absent when nothing was. */
  repaired: z.string().optional(),
  /** What it is doing while it builds its memory from the first tasks; absent else. */
  building: z.string().optional(),
})
export type RunInfo = z.infer<typeof runInfoSchema>

/** A run without its curve: of one size however long the run is. */
export type RunHead = Omit<RunInfo, 'rewards'>

/** The task being worked on right now, as a story. */
export const liveTaskSchema = z.object({
  taskId: z.string(),
  index: integer,
  instruction: z.string(),
  context: z.string(),
  recalled: z.array(recalledItemSchema),
  rounds: z.array(roundSchema),
  /** What the model has written so far in the current round. */
  streaming: z.string(),
  /** The plan tree so far; absent in environments that are acted in. */
  cycles: z.array(planCycleSchema).optional(),
})
export type LiveTask = z.infer<typeof liveTaskSchema>

/** What a run's feed follows. */
export const runSnapshotSchema = z.object({
  run: runInfoSchema,
  /** Null between tasks and while the run does not go. */
  live: liveTaskSchema.nullable(),
  /** The task finished last, as long as it is held. */
  last: trajectorySchema.nullable(),
})
export type RunSnapshot = z.infer<typeof runSnapshotSchema>

/** Means over tasks that came out alike; null where it was not noted. */
export const taskCostSchema = z.object({
  tasks: count,
  /** Rounds per task. */
  steps: figure,
  /** Tool calls per task. Absent in reports of older versions. */
  toolCalls: z.number().nullable().optional(),
  tokens: figure,
})

/** What `loam run --json` ends with. Rates, `tasks`, `solved`, `rewards` and costs leave out tasks that a memory was built from. */
export const runReportSchema = z.object({
  stream: z.string(),
  method: z.string(),
  model: z.string(),
  seed: integer,
  tasks: count,
  solved: count,
  successRate: z.number(),
  /** Success rate over the first and the last third. */
  firstRate: z.number(),
  lastRate: z.number(),
  rewards: z.array(verdictSchema),
  promptTokens: count,
  completionTokens: count,
  reusedTokens: count,
  wallMs: milliseconds,
  memory: z.string(),
  /** Of solved and of failed tasks; null when there are none. */
  solvedCost: taskCostSchema.nullable(),
  failedCost: taskCostSchema.nullable(),
  /** How texts came out that roles were asked for, role by role; absent when none was. */
  writings: z.array(writingCountSchema).optional(),
  /** Of the tasks, those that were attempted without memory; absent where none was. */
  unaided: z.object({ tasks: count, solved: count }).optional(),
  /** Of runs over questions. */
  questions: questionFiguresSchema.optional(),
  /** Where several attempts were made at a task; `solved` and `successRate` count the reported ones. */
  scaling: scalingFiguresSchema.optional(),
  /** The first tasks, which the memory was built from, and what that came to. Absent where a method builds nothing. */
  built: z
    .object({
      tasks: count,
      solved: count,
      /** Of the last build. */
      outcome: buildOutcomeSchema.nullable(),
      /** Prompt and completion tokens of all builds. */
      tokens: count,
    })
    .optional(),
})
export type RunReport = z.infer<typeof runReportSchema>
