import { z } from 'zod'
import { count, integer } from './units'

/** Agent KB's six classes of errors (section 4.4), in the paper's order. */
export const ERROR_CLASSES = [
  'retrieval',
  'planning',
  'reasoning',
  'format',
  'perception',
  'execution',
] as const
export const errorClassSchema = z.enum(ERROR_CLASSES)
export type ErrorClass = z.infer<typeof errorClassSchema>

/** What a model said about a failed attempt. */
export const errorVerdictSchema = z.object({
  trajectoryId: z.string(),
  class: errorClassSchema,
  reason: z.string(),
  /** Name of the model. */
  model: z.string(),
})
export type ErrorVerdict = z.infer<typeof errorVerdictSchema>

/** A failed task: the class of its last attempt's error, and who says so. */
const failureSchema = z.object({
  taskId: z.string(),
  /** The last attempt's place in the run. */
  index: integer,
  trajectoryId: z.string(),
  instruction: z.string(),
  /** Null: no rule fits, and no model was asked or gave a usable answer. */
  class: errorClassSchema.nullable(),
  by: z.enum(['rule', 'judge']).nullable(),
  reason: z.string(),
})
export type Failure = z.infer<typeof failureSchema>

const classCounts = z.record(errorClassSchema, count)

/** The failed tasks of a run by class. */
const runErrorsSchema = z.object({
  runId: z.string(),
  method: z.string(),
  /** Tasks that were judged, each counted once, by its last attempt. */
  tasks: count,
  failed: count,
  counts: classCounts,
  unclassified: count,
  byRule: count,
  byJudge: count,
  failures: z.array(failureSchema),
})
export type RunErrors = z.infer<typeof runErrorsSchema>

/** Failed tasks of two runs over the tasks that both tried (figure 7). */
const errorOverlapSchema = z.object({
  compared: count,
  /** Ids of tasks that failed in both runs, or in one of them only. */
  both: z.array(z.string()),
  onlyA: z.array(z.string()),
  onlyB: z.array(z.string()),
  classes: z.array(
    z.object({
      class: errorClassSchema,
      a: count,
      b: count,
      /** Failed with this class in both runs. */
      both: count,
      onlyA: count,
      onlyB: count,
    }),
  ),
})
export type ErrorOverlap = z.infer<typeof errorOverlapSchema>

export const errorReportSchema = z.object({
  a: runErrorsSchema,
  b: runErrorsSchema.nullable(),
  overlap: errorOverlapSchema.nullable(),
})
export type ErrorReport = z.infer<typeof errorReportSchema>
