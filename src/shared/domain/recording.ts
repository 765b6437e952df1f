import { z } from 'zod'
import { count } from './units'

/** A figure of recordings that were played in random orders. */
export const recordingFigureSchema = z.object({
  /** The part of memory that it is about. */
  part: z.string(),
  /** What is counted, in words. */
  what: z.string(),
  /** A share or an area in [0, 1], and its interval over the orders. */
  mean: z.number(),
  low: z.number(),
  high: z.number(),
  /** Attempts of an order that it counts, on average. */
  n: count,
})
export type RecordingFigure = z.infer<typeof recordingFigureSchema>

/** What is to be played, and how. */
export const playRecordingsSchema = z.object({
  memoryId: z.string(),
  /** Random orders. */
  orders: z.number().int().min(1).max(50).default(5),
  /** Items recalled. */
  k: z.number().int().min(1).max(32).default(4),
  seed: z.number().int().nonnegative().default(1),
})
export type PlayRecordings = z.infer<typeof playRecordingsSchema>

/** What came of recordings. */
export const recordingReportSchema = z.object({
  figures: z.array(recordingFigureSchema),
  /** Attempts that were played. */
  attempts: count,
  /** Attempts left out because nobody knows how they ended, and because there were too many: the oldest. */
  ungraded: count,
  tooMany: count,
})
export type RecordingReport = z.infer<typeof recordingReportSchema>
