import { z } from 'zod'
import { answerCheckSchema } from '../../shared/domain/answer-check'
import { LoamError } from '../../shared/errors'
import {
  placeWords,
  reading,
  type LeftRow,
  type ReadingReport,
  type RowPlace,
} from '../../shared/domain/reading'
import { taskSchema, type Task } from '../../shared/domain/task'
import { CUT, entriesOf, linesOf, parseEntry, type ParsedEntry } from '../ground/entries'
import { nestsTooDeep } from '../ground/json-check'
import { isRecord } from '../ground/record'
import { shapeOf } from '../ground/recognition'
import type { EntryPlace, EnvironmentModule } from '../ground/environment-module'
import { isPromptfoo, promptfooRows } from './promptfoo'
import { rowsWithin, viewerRows } from './wrapped-rows'
import { isKeyed, listedRows, listedTexts, listRows, looksTabular, tableRows } from './tables'
import { ENVIRONMENTS, findEnvironment } from '../tasks'

/** What a stream says of itself in its first line: `{"stream": {...}}`. */
const streamHeaderSchema = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string().default(''),
  /** Whose tasks these are. Default: the first environment that recognises a row. */
  environment: z.string().optional(),
  /** Made for the bundled demo model. */
  demo: z.boolean().default(false),
  /** Folder of the tasks' files, beside the stream. Default: the stream's own folder. */
  files: z
    .string()
    .regex(/^(?!\.{1,2}$)[^/\\\0]+$/, 'is not a plain folder name')
    .optional(),
  /** Whose tools conversations need, where their scenarios do not say. */
  domain: z.string().min(1).optional(),
  /** Who plays the user in conversations. Default: a script. */
  user: z.enum(['script', 'model']).optional(),
  /** How the answers to its questions are checked, where a task does not say. Default: as the form of its rows has it. */
  check: answerCheckSchema.optional(),
  /** Under which terms others may use it. */
  licence: z.string().min(1).optional(),
  /** The name of a made stream that this file stands for; it has no rows of its own. */
  made: z.string().min(1).optional(),
  /** Counts up each time people save the stream anew. */
  version: z.number().int().min(1).optional(),
})
export type StreamHeader = z.infer<typeof streamHeaderSchema>

export interface ParsedStream {
  /** Null when the file has none. */
  readonly header: StreamHeader | null
  readonly tasks: readonly Task[]
  /** Where each task stands. */
  readonly places: readonly RowPlace[]
  readonly reading: ReadingReport
}

/**
 * Reads a stream of tasks of any environment: a JSON object keyed by number (db_bench.json), a JSON array, or JSONL with one entry
 * per line and perhaps a header line first. Bad rows are left out and reported; where a JSON file is broken, only the entry with the
 * damage is. Throws `TASK_STREAM` when no task is left.
 * `source` is the stream's id, used in messages and by tasks whose files lie beside the stream.
 */
export function parseStream(text: string, source: string): ParsedStream {
  const { rows: entries, notes } = readRows(text.replace(/^\uFEFF/, ''))
  const rows = entries.flatMap((row) => withinRow(row) ?? [row])
  const header = readHeader(rows[0])
  const rest: LeftRow[] = []
  const tasks: Task[] = []
  const places: RowPlace[] = []
  const ids = new Set<string>()
  const module = header?.environment === undefined ? undefined : findEnvironment(header.environment)
  const about = { source, domain: header?.domain, user: header?.user, check: header?.check }
  for (const row of header === null ? rows : rows.slice(1)) {
    const read = readTask(row, { ...about, index: tasks.length }, ids, module)
    const { place } = row
    if ('reason' in read) rest.push({ ...place, why: read.reason })
    else {
      tasks.push(read)
      places.push(place)
    }
  }
  if (tasks.length === 0) throw unusable(source, rest, text)
  const openTasks = tasks.filter((task) => findEnvironment(task.environment).ungraded?.(task) === true).length
  const more = openTasks === 0 ? [] : [openWords(openTasks, tasks.length)]
  return { header, tasks, places, reading: reading(tasks.length, rest, { notes: [...notes, ...more] }) }
}

const openWords = (count: number, all: number): string =>
  count === all
    ? 'No task comes with an answer, so none is graded.'
    : `${count} of ${all} tasks come without an answer, so they are not graded.`

/** Whether a text is neither JSON nor a table: then what it looks like says more than what is wrong in its first line. */
const isProse = (text: string): boolean => text.trim() !== '' && !/^\s*[[{]/.test(text) && !looksTabular(text)

function unusable(source: string, rest: readonly LeftRow[], text: string): LoamError {
  const [first] = rest
  const why = isProse(text)
    ? `it is ${shapeOf(text)}, and neither a table nor JSON nor a list of questions`
    : first === undefined
      ? 'it is empty'
      : `${placeWords(first)}: ${first.why}`
  const count = rest.length > 1 && !isProse(text) ? ` (and ${rest.length - 1} more)` : ''
  return new LoamError('TASK_STREAM', `${source} holds no usable task; ${why}${count}.`, {
    suggestion:
      'Open it under Task streams as tasks of your own, where you say which column is the question and which the answer, or choose a file in one of the forms of docs/streams.md.',
  })
}

interface Rows {
  readonly rows: readonly ParsedEntry[]
  readonly notes: readonly string[]
}

function readRows(text: string): Rows {
  if (/^\s*\[/.test(text)) {
    const texts = text.length > LONGEST_LIST ? null : listedTexts(parseWhole(text))
    return texts && texts.every(isAsked) ? { rows: texts, notes: [] } : rowsOf(entriesOf(text))
  }
  const list = listRows(text)
  if (list) return { rows: list.entries, notes: [] }
  const whole = viewerRows(parseWhole(text))
  if (isPromptfoo(whole)) return promptfooRows(whole)
  // A row of lists is one only where a form takes it for its own.
  const listed = readTaskAlone(whole) ? null : listedRows(whole)
  if (listed) return { rows: listed, notes: [] }
  if (isKeyedObject(whole) || (whole === undefined && looksKeyed(text)))
    return rowsOf(entriesOf(text, 'keyed'))
  if (whole !== undefined) return { rows: [{ place: { line: 1 }, value: whole, problem: null }], notes: [] }
  if (looksTabular(text)) return { rows: tableRows(text).entries, notes: [] }
  return { rows: linesOf(text).map(parseEntry), notes: [] }
}

const rowsOf = ({ entries, closed }: ReturnType<typeof entriesOf>): Rows => ({
  rows: entries.map(parseEntry),
  notes: closed || entries.at(-1)?.problem !== null ? [] : [`In the last line ${CUT}.`],
})

/** Characters of an array that is looked at as a whole. */
const LONGEST_LIST = 4 * 1024 * 1024
const isAsked = ({ value }: ParsedEntry): boolean =>
  /[?\uFF1F]["')\]]?$/.test((value as { readonly question: string }).question)

/** Characters in which a first key must have ended. */
const KEY_WITHIN = 400

/** Whether a text that is no JSON as a whole would have been an object of entries: it opens like one, and no line stands for itself. */
const looksKeyed = (text: string): boolean => {
  const head = text.slice(0, KEY_WITHIN)
  const key = head.slice(0, Math.max(0, head.search(/:\s*\{/))).trimEnd()
  return (
    /^\s*\{\s*"(?:[^"\\\n]|\\.)*"?$/.test(key) &&
    !text.split('\n').some((line) => line.startsWith('{') && isObject(parseWhole(line)))
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const readerOf = (value: unknown): EnvironmentModule | undefined =>
  isObject(value) ? ENVIRONMENTS.find((module) => module.recognises(value)) : undefined

/** What a row of a published file holds, where no environment takes the row itself for its own; ARC's questions hold their choices. */
const withinRow = (row: ParsedEntry): ParsedEntry[] | null => {
  const rows = rowsWithin(row)
  const isStem = isObject(row.value) && 'question' in row.value && isObject(row.value.question)
  return rows !== null && (isStem || readerOf(row.value) === undefined) ? rows : null
}

/** What was seen of a row that no environment takes for its own, and the form that is nearest to it. */
const unlike = (value: unknown): string => {
  const names = isObject(value) && !Array.isArray(value) ? Object.keys(value) : []
  if (names.length === 0) return 'it has no fields'
  const visit = `it has the fields ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ...' : ''}`
  const near = nearestForm(names)
  return near === null
    ? `${visit}, none of which any known form has`
    : `${visit}; nearest to it is ${near.name}, where ${near.missing.join(', ')} would be there too`
}

/** The form that shares most of its fields with a row, and what the row lacks of it; null when none shares any. */
function nearestForm(names: readonly string[]): { name: string; missing: readonly string[] } | null {
  const own = new Set(names.map((name) => name.toLowerCase()))
  const near = ENVIRONMENTS.flatMap(({ forms = [] }) => forms).map(({ name, fields }) => {
    const gaps = fields.filter((field) => !own.has(field.toLowerCase()))
    return { name, missing: gaps, share: 1 - gaps.length / fields.length }
  })
  const [best] = near.sort((a, b) => b.share - a.share)
  return best && best.share > 0 ? best : null
}

/** An object of entries, as against one that is an entry or a header itself. */
const isKeyedObject = (value: unknown): boolean =>
  isObject(value) &&
  readerOf(value) === undefined &&
  !('stream' in value) &&
  rowsWithin({ place: { line: 1 }, value, problem: null }) === null &&
  (isKeyed(value) ||
    Object.keys(value).length === 0 ||
    (Object.keys(value).length === 1 && Object.values(value).every((row) => readerOf(row) !== undefined)))

/** Whether a value is a task by itself. */
function readTaskAlone(value: unknown): boolean {
  const reader = readerOf(value)
  return reader !== undefined && !('reason' in reader.read(value, { source: '', index: 0 }))
}

/** Undefined when it is no JSON. */
function parseWhole(text: string): unknown {
  if (nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What a file of tasks says of itself in its first line: the made stream that it stands for, and the environment of its tasks. */
export function headOf(text: string): Pick<StreamHeader, 'made' | 'environment'> {
  const [first] = linesOf(text.slice(0, 4000))
  return (first && readHeader(parseEntry(first))) ?? {}
}

function readHeader(row: ParsedEntry | undefined): StreamHeader | null {
  const parsed = z.object({ stream: streamHeaderSchema }).safeParse(row?.value)
  return parsed.success ? parsed.data.stream : null
}

/** Why a row of people's own tasks is none, as it was kept with them. */
const unreadableOf = (value: unknown): string | null =>
  isRecord(value) && typeof value['unreadable'] === 'string' ? value['unreadable'] : null

/** `named` is the environment of the stream's header, which a row that nobody recognises is read (and refused) by. */
function readTask(
  row: ParsedEntry,
  place: EntryPlace,
  ids: Set<string>,
  module: EnvironmentModule | undefined,
): Task | { readonly reason: string } {
  const problem = row.problem ?? unreadableOf(row.value)
  if (problem !== null) return { reason: problem }
  const reader = readerOf(row.value) ?? module
  if (reader === undefined) return { reason: unlike(row.value) }
  const read = reader.read(row.value, place)
  if ('reason' in read) return read
  if (ids.has(read.id)) return { reason: `the id ${read.id} is already taken by an earlier task` }
  ids.add(read.id)
  return { ...read, index: place.index, environment: reader.id, ...saidOf(row.value) }
}

const saidSchema = taskSchema.pick({ feedback: true, known: true })

/** What rows of any environment may say besides: what is told of the reward, and what is known of the task. Anything else of these names is not meant so. */
const saidOf = (value: unknown): Pick<Task, 'feedback' | 'known'> => {
  const read = saidSchema.safeParse(value)
  return read.success ? read.data : {}
}
