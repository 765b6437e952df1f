import { z } from 'zod'
import { experimentStatusSchema } from './experiment'
import { runStatusSchema } from './run'
import { count, figure, instant, integer } from './units'

/** Something that happened to what learns, before the step at place `at` (from 0). */
const curveMarkerSchema = z.object({
  at: count,
  /**
   * `iteration`: the stream begins again. `model`: another model than before works on the same memory. `consolidation`: what was
   * learned was distilled into another soft prompt. `run`: another run in the same memory begins.
   */
  kind: z.enum(['iteration', 'model', 'consolidation', 'run']),
  /** Says it in a few words. */
  label: z.string(),
})
export type CurveMarker = z.infer<typeof curveMarkerSchema>

/**
 * One run with everything its learning curves need. Steps are those of every iteration, in the order they were played;
 * later passes and re-tests are left out, as in `CellReport.rewards`.
 */
export const runCurveSchema = z.object({
  runId: z.string(),
  /** The experiment it is a cell of; null for a run of its own. */
  experimentId: z.string().nullable(),
  experimentName: z.string().nullable(),
  /** The method's id, or the variant's name. */
  name: z.string(),
  method: z.string(),
  /** Items recalled per task; null for methods that recall nothing by number. */
  exp: integer.nullable(),
  seed: integer,
  stream: z.string(),
  /** The model's name. */
  model: z.string(),
  memoryId: z.string(),
  /** The runs that went before in the same memory. */
  follows: count,
  createdAt: instant,
  status: runStatusSchema,
  /** Steps planned. */
  total: count,
  /** `1` or `0` per step. */
  rewards: z.string().regex(/^[01]*$/),
  /** Prompt and completion tokens per step, recall and learning included. */
  tokens: z.array(count),
  /** Wall time per step in ms. */
  ms: z.array(z.number().nonnegative()),
  /** Rounds per step; null where an older version did not note them. */
  rounds: z.array(count.nullable()),
  /** Steps whose prompt did not fit the model. */
  overflows: count,
  markers: z.array(curveMarkerSchema),
  /** Everything that decides the run, by name, in words; the seed last. */
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Equal for runs that differ only in their seed: seeds of one series. */
  group: z.string(),
  /** The method or variant it is compared with; null when with none. */
  baseline: z.string().nullable(),
  /** Figures that need more than the steps above. */
  figures: z.object({
    /** Over the re-tested tasks; null when there are none. */
    forgetting: figure,
    /** pass@1, pass@2 and so on; empty for a single pass. */
    passRates: z.array(z.number()),
    /** Empty where the stream is no longer the one that was run. */
    skills: z.array(z.object({ skill: z.string(), n: count, rate: z.number() })),
  }),
})
export type RunCurve = z.infer<typeof runCurveSchema>

/** What the chooser of the curves lists. */
export const curveChoicesSchema = z.object({
  experiments: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      stream: z.string(),
      methods: z.array(z.string()),
      cells: count,
      seeds: count,
      status: experimentStatusSchema,
      done: count,
      total: count,
      createdAt: instant,
    }),
  ),
  runs: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      stream: z.string(),
      model: z.string(),
      seed: integer,
      exp: integer.nullable(),
      status: runStatusSchema,
      done: count,
      total: count,
      solved: count,
      createdAt: instant,
    }),
  ),
})
export type CurveChoices = z.infer<typeof curveChoicesSchema>

/**
 * What a curve shows per task. `success`: smoothed success rate. `window`: success rate of the last 100 tasks.
 * `cumulative`: tasks solved so far. `tokens`, `rounds`: what a task took, smoothed.
 */
const curveMeasureSchema = z.enum(['success', 'window', 'cumulative', 'tokens', 'rounds'])
export type CurveMeasure = z.infer<typeof curveMeasureSchema>

/** What the x axis counts, from the start of each run. */
const curveAxisSchema = z.enum(['task', 'tokens', 'time'])
export type CurveAxis = z.infer<typeof curveAxisSchema>

/** Baseline as each experiment names it (for single runs: the method `none`). */
export const AUTO_BASELINE = 'auto'

/** Every control of the Learning curves screen, kept with the settings. */
export const curveViewSchema = z.object({
  experimentIds: z.array(z.string()).default([]),
  runIds: z.array(z.string()).default([]),
  measure: curveMeasureSchema.default('success'),
  axis: curveAxisSchema.default('task'),
  /** Weight of the past in the moving average, in [0, 0.99]; 0 draws every task as it is. */
  smoothing: z.number().min(0).max(0.99).default(0.95),
  /** One line per series with its band, one per run, or one per method over all seeds and streams. */
  lines: z.enum(['mean', 'runs', 'pooled']).default('mean'),
  /** One chart for all lines, or small ones side by side: one per method, stream or model. */
  panels: z.enum(['one', 'method', 'stream', 'model']).default('one'),
  points: z.boolean().default(true),
  /** `AUTO_BASELINE`, the key of a series, or null for none. */
  baseline: z.string().nullable().default(AUTO_BASELINE),
  /** Draw differences to the baseline. */
  difference: z.boolean().default(false),
  /** Runs of one memory one after another, as one curve. */
  join: z.boolean().default(false),
  /** Keys of series that are switched off. */
  hidden: z.array(z.string()).default([]),
  tab: z.enum(['chart', 'table', 'settings']).default('chart'),
  table: z.enum(['figures', 'points', 'skills']).default('figures'),
  onlyDifferences: z.boolean().default(true),
  chooserOpen: z.boolean().default(true),
})
export type CurveView = z.infer<typeof curveViewSchema>
