import { z } from 'zod'
import { signerStandingSchema } from './signer'
import { readingReportSchema } from './reading'
import { count, counts } from './units'

/** A file format that a memory can be written as or read from, as people choose it. */
export const formatInfoSchema = z.object({
  /** What the command line calls it. */
  id: z.string(),
  title: z.string(),
  /** The version of the other program that it was written for. */
  writtenFor: z.string(),
  keeps: z.string(),
  loses: z.string(),
  /** Whether a memory can be written as it, and whether it can be read. */
  writes: z.boolean(),
  reads: z.boolean(),
  /** Whether it is a folder of files. */
  folder: z.boolean(),
})
export type FormatInfo = z.infer<typeof formatInfoSchema>

/** What of one kind a file holds, and what becomes of it. */
export const importKindSchema = z.object({
  /** A kind of memory, `attempts` or `rubrics`. */
  kind: z.string(),
  title: z.string(),
  /** `rows = fresh + duplicates + conflicts + skipped`: new, there already, read differently here, and not chosen. */
  rows: count,
  fresh: count,
  duplicates: count,
  conflicts: count,
  skipped: count,
  /** The first of them, in a few words. */
  samples: z.array(z.object({ id: z.string(), title: z.string() })),
})
export type ImportKind = z.infer<typeof importKindSchema>

/** An item that reads differently here and in a file. */
export const importConflictSchema = z.object({
  kind: z.string(),
  id: z.string(),
  answer: z.enum(['keep', 'take', 'both', 'ask']),
  /** Where the two differ. */
  parts: z.array(z.object({ part: z.string(), mine: z.string(), theirs: z.string() })),
})
export type ImportConflict = z.infer<typeof importConflictSchema>

/** What an import did; a row is an item of the file, or a line or entry that is none. */
export const importReportSchema = readingReportSchema.extend({
  format: z.string(),
  writtenFor: z.string(),
  file: z.string(),
  /** Secrets taken out, by kind. */
  redactions: counts.readonly(),
  kinds: z.array(importKindSchema).readonly().default([]),
  /** The first 200 items that read differently. */
  conflicts: z.array(importConflictSchema).readonly().default([]),
  /** Items of it that wait in quarantine for the person. */
  waiting: count.default(0),
  /** How its signature stands; absent for formats that have none. */
  signature: z
    .object({
      standing: signerStandingSchema,
      fingerprint: z.string().nullable(),
      name: z.string().nullable(),
    })
    .optional(),
})
export type ImportReport = z.infer<typeof importReportSchema>

/** What a person reads of what waits. */
export const waitingWords = ({ waiting }: Pick<ImportReport, 'waiting'>): string =>
  `${waiting === 1 ? '1 item waits' : `${waiting} items wait`} in quarantine. Nothing there is recalled before you take it out.`
