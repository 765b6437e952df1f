import { z } from 'zod'
import { answerCheckSchema } from './answer-check'
import { readingReportSchema } from './reading'
import { count } from './units'

/** Longest pasted text, in characters; larger files are named by their path. */
const LONGEST_PASTE = 8 * 1024 * 1024

/** Where people's own rows come from: pasted or dropped text, or the path of a file or folder on the host's disk. */
export const tableSourceSchema = z.union([
  z.object({ text: z.string().min(1).max(LONGEST_PASTE) }),
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
