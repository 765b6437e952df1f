import type { SkippedRow, Task } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import { labDbEntrySchema } from './lab-db/entry'
import { LAB_DB } from './lab-db/environment'

/** The tasks of a stream file, and the rows that could not be used. */
export interface ReadStream {
  readonly environment: string
  readonly tasks: readonly Task[]
  readonly skipped: readonly SkippedRow[]
}

interface Row {
  readonly line: number
  readonly value: unknown
  /** Set when the row is not even JSON. */
  readonly reason?: string
}

const unreadable = (name: string, cause: string): LoamError =>
  new LoamError('TASK_STREAM', `${name}: ${cause}`, {
    suggestion: 'A stream is a JSONL file with one task per line, or a JSON file with a list of tasks.',
  })

function readLines(text: string): Row[] {
  return text.split(/\r?\n/).flatMap((line, i): Row[] => {
    if (line.trim() === '') return []
    try {
      return [{ line: i + 1, value: JSON.parse(line) as unknown }]
    } catch (error) {
      return [{ line: i + 1, value: null, reason: `not valid JSON (${(error as Error).message})` }]
    }
  })
}

/** One JSON value: a list of entries, or an object of entries by number as the benchmark ships it. */
function readWhole(text: string): Row[] | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  // A stream of one line is JSONL: its object is the entry itself.
  if (!Array.isArray(value) && 'instruction' in value) return null
  const entries: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return entries.map((entry, i) => ({ line: i + 1, value: entry }))
}

function toTask(row: Row, index: number, taken: ReadonlySet<string>): Task | string {
  if (row.reason !== undefined) return row.reason
  const parsed = labDbEntrySchema.safeParse(row.value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not a task'}`
  }
  const entry = parsed.data
  const id = entry.id ?? String(entry.sample_index ?? row.line)
  if (taken.has(id)) return `the id "${id}" is already taken by an earlier row`
  return {
    id,
    index,
    environment: LAB_DB,
    instruction: entry.instruction,
    skills: entry.skill_list,
    payload: entry,
  }
}

/**
 * Reads the text of a stream file: JSONL, or JSON as a list or an object of entries in LifelongAgentBench's
 * db_bench format. Rows that cannot be used are skipped and reported with their line (JSONL) or number (JSON).
 * @throws LoamError `TASK_STREAM` when not one row is usable; `name` says which stream in its cause.
 */
export function readStream(text: string, name: string): ReadStream {
  const tasks: Task[] = []
  const skipped: SkippedRow[] = []
  const taken = new Set<string>()
  for (const row of readWhole(text) ?? readLines(text)) {
    const task = toTask(row, tasks.length, taken)
    if (typeof task === 'string') {
      skipped.push({ line: row.line, reason: task })
    } else {
      taken.add(task.id)
      tasks.push(task)
    }
  }
  if (tasks.length === 0) {
    const first = skipped[0]
    throw unreadable(
      name,
      first ? `no usable task; line ${first.line}: ${first.reason}` : 'there is nothing in it',
    )
  }
  return { environment: LAB_DB, tasks, skipped }
}
