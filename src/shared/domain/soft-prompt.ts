import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { usageSchema } from './trajectory'
import { verdictSchema } from './verdict'
import { bytes, count, figure, instant, integer, milliseconds, share } from './units'
import { BOUNDS, integerIn } from './bounds'

/** How a soft prompt is trained. Defaults are what its documentation reports on. */
export const trainingSettingsSchema = z.strictObject({
  /** Tokens of the soft prompt (EvoSC: 20). */
  length: integerIn(BOUNDS.length).default(20),
  /** Most optimizer steps; as a rule it ends earlier, when the held-out part gains no more. */
  steps: integerIn(BOUNDS.steps).default(100),
  /** Sequences per step. */
  batch: z.number().int().min(1).max(256).default(8),
  /** Peak learning rate, in units of the embeddings' root mean square: small and large models then behave alike. */
  learningRate: z.number().positive().max(10).default(0.3),
  /** Share of the steps in which the rate rises to its peak. */
  warmUp: share.default(0.05),
  /** Share of the peak rate left at the end. */
  rateFloor: share.default(0.1),
  /** Longest gradient (Euclidean, mean over the step's tokens); longer ones are shortened. */
  clip: z.number().positive().default(1),
  weightDecay: share.default(0),
  /** Share of the attempts that is only looked at, never learned from. */
  holdOut: z.number().min(0).max(0.5).default(0.15),
  /** Steps between two looks at the held-out part. */
  lookEvery: z.number().int().min(1).default(5),
  /** Looks in a row without progress after which training ends. */
  patience: z.number().int().min(1).default(6),
  seed: integer.default(1),
})
export type TrainingSettings = z.infer<typeof trainingSettingsSchema>

/** One point of a loss curve. Losses are mean cross-entropy per token of the actions, in nats. */
export const lossPointSchema = z.object({
  step: integer,
  /** Of this step's sequences, before the step. */
  loss: z.number(),
  /** Of the held-out part, at steps where it was looked at. */
  heldOutLoss: figure,
  rate: z.number(),
})
export type LossPoint = z.infer<typeof lossPointSchema>

const trainingOutcomeSchema = z.object({
  /** Mean loss over the training part before the first step and with the rows that were kept. */
  initialLoss: z.number(),
  finalLoss: z.number(),
  /** The same over the held-out part; null when nothing was held out. */
  initialHeldOutLoss: figure,
  heldOutLoss: figure,
  /** Steps that were taken, and the step whose rows were kept. */
  steps: count,
  bestStep: integer,
  /** Why it ended. */
  ended: z.enum(['all-steps', 'no-more-progress']),
  wallMs: milliseconds,
  curve: z.array(lossPointSchema),
})
export type TrainingOutcome = z.infer<typeof trainingOutcomeSchema>

const playedSchema = z.object({
  reward: verdictSchema,
  /** Tokens of all prompts of the attempt. */
  promptTokens: count,
})

/** One task played twice with no cases in the prompt: without the soft prompt and with it. */
export const comparedTaskSchema = z.object({
  id: z.string(),
  index: integer,
  instruction: z.string(),
  without: playedSchema,
  with: playedSchema,
})
export type ComparedTask = z.infer<typeof comparedTaskSchema>

/** How a run's soft prompt did on tasks that were held out, with all else that was in the prompt then. Decides whether it is served. */
const trialSchema = z.object({
  at: instant,
  tasks: z.array(comparedTaskSchema),
  /** Mean of reward with it less reward without it. */
  gain: z.number(),
  /** 95 % interval of the gain; null where it is not known. */
  ci95: z.tuple([z.number(), z.number()]).nullable(),
  /** What playing them took. */
  usage: usageSchema,
  /** Whether it is served: the whole interval is above 0. */
  served: z.boolean(),
})
export type Trial = z.infer<typeof trialSchema>

/** A trial without its tasks, as a run keeps it. */
export const trialResultSchema = z.object({
  /** Tasks of the run that were done when the soft prompt fell due. */
  due: count,
  tasks: count,
  /** Of them solved. */
  without: count,
  with: count,
  ...trialSchema.pick({ gain: true, ci95: true, served: true }).shape,
})
export type TrialResult = z.infer<typeof trialResultSchema>

/** A soft prompt that fell due after `due` tasks of a run, and was not trained. */
export const untrainedSchema = z.object({ due: integer, problem: loamErrorShape })
export type Untrained = z.infer<typeof untrainedSchema>

/** A trial without its tasks and without when it was. */
export const trialFigures = ({ tasks, gain, ci95, served }: Trial): Omit<TrialResult, 'due'> => ({
  tasks: tasks.length,
  without: tasks.reduce((sum, { without }) => sum + without.reward, 0),
  with: tasks.reduce((sum, one) => sum + one.with.reward, 0),
  ...{ gain, ci95, served },
})

/** A trial as a run keeps it. */
export const trialResult = (due: number, trial: Trial): TrialResult => ({ due, ...trialFigures(trial) })

/** With fewer held-out tasks no 95 % interval lies above 0, however they go. */
export const LEAST_TRIED = 6

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`

/** How many held-out tasks were solved without and with it, in words that go on a sentence. */
export function heldOutWords(trial: Omit<TrialResult, 'due' | 'served'>): string {
  const { tasks, without, with: solved, gain, ci95 } = trial
  const between = ci95 ? `, 95 % interval ${signed(ci95[0])} to ${signed(ci95[1])}` : ''
  const few = tasks < LEAST_TRIED ? ` It takes at least ${LEAST_TRIED} to say more.` : ''
  const of = tasks === 1 ? 'the one held-out task' : `${tasks} held-out tasks`
  return `of ${of} ${without} ${without === 1 ? 'was' : 'were'} solved without it, ${solved} with it (${signed(gain)}${between}).${few}`
}

/** What a trial says, in one sentence. */
export function trialWords({ due, served, ...trial }: TrialResult): string {
  const what = `The soft prompt trained after ${due} tasks`
  return trial.tasks === 0
    ? `${what} stays on the shelf: no task was held out to try it on.`
    : `${what} ${served ? 'is served' : 'stays on the shelf'}: ${heldOutWords(trial)}`
}

/** A replay of tasks that were not learned from; greedy, so playing it again gives the same. */
const comparisonSchema = z.object({ at: instant, stream: z.string(), tasks: z.array(comparedTaskSchema) })
export type Comparison = z.infer<typeof comparisonSchema>

/** The device that was to train, and why it could not. */
export const insteadSchema = z.object({ of: z.string(), why: z.string() })
export type Instead = z.infer<typeof insteadSchema>

/** Why the processor trained, in one sentence. */
export const insteadWords = ({ of, why }: Instead): string =>
  `On the processor, in the place of ${of.toUpperCase()}: ${why}`

/** What lies beside an adapter GGUF as JSON and says where it came from and where it fits. */
export const softPromptSchema = z.object({
  format: z.literal(1),
  kind: z.literal('loam-soft-prompt'),
  createdAt: instant,
  /** The environment whose prompts it belongs to; null for one that was made by hand. */
  environment: z.string().nullable(),
  space: z.string().nullable(),
  /** File name of the adapter, beside this file, and its checksum. */
  adapter: z.string(),
  adapterSha256: z.string(),
  baseModel: z.object({
    name: z.string(),
    architecture: z.string(),
    sha256: z.string(),
    sizeBytes: bytes,
    width: count,
    vocabulary: count,
  }),
  /** The tokens whose embeddings it sets, in the order in which a prompt begins with them. */
  reservedIds: z.array(integer),
  /** Their names, where text can name all of them; else null. */
  reservedTokens: z.array(z.string()).nullable(),
  /** Successful attempts shown to the teacher and to the student. */
  teacher: integer,
  student: integer,
  /** Whether the teacher's tokens were learned or its distributions over its K likeliest tokens. */
  objective: z.union([z.literal('tokens'), z.object({ topK: integer, caution: z.number().optional() })]),
  settings: trainingSettingsSchema,
  /** What the teacher's calls took. Absent in those of older versions. */
  teacherUsage: usageSchema.optional(),
  /** Fewest attempts the teacher was shown at once, where not all of E_many fit into its context. Absent: all fit. */
  teacherShown: z.number().int().positive().optional(),
  /** Ids of the attempts it learned from, and of those held out. */
  trajectories: z.array(z.string()),
  heldOut: z.array(z.string()),
  /** How many of all those had failed and were solved by a second try. Absent: none was made. */
  retried: count.optional(),
  outcome: trainingOutcomeSchema,
  /** Where it was to be trained, and why the processor did it. Absent: it was trained where it was to be. */
  instead: insteadSchema.optional(),
  /** Adapter it was trained on from; absent when it began from tokens of what it learned. */
  begunFrom: z.string().optional(),
  /** What decided whether the run that trained it was served it. Absent in those that no run trained, and where no task was held out. */
  trial: trialSchema.optional(),
  /** What it did for tasks it had not learned from. Absent until it was tried. */
  comparison: comparisonSchema.optional(),
  /** A name a person gave it, and when. Absent without one. */
  label: z.string().min(1).optional(),
  labelledAt: instant.optional(),
})
export type SoftPrompt = z.infer<typeof softPromptSchema>
