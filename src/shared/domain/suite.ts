import { z } from 'zod'
import { cellStatusSchema, experimentStatusSchema } from './experiment'
import { verdictSchema } from './verdict'
import { count, figure, integer } from './units'

const rate = z.object({ rate: z.number(), n: count }).nullable()

/** Figures of one life, or means of them over lives; each null where the stream has no such figure or it is not known yet. */
const lifeFiguresSchema = z.object({
  /** Success rate over the last third, at most 100 tasks. */
  last: figure,
  /** Chaudhry et al. 2018: of the best there was, what the last stage lost. */
  forgetting: figure,
  /** Against the baseline on the same tasks in the same order (Lopez-Paz and Ranzato 2017, FWT). */
  forwardTransfer: figure,
  /** Lopez-Paz and Ranzato 2017, BWT. */
  backwardTransfer: figure,
  /** Tasks until it is back at its level after a change of the world; where it never was before the next change, all tasks up to that count. */
  adaptation: figure,
  /** Success rate on the same tasks without what is wrong, minus with it. */
  damage: figure,
  /** Prompt and completion tokens per attempt; recall, learning and what was built between tasks included. */
  tokensPerTask: figure,
})
export type LifeFigures = z.infer<typeof lifeFiguresSchema>

/** One life: a method on one stream of the suite. */
const suiteCellSchema = lifeFiguresSchema.extend({
  key: z.string(),
  runId: z.string(),
  /** The kind of stream, and the name that makes it. */
  stream: z.string(),
  streamName: z.string(),
  world: integer,
  order: integer,
  seed: integer,
  method: z.string(),
  status: cellStatusSchema,
  /** Tasks it is to play. */
  total: count,
  /** As measured, in the order of the stream. */
  rewards: z.array(verdictSchema),
  /** Prompt and completion tokens of each attempt. */
  tokens: z.array(z.number()),
  mean: figure,
  /** GEM's R over stages: rows are stages, columns the stage whose probes they are. */
  matrix: z.array(z.array(rate)),
  /** Changes after which it was not back at its level before the next; null where nothing changes. */
  neverBack: integer.nullable(),
})
export type SuiteCell = z.infer<typeof suiteCellSchema>

/** A method on a stream, over worlds and orders. Only lives that are done count. */
const suiteRowSchema = lifeFiguresSchema.extend({
  stream: z.string(),
  method: z.string(),
  mean: figure,
  /** 95 % bootstrap interval of `mean`; null below two samples. */
  low: figure,
  high: figure,
  /** Samples: worlds, each the mean over its orders; where there is one world, its orders. */
  n: count,
  over: z.enum(['worlds', 'orders']),
  /** Lives behind them, seeds that went alike counted once. */
  lives: count,
})
export type SuiteRow = z.infer<typeof suiteRowSchema>

/** What `loam experiment lifelong-suite --json` ends with. */
export const suiteReportSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: experimentStatusSchema,
  model: z.string(),
  baseline: z.string().nullable(),
  /** The kinds of streams, in their order. */
  streams: z.array(
    z.object({ id: z.string(), title: z.string(), about: z.string(), companion: z.boolean() }),
  ),
  methods: z.array(z.string()),
  /** Lives that have not ended, and those that failed or were cancelled. */
  pending: count,
  failed: count,
  cells: z.array(suiteCellSchema),
  summary: z.array(suiteRowSchema),
  /** Mean over the streams and worlds that all methods were played on, so that it compares like with like. */
  suite: z.array(z.object({ method: z.string(), mean: figure, low: figure, high: figure, n: count })),
  suiteOver: z.object({ streams: z.array(z.string()), worlds: z.array(integer) }),
  /** Sentences that a reader of the figures needs. */
  notes: z.array(z.string()),
})
export type SuiteReport = z.infer<typeof suiteReportSchema>
