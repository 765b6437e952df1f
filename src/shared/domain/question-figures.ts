import { z } from 'zod'
import { count, figure, integer, milliseconds, share } from './units'

/** What a run keeps of each question, for its figures. */
export const questionStepSchema = z.object({
  level: integer.nullable(),
  dataset: z.string().nullable(),
  /** Null where nobody could judge the answer; such tasks count in no rate. */
  grades: z.object({ em: z.number(), f1: z.number(), pm: figure }).nullable(),
  plans: count,
  subtasks: count,
  tools: z.array(
    z.object({
      tool: z.string(),
      calls: z.number().int().positive(),
      failed: count,
      /** All calls together, milliseconds. */
      ms: milliseconds,
    }),
  ),
})
export type QuestionStep = z.infer<typeof questionStepSchema>

const rate = share.nullable()

/** Rates are means over graded tasks, null when there are none; `pm` over the judged ones. */
const gradedSchema = z.object({
  /** Tasks, graded or not. */
  n: count,
  graded: count,
  em: rate,
  f1: rate,
  pm: rate,
})

/** A run's figures on questions (Memento section 5). */
export const questionFiguresSchema = gradedSchema.extend({
  /** Macro F1: the mean of the datasets' F1, so that each counts alike. */
  macroF1: rate,
  datasets: z.array(gradedSchema.extend({ dataset: z.string() })),
  /** Cost per level; level null collects tasks without one. */
  levels: z.array(
    gradedSchema.extend({
      level: integer.nullable(),
      /** Means per task. */
      promptTokens: z.number(),
      completionTokens: z.number(),
      toolCalls: z.number(),
      /** Calls per task by tool, most used first (Memento, figure 5). Absent in reports of older versions. */
      tools: z.array(z.object({ tool: z.string(), calls: z.number() })).optional(),
    }),
  ),
  /** Most used first. */
  tools: z.array(
    z.object({
      tool: z.string(),
      calls: count,
      failed: count,
      /** Mean per call, milliseconds. */
      ms: milliseconds,
    }),
  ),
  /** Means per task. */
  plansPerTask: z.number(),
  subtasksPerTask: z.number(),
})
export type QuestionFigures = z.infer<typeof questionFiguresSchema>
