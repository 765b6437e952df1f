import { z } from 'zod'
import { projectNameSchema } from './ask'
import { importReportSchema } from './format'
import { itemOriginSchema, itemRefSchema } from './item'
import { MAX_FILE_BASE64, MAX_FILE_TEXT } from '../limits'
import { bytes, count, counts, instant } from './units'

/** What to do about an item that the memory holds under the same id, and that reads differently. */
export const CONFLICT_ANSWERS = ['keep', 'take', 'both'] as const
export const conflictAnswerSchema = z.enum(CONFLICT_ANSWERS)
export type ConflictAnswer = z.infer<typeof conflictAnswerSchema>

/** Where an import reads from: files, folders and patterns; the text of a file; files themselves; or what a peer published. */
export const importSourceSchema = z.discriminatedUnion('from', [
  z.object({
    from: z.literal('paths'),
    paths: z.array(z.string().min(1)).min(1).max(10_000),
  }),
  z.object({
    from: z.literal('text'),
    fileName: z.string().max(1000).default('file'),
    text: z.string().max(MAX_FILE_TEXT),
  }),
  z.object({
    from: z.literal('files'),
    /** Each with its name, behind those of its folders, and its bytes as base64. */
    files: z
      .array(z.object({ fileName: z.string().min(1).max(1000), data: z.string().max(MAX_FILE_BASE64) }))
      .min(1)
      .max(1000),
  }),
  z.object({ from: z.literal('published'), address: z.string().min(1).max(4000) }),
])
export type ImportSource = z.infer<typeof importSourceSchema>

/** What of a source comes in, and how. */
export const importChoiceSchema = z.object({
  source: importSourceSchema,
  /** A format's id, or `auto`: by content. */
  format: z.string().default('auto'),
  /** Only these kinds of memory, `asks`, `attempts` and `rubrics`; null: all. */
  kinds: z.array(z.string()).nullable().default(null),
  /** Items to leave out, as `kind/id`. */
  skip: z.array(z.string()).max(100_000).default([]),
  /** The answer to every conflict. */
  onConflict: conflictAnswerSchema.default('keep'),
  /** Other answers for single items, by `kind/id`. */
  answers: z.record(z.string(), conflictAnswerSchema).default({}),
  /** The project of asks that come in; null for none. */
  project: projectNameSchema.nullable().default(null),
  /** Who imports: the name of a program or a part of Loam. */
  client: z.string().max(60).nullable().default(null),
})
export type ImportChoice = z.infer<typeof importChoiceSchema>

/** An import as the memory's record names it. */
export const importRecordSchema = itemOriginSchema.extend({
  imported: count,
  /** Null while it can be undone. */
  undoneAt: instant.nullable(),
  /** Asks that came with it and that the person went on with: undoing leaves them. */
  goneOnWith: count.default(0),
})
export type ImportRecord = z.infer<typeof importRecordSchema>

/** What undoing an import did. */
export const undoneImportSchema = itemOriginSchema.extend({
  /** Items that came with it and are out of use now, and items that it had put out of use and that are back. */
  removed: count,
  restored: count,
  /** What stays, with the reason; empty where the memory is as it was before. */
  stays: z.array(z.object({ kind: z.string(), count, why: z.string() })),
})
export type UndoneImport = z.infer<typeof undoneImportSchema>

/** What an ended import tells: `importId` names it for `undoImport`; null where nothing came in. */
export const importResultSchema = importReportSchema.extend({ importId: z.string().nullable() })
export type ImportResult = z.infer<typeof importResultSchema>

/** What leaves a memory, and as what. */
export const exportChoiceSchema = z.object({
  /** A format's id, or `bundle`. Default: everything as JSON lines. */
  format: z.string().optional(),
  /** Kinds of memory, `attempts` and `rubrics`; null: all but parts of a person's own files. */
  kinds: z.array(z.string()).nullable().default(null),
  /** Only these items; null: all of these kinds. */
  items: z.array(itemRefSchema).max(10_000).nullable().default(null),
  /** Only items of this project; null: of all. */
  project: z.string().min(1).max(100).nullable().default(null),
  /** Whether secrets and home folders are taken out. */
  redact: z.boolean().default(false),
  /** Of a bundle: whether Loam's own key signs it, or the key in this file, which is made when it is not there. */
  sign: z.union([z.boolean(), z.string()]).default(false),
  /** Of a bundle: the path of an earlier one of the memory; only what is new since then is written. */
  since: z.string().nullable().default(null),
  licence: z.string().max(400).nullable().default(null),
  provenance: z.string().max(10_000).nullable().default(null),
})
export type ExportChoice = z.infer<typeof exportChoiceSchema>

/** What of one kind leaves. */
export const exportKindSchema = z.object({
  /** A kind of memory, `attempts`, `rubrics`, or what a format makes of them, such as `pairs`. */
  kind: z.string(),
  title: z.string(),
  /** Whether it is part of a person's own files. */
  ownFiles: z.boolean(),
  /** Live items of it in the memory, and items of it in the file. */
  total: count,
  written: count,
  /** Why the others stay; null where none do. */
  why: z.string().nullable(),
})
export type ExportKind = z.infer<typeof exportKindSchema>

/** What would leave. */
export const exportPreviewSchema = z.object({
  format: z.string(),
  fileName: z.string(),
  /** Before folders are packed, and without the vectors of a bundle. */
  bytes,
  kinds: z.array(exportKindSchema),
  /** Secrets of each kind that it holds, or that are taken out. */
  secrets: counts,
  /** Of a bundle with its history: commits; else null. */
  commits: count.nullable(),
  /** The beginning of a text. */
  sample: z.string(),
})
export type ExportPreview = z.infer<typeof exportPreviewSchema>

/** A written file: where it lies, or itself. */
export const exportResultSchema = exportPreviewSchema.omit({ sample: true }).extend({
  path: z.string().nullable(),
  /** Null where a path was named; else its text, or the bytes of one that is no text (a folder: of its archive) as base64. */
  data: z.object({ text: z.string(), encoding: z.enum(['utf8', 'base64']) }).nullable(),
})
export type ExportResult = z.infer<typeof exportResultSchema>

/** Items of each kind in a file. */
export const writtenCounts = (kinds: readonly ExportKind[]): Readonly<Record<string, number>> =>
  Object.fromEntries(kinds.flatMap(({ kind, written }) => (written > 0 ? [[kind, written]] : [])))
