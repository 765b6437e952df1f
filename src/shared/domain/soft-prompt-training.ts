import { z } from 'zod'
import { formerly } from './former-names'
import { loamErrorShape } from './error-shape'
import {
  comparedTaskSchema,
  insteadSchema,
  lossPointSchema,
  softPromptSchema,
  trainingSettingsSchema,
} from './soft-prompt'
import { bytes, count, figure, instant, integer, milliseconds } from './units'
import { BOUNDS, integerIn } from './bounds'

/** Which tasks are replayed without and with a soft prompt. Tasks it was made from are never among them. */
export const comparisonChoiceSchema = z.object({
  /** Bundled name or path. Default: the stream it was trained for. */
  stream: z.string().optional(),
  /** How many; 0 for none. */
  tasks: integerIn(BOUNDS.compared).default(20),
  /** Position of the first one in the stream, from 0; null takes the last ones of the stream. */
  from: count.nullable().default(null),
})
export type ComparisonChoice = z.infer<typeof comparisonChoiceSchema>

/** Where ggml may compute. */
export const trainerBackendSchema = z.enum(['cpu', 'cuda', 'vulkan', 'metal'])
export type TrainerBackend = z.infer<typeof trainerBackendSchema>

/** How much of the past teacher and student are shown, under a name. */
export interface ShownPreset {
  readonly id: 'usual' | 'paper' | 'inside'
  readonly title: string
  readonly teacher: number
  readonly student: number
}

/** The first one is what is chosen when nothing is. */
export const SHOWN_PRESETS: readonly [ShownPreset, ...ShownPreset[]] = [
  { id: 'usual', title: '20 to 4: as runs show them', teacher: 20, student: 4 },
  { id: 'paper', title: '20 to 8: as in the paper', teacher: 20, student: 8 },
  { id: 'inside', title: '32 to 20: 12 go inside, 20 stay in the prompt', teacher: 32, student: 20 },
]

/** What a person chooses for a consolidation; everything left out has a default. */
export const trainInputSchema = z.object({
  /** Id or absolute folder of the memory whose successes are distilled. */
  memory: z.string(),
  /** Bundled name or path of a stream; says which environment it is for. */
  stream: z.string(),
  /** Absolute GGUF path. Default: the bundled demo model. */
  model: z.string().optional(),
  /** Successes shown to the teacher and to the student. Default: the first of `SHOWN_PRESETS`. */
  teacher: integerIn(BOUNDS.teacher).optional(),
  student: integerIn(BOUNDS.student).optional(),
  /** Most attempts learned from, spread over their skills, newest first. Default 100. */
  attempts: integerIn(BOUNDS.attempts).optional(),
  /** `recorded` learns what the attempts did, instead of what the teacher would do. Default `teacher`. */
  actions: z.enum(['teacher', 'recorded']).optional(),
  /** Tries failed tasks again, knowing what the failed attempt found out, and learns from those that are then solved. Default false. */
  retry: z.boolean().optional(),
  /** Share of what the model would say by itself in what is learned. Default 0: none, as in the paper. */
  caution: z.number().min(0).max(0.9).optional(),
  /** Learn the teacher's distribution over its K likeliest tokens. Default: its tokens alone. */
  topK: integerIn(BOUNDS.topK).nullable().optional(),
  /** Shows the student lessons as attempts were served them. Default true. */
  lessons: z.boolean().optional(),
  /** Begins from tokens of what is learned, not from the memory's newest soft prompt. Default false. */
  fresh: z.boolean().optional(),
  settings: z.partialRecord(trainingSettingsSchema.keyof(), z.number()).optional(),
  /** Allows an untied copy of a model with tied embeddings to be written. Default false. */
  untie: z.boolean().optional(),
  backend: trainerBackendSchema.optional(),
  /** Whether it is put to use at once. Default true. */
  use: z.boolean().optional(),
  /** What is replayed once it is trained. Default: nothing. */
  compare: comparisonChoiceSchema.optional(),
})
export type TrainInput = z.infer<typeof trainInputSchema>

/** What would be done, before it is. */
export const trainingPlanSchema = z.object({
  environment: z.string(),
  /** Newest first. Held-out ones are looked at and never learned from. */
  attempts: z.array(z.object({ id: z.string(), instruction: z.string(), heldOut: z.boolean() })),
  /** Rounds, each of which the teacher acts in once. */
  rounds: count,
  reservedIds: z.array(integer),
  teacher: integer,
  student: integer,
  settings: trainingSettingsSchema,
  /** Good to about a quarter; the longest sequence is guessed from the attempts' own prompts. */
  estimate: z.object({
    weightBytes: bytes,
    workBytes: bytes,
    transposes: z.enum(['stored-f32', 'stored-bf16', 'on-the-fly']),
    operationsPerSequence: z.number(),
  }),
  /** Bytes of main memory that are free now. */
  freeBytes: bytes,
  time: z.object({
    teacherMs: milliseconds,
    trainingMs: milliseconds,
    /** Whether the training's pace was measured on this machine before; else it is a first guess. */
    measured: z.boolean(),
  }),
  /** Set when the model needs an untied copy first. */
  untie: z.object({ bytes, extraBytes: bytes }).nullable(),
  /** Tasks the comparison would replay. */
  compared: count,
  /** Why it would be refused, with advice; null when nothing is in the way. */
  refusal: loamErrorShape.nullable(),
})
export type TrainingPlan = z.infer<typeof trainingPlanSchema>

const trainingPhaseSchema = z.enum([
  /** Something else has the model. */
  'waiting',
  /** The model is being read. */
  'preparing',
  /** The untied copy is being written. */
  'copying',
  /** The teacher acts. */
  'teaching',
  'training',
  'comparing',
  'done',
  'failed',
  'cancelled',
])

/** What is being done in a memory, or was done last. */
export const trainingWorkSchema = z.object({
  jobId: z.string(),
  memoryId: z.string(),
  kind: z.enum(['training', 'comparison']),
  phase: trainingPhaseSchema,
  /** What has to end first; null unless `waiting`. */
  waitingFor: z.string().nullable(),
  /** Of the phase: bytes, attempts, steps or tasks. */
  done: z.number(),
  total: figure,
  /** Of the phase; null until known. */
  etaMs: milliseconds.nullable(),
  startedAt: instant,
  /** Whether a schedule and not a person began it. */
  scheduled: z.boolean(),
  /** File name of the adapter, once there is one. */
  adapter: z.string().nullable(),
  problem: loamErrorShape.nullable(),
  /** Why the processor trains and not the device that was chosen. Absent: that one does. */
  instead: insteadSchema.optional(),
  curve: z.array(lossPointSchema),
  compared: z.array(comparedTaskSchema),
})
export type TrainingWork = z.infer<typeof trainingWorkSchema>

/** What the feed of a memory follows. */
export const consolidationViewSchema = z.object({
  /** The newest work, ended or not; null before the first. */
  work: trainingWorkSchema.nullable(),
  /** How often the shelf has changed. */
  softPromptList: count,
})
export type ConsolidationView = z.infer<typeof consolidationViewSchema>

/** When a memory is consolidated by itself. */
export const scheduleRuleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manual') }),
  /** As soon as so many tasks were solved that no soft prompt was made from. */
  z.object({ kind: z.literal('solved'), tasks: z.number().int().min(2).max(100_000) }),
  /** When Loam had nothing to do for so long, and at least one task was solved since the last time. */
  z.object({ kind: z.literal('idle'), minutes: z.number().int().min(1).max(10_080) }),
])
export type ScheduleRule = z.infer<typeof scheduleRuleSchema>

export const scheduleSchema = z.object({
  rule: scheduleRuleSchema,
  /** What is then begun; null as long as the rule is `manual`. */
  input: formerly({ space: 'memory' }, trainInputSchema).nullable(),
  /** When it began something last, whatever came of it. */
  lastAt: instant.nullable(),
})
export type Schedule = z.infer<typeof scheduleSchema>

const storedSoftPromptSchema = z.object({
  /** `candidate`: not decided on yet; `earlier`: was in use before. */
  state: z.enum(['in-use', 'candidate', 'earlier']),
  bytes,
  info: softPromptSchema,
})
export type StoredSoftPrompt = z.infer<typeof storedSoftPromptSchema>

/** The soft prompts of a memory and what is arranged for them. */
export const softPromptListViewSchema = z.object({
  /** Newest first. */
  items: z.array(storedSoftPromptSchema),
  /** What was put to use, oldest first; `adapter` null: none from then on. */
  history: z.array(z.object({ environment: z.string(), adapter: z.string().nullable(), at: instant })),
  /** Files that cannot be used, with the reason. */
  damaged: z.array(z.object({ file: z.string(), problem: z.string() })),
  /** A training that stopped before its end and can go on. */
  interrupted: z
    .object({
      at: instant,
      input: trainInputSchema,
      /** Whether the teacher was done. */
      taught: z.boolean(),
      /** Steps that were kept, of how many. */
      step: integer,
      steps: count,
    })
    .nullable(),
  schedule: scheduleSchema,
  /** Different tasks solved since the newest soft prompt. */
  newlySolved: count,
})
export type SoftPromptListView = z.infer<typeof softPromptListViewSchema>

/** Whether a run in a memory would be served a soft prompt. */
export const servedSoftPromptSchema = z.object({
  tokens: count,
  createdAt: instant,
  /** Why the one in use would not be served to this run; null when it would. */
  refusal: z.string().nullable(),
})
export type ServedSoftPromptInfo = z.infer<typeof servedSoftPromptSchema>
