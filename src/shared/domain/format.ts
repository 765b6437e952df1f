import { z } from 'zod'
import { readingReportSchema } from './reading'
import { count, counts } from './units'

/** A file format that a space can be written as or read from, as people choose it. */
export const formatInfoSchema = z.object({
  /** What the command line calls it. */
  id: z.string(),
  title: z.string(),
  /** The version of the other program that it was written for. */
  writtenFor: z.string(),
  keeps: z.string(),
  loses: z.string(),
  /** Whether a space can be written as it, and whether it can be read. */
  writes: z.boolean(),
  reads: z.boolean(),
  /** Whether it holds attempts and advice of agents only, no cases. */
  gives: z.enum(['space', 'experiences']),
  /** Whether it is a folder of files. */
  folder: z.boolean(),
})
export type FormatInfo = z.infer<typeof formatInfoSchema>

/** What an import did; a row is an item of the file, or a line or entry that is none. */
export const importReportSchema = readingReportSchema.extend({
  format: z.string(),
  writtenFor: z.string(),
  file: z.string(),
  /** Secrets taken out, by kind. */
  redactions: counts.readonly(),
})
export type ImportReport = z.infer<typeof importReportSchema>

/** What a written file holds: how many of what (`cases`, `lessons`), in the order they stand in it. */
export const exportReportSchema = z.object({
  path: z.string(),
  format: z.string(),
  lines: count,
  counts: counts.readonly(),
})
export type ExportReport = z.infer<typeof exportReportSchema>
