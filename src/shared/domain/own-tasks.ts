import { z } from 'zod'
import { answerCheckSchema } from './answer-check'
import { readingReportSchema } from './reading'
import { count } from './units'
import { MAX_FILE_BASE64 } from '../limits'

/** Longest pasted text, in characters; longer files are handed over as they are, or named by their path. */
export const LONGEST_PASTE = 8 * 1024 * 1024

/** Endings of files that rows are read from, in small letters, without a dot. */
export const ROW_FILES = [
  ...['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson', 'parquet'],
  ...['xlsx', 'xlsm', 'xls', 'ods', 'yaml', 'yml'],
] as const

/** Endings of what such a file is packed into. */
export const ROW_PACKS = ['gz', 'zip'] as const

/** A file's name without the ending of a file of rows, packed or not; null when it has none. */
export function rowsStem(name: string): string | null {
  const pack = ROW_PACKS.find((ending) => name.toLowerCase().endsWith(`.${ending}`))
  const plain = pack === undefined ? name : name.slice(0, -pack.length - 1)
  const ending = ROW_FILES.find((one) => plain.toLowerCase().endsWith(`.${one}`))
  return ending === undefined ? null : plain.slice(0, -ending.length - 1)
}

/** A file that a person chose, with its name and its bytes as base64. */
export const rowsFileSchema = z.object({
  fileName: z.string().min(1).max(255),
  base64: z.string().min(1).max(MAX_FILE_BASE64),
})
export type RowsFile = z.infer<typeof rowsFileSchema>

/** Where people's own rows come from: pasted text, a file that was handed over, or the path of a file or folder on the host's disk. */
export const tableSourceSchema = z.union([
  z.object({ text: z.string().min(1).max(LONGEST_PASTE) }),
  rowsFileSchema,
  z.object({ path: z.string().min(1) }),
])
export type TableSource = z.infer<typeof tableSourceSchema>

/** Which column is what. Null: none is. */
const columnChoiceSchema = z.object({
  question: z.string().min(1),
  answer: z.string().nullable().default(null),
  /** Names of a task's files, semicolons between them. */
  files: z.string().nullable().default(null),
  /** What kind of task it is; reports tell kinds apart. */
  skill: z.string().nullable().default(null),
  id: z.string().nullable().default(null),
})
export type ColumnChoice = z.infer<typeof columnChoiceSchema>

/** How rows become tasks. */
export const ownTasksSchema = z.object({
  source: tableSourceSchema,
  columns: columnChoiceSchema,
  check: answerCheckSchema,
})
export type OwnTasks = z.infer<typeof ownTasksSchema>

/** Rows that stand in a preview at most. */
export const PREVIEW_ROWS = 8

/** What was seen of a table. Cells are cut for showing. */
export const tablePreviewSchema = z.object({
  /** What it was taken for, in words. */
  form: z.string(),
  columns: z.array(z.string()),
  rows: count,
  /** The first of them, by column. */
  sample: z.array(z.record(z.string(), z.string())),
  /** Which column seems to be what; null when no question can be told. */
  guess: columnChoiceSchema.nullable(),
  /** Whose tasks the file holds as it stands, so that nothing has to be said about columns; null when it is in no known form. */
  known: z.object({ environment: z.string(), tasks: count }).nullable(),
})
export type TablePreview = z.infer<typeof tablePreviewSchema>

/** What rows would become: the first tasks, each with what its check says of its own answer. */
export const tasksPreviewSchema = z.object({
  tasks: z.array(
    z.object({
      question: z.string(),
      answer: z.string(),
      files: z.array(z.string()),
      /** `right`: the check takes its own answer; `untold`: it has none that could be tried. */
      own: z.enum(['right', 'wrong', 'untold']),
      why: z.string(),
    }),
  ),
  reading: readingReportSchema,
})
export type TasksPreview = z.infer<typeof tasksPreviewSchema>
