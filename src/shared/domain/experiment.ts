import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { trialResultSchema, untrainedSchema } from './soft-prompt'
import { writingCountSchema } from './writing'
import { questionFiguresSchema } from './question-figures'
import { settingChangesSchema } from './setting'
import { distillingSchema, protocolSchema, taskCostSchema } from './run'
import { verdictSchema } from './verdict'
import { count, figure, instant, integer, milliseconds, share } from './units'
import { BOUNDS, integerIn, numberIn, runOverrides } from './bounds'

/** The method that single runs and, unless a person says otherwise, experiments are compared with. */
export const BASELINE = 'none'

const interval = z.tuple([z.number(), z.number()])

const names = z.array(z.string().min(1)).default([])

/** Which experiences of the definition's memory a cell starts with. Empty lists leave nothing out. */
export const startingExperiencesSchema = z.strictObject({
  /** Of those that fit, in [0, 1]. */
  share: share.default(1),
  domains: names,
  exceptDomains: names,
  frameworks: names,
  exceptFrameworks: names,
})
export type StartingExperiences = z.infer<typeof startingExperiencesSchema>

/** A method under a name of its own, with changed settings: an ablation. */
const methodVariantSchema = z.strictObject({
  /** Shown and reported in place of the method's id. */
  name: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,39}$/, 'Use letters, digits and . _ + - (at most 40)'),
  method: z.string().min(1),
  /** `PRESET` or `PRESET/BENCHMARK` of the method; it fills in what is left out here. */
  preset: z.string().min(1).max(80).optional(),
  settings: settingChangesSchema.default({}),
  /** In place of the definition's, for this one alone; `k` where the definition names none. */
  ...runOverrides,
  /** Default: it starts with none. */
  experiences: startingExperiencesSchema.optional(),
})

/** Which lives a suite is made of: methods on streams of many kinds, worlds and orders. */
const suiteSchema = z.strictObject({
  /** Kinds of lifelong streams. */
  streams: z.array(z.string().min(1)).min(1).max(32),
  worlds: z.array(count).min(1).max(100),
  /** Orders of the tasks of each world. */
  orders: integerIn(BOUNDS.orders).default(1),
  /** Further worlds, for some of the methods. */
  more: z.strictObject({ worlds: z.array(count).max(100), methods: names }).optional(),
  /** Streams that only some of the methods are played on. */
  only: z.record(z.string(), names).default({}),
})
export type Suite = z.infer<typeof suiteSchema>

/** What an experiment is made of, as a person writes it: one small YAML or JSON file that a bundle can carry. */
export const studySchema = z.strictObject({
  name: z.string().min(1).max(80).optional(),
  /** Bundled name or path of a task stream; in a file, paths count from the file's folder. Where there is a `suite`, its name. */
  stream: z.string().min(1),
  /** Instead of one stream: the streams of whole lifetimes. */
  suite: suiteSchema.optional(),
  /** Ids of methods, or variants of them. */
  methods: z
    .array(z.union([z.string().min(1), methodVariantSchema]))
    .min(1)
    .max(32),
  /** Id or folder of the memory whose experiences the variants that ask for some start with. */
  experiences: z.string().min(1).optional(),
  seeds: z.array(count).min(1).max(100).default([1, 2, 3]),
  /** Values of K ("Exp" in EvoSC's tables). Empty: each method's own default. */
  exp: z.array(integerIn(BOUNDS.k)).max(32).default([]),
  /** GGUF path. Default: the bundled demo model. */
  model: z.string().min(1).nullable().default(null),
  /** Tasks to take from the start of the stream; null takes all. */
  tasks: integerIn(BOUNDS.tasks).nullable().default(null),
  /** Method or variant that the others are compared with; null compares with none. */
  baseline: z.string().min(1).nullable().default(BASELINE),
  settings: z
    .strictObject({
      temperature: numberIn(BOUNDS.temperature).default(0.2),
      maxTokens: integerIn(BOUNDS.maxTokens).default(512),
      /** Tokens the model may read at once. Default: what it was trained for, as far as memory allows. */
      contextSize: integerIn(BOUNDS.contextSize).nullable().default(null),
      /** Cells worked on at a time, decoded in one batch. Above 1 the last bits of a batch may differ from run to run. */
      inFlight: integerIn(BOUNDS.inFlight).default(1),
    })
    .prefault({}),
  protocol: protocolSchema.prefault({}),
  /** Only every `of`-th cell, beginning with the one at `index`, from 1: the rest is played on other machines, under the same id. */
  shard: z
    .strictObject({ index: z.number().int().min(1).max(1000), of: z.number().int().min(1).max(1000) })
    .refine(({ index, of }) => index <= of, { message: 'there is no such part' })
    .optional(),
})
export type Study = z.infer<typeof studySchema>
export type ExperimentInput = z.input<typeof studySchema>

/** A study that comes with Loam. */
export const studyTemplateSchema = z.object({
  id: z.string(),
  /** What it asks, in a sentence. */
  description: z.string(),
  definition: studySchema,
})
export type StudyTemplate = z.infer<typeof studyTemplateSchema>

/** What a definition comes to, before anything is started. */
export const experimentPlanSchema = z.object({
  cells: count,
  /** Attempts of each cell: tasks, times iterations or passes, and the tasks tested again. */
  attemptsPerCell: count,
  /** Tasks that the stream holds. */
  streamTasks: count,
  /** Milliseconds it will about take, at the pace of earlier runs with the same model; null when there were none. */
  etaMs: milliseconds.nullable(),
  /** Methods whose pace is not known and was taken from other methods; those that write lessons are slower. */
  guessed: z.array(z.string()),
})
export type ExperimentPlan = z.infer<typeof experimentPlanSchema>

/** One run of an experiment: a method, a seed and a K, in a memory of its own. */
export const cellPlanSchema = z.object({
  /** Unique in its experiment: `<method>-e<exp>-s<seed>`. */
  key: z.string(),
  /** The method's id, or the variant's name. */
  method: z.string(),
  seed: integer,
  /** Items recalled per task; 0 for methods that recall nothing by number. */
  exp: integer,
  /** Something to know about the cell, such as that its method takes no K. */
  note: z.string().nullable(),
  runId: z.string(),
  /** Its own stream and the number of its tasks, in a suite. Default: the experiment's. */
  stream: z.string().optional(),
  tasks: integerIn(BOUNDS.tasks).optional(),
})
export type CellPlan = z.infer<typeof cellPlanSchema>

/**
 * `oom`: it ran to its end, but the prompt of at least one attempt was longer than the model can read (the papers' OOM).
 * `paused` cells go on when the experiment is resumed.
 */
export const cellStatusSchema = z.enum(['queued', 'running', 'paused', 'done', 'oom', 'failed', 'cancelled'])
export type CellStatus = z.infer<typeof cellStatusSchema>

/** A cell as it is followed live. */
const cellInfoSchema = cellPlanSchema.extend({
  status: cellStatusSchema,
  done: count,
  total: count,
  solved: count,
  rewards: z.array(verdictSchema),
  /** Attempts whose prompt did not fit. */
  overflows: count,
  etaMs: milliseconds.nullable(),
  /** Present while it trains a soft prompt. */
  distilling: distillingSchema.optional(),
  problem: loamErrorShape.nullable(),
})
export type CellInfo = z.infer<typeof cellInfoSchema>

export const experimentStatusSchema = z.enum(['running', 'paused', 'done', 'failed', 'cancelled'])

/** An experiment without its cells. */
export const experimentHeadSchema = z.object({
  id: z.string(),
  name: z.string(),
  definition: studySchema,
  status: experimentStatusSchema,
  problem: loamErrorShape.nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** Attempts finished and planned, over all cells. */
  done: count,
  total: count,
  etaMs: milliseconds.nullable(),
})
export type ExperimentHead = z.infer<typeof experimentHeadSchema>

export const experimentInfoSchema = experimentHeadSchema.extend({ cells: z.array(cellInfoSchema) })
export type ExperimentInfo = z.infer<typeof experimentInfoSchema>

/** A cell's figures. Rates are in [0, 1] and null before the first finished task. */
const cellReportSchema = z.object({
  key: z.string(),
  runId: z.string(),
  method: z.string(),
  seed: integer,
  exp: integer,
  status: z.enum(['done', 'oom', 'failed', 'cancelled']),
  note: z.string().nullable(),
  problem: loamErrorShape.nullable(),
  /** Finished tasks that the rates are over: the length of `rewards`. */
  tasks: count,
  successRate: figure,
  /** Over the first and the last third. */
  firstRate: figure,
  lastRate: figure,
  /** 1 or 0 per task of every iteration; later passes and re-tests are left out. */
  rewards: z.array(verdictSchema),
  /** Over the last 100 tasks. */
  windowedRate: figure,
  solved: count,
  /** Of every attempt, also of later passes and re-tests. */
  promptTokens: count,
  completionTokens: count,
  wallMs: milliseconds,
  /** Soft prompts it trained; absent when none. What they took is in its tokens and time. */
  softPrompts: z.number().int().positive().optional(),
  /** How they did on held-out tasks, and so which of them were served; absent where none was tried. */
  tried: z.array(trialResultSchema).optional(),
  /** Those whose training failed, and without which it went on; absent where none did. */
  untrained: z.array(untrainedSchema).optional(),
  /** Attempts whose prompt did not fit; each counts as not solved. */
  overflows: count,
  stepsPerTask: figure,
  /** Absent in reports of older versions. */
  toolCallsPerTask: z.number().nullable().optional(),
  /** With what was built between tasks, shared out over the measured ones. */
  tokensPerTask: figure,
  /** How many of them building took. Absent where nothing was built, and in reports of older versions. */
  buildTokensPerTask: z.number().optional(),
  /** The same for solved and for failed tasks apart. Absent in reports of older versions. */
  solvedCost: taskCostSchema.nullable().optional(),
  failedCost: taskCostSchema.nullable().optional(),
  /** First tasks that all figures leave out, since a method of the experiment builds its memory from them. Default 0. */
  unmeasured: count.optional(),
  skills: z.array(
    z.object({
      skill: z.string(),
      n: count,
      rate: z.number(),
      /** Of its solved and failed tasks. Absent in reports of older versions. */
      solvedCost: taskCostSchema.nullable().optional(),
      failedCost: taskCostSchema.nullable().optional(),
    }),
  ),
  /** Against the baseline's cell with the same seed. */
  forwardTransfer: figure,
  /** Over the tasks tested again; null when the protocol re-tests none. */
  forgetting: figure,
  /** Success rate of each iteration. */
  iterationRates: z.array(z.number()),
  /** pass@1, pass@2 and so on; of iterations the share that one of them solved by then. */
  passRates: z.array(z.number()),
  /** Of the last tasks, which only test. Absent where there are none. */
  testRate: z.number().optional(),
  /** How texts came out that roles were asked for; absent when none was. */
  writings: z.array(writingCountSchema).optional(),
  /** Over every attempt that counts; absent where the tasks are no questions. */
  questions: questionFiguresSchema.optional(),
})
export type CellReport = z.infer<typeof cellReportSchema>

/** Mean over seeds. Only `done` cells count, as in EvoSC's tables; `oom` says how many were left out for not fitting. */
const experimentRowSchema = z.object({
  method: z.string(),
  exp: integer,
  /** Seeds the means are over. */
  n: count,
  /** How many of them went differently; 1 where seeds change nothing, and then there is no interval. */
  distinct: count,
  oom: count,
  /** Mean success rate; null when no cell counts. */
  mean: figure,
  /** 95 % bootstrap interval over seeds; null below two seeds that differ. */
  ci95: interval.nullable(),
  firstMean: figure,
  lastMean: figure,
  /** Mean difference to the baseline's success rate, paired by seed; null without a common seed. */
  deltaToBaseline: figure,
  deltaCi95: interval.nullable(),
  /** Seed pairs the difference is over. */
  deltaN: count,
  /** How many of them went differently. */
  deltaDistinct: count,
  /** As `mean`, with `oom` cells included, each task that did not fit counting as not solved. */
  meanWithOom: figure,
  tokensPerTask: figure,
  /** How many of them building took; absent where nothing was built. */
  buildTokensPerTask: z.number().optional(),
  passMeans: z.array(z.number()),
  iterationMeans: z.array(z.number()),
  /** Absent where no tasks only test. */
  testMean: z.number().optional(),
})
export type ExperimentRow = z.infer<typeof experimentRowSchema>

/** One method over all its values of K: the "average" column of EvoSC's tables, OOM left out. */
const methodAverageSchema = z.object({
  method: z.string(),
  /** Exp values that have a mean. */
  n: count,
  mean: figure,
})

/** What `loam experiment --json` ends with. */
export const experimentReportSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: experimentStatusSchema,
  stream: z.string(),
  /** Name of the model. */
  model: z.string(),
  /** Tasks of the stream that each cell takes. */
  tasks: count,
  baseline: z.string().nullable(),
  cells: z.array(cellReportSchema),
  /** Cells that have not ended. */
  pending: count,
  summary: z.array(experimentRowSchema),
  averages: z.array(methodAverageSchema),
  /** SHA-256 of all results without times and names: equal for experiments that came out the same. */
  resultHash: z.string(),
})
export type ExperimentReport = z.infer<typeof experimentReportSchema>
