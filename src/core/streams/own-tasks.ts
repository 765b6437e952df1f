import { CHECK_WORDS, type AnswerCheck } from '../../shared/domain/answer-check'
import { PREVIEW_ROWS, type ColumnChoice, type TablePreview } from '../../shared/domain/own-tasks'
import { LoamError } from '../../shared/errors'
import { QUESTION_ENVIRONMENT } from '../tasks'
import {
  ANSWER_NAMES,
  answersIn,
  CHOICE_NAMES,
  CONTEXT_NAMES,
  fieldCalled,
  FILE_NAMES,
  QUESTION_NAMES,
} from '../tasks/qa/forms/plain'
import type { Table } from './tables'

/** What people call a column of kinds. */
const SKILL_NAMES = ['skill', 'skills', 'kind', 'category', 'topic', 'type', 'subject', 'level']
const ID_NAMES = ['id', 'task_id', 'key', 'nr', 'no']
/** Characters of a cell that a preview shows. */
const SHOWN = 240

/** A cell as text: JSON where it is no plain value. */
const cellText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as number)

/** Which column seems to be what, by their names; with none of the usual ones, the first two of a table are question and answer. */
export function guessColumns(columns: readonly string[]): ColumnChoice | null {
  const question = fieldCalled(columns, [...QUESTION_NAMES, 'instruction', 'text']) ?? columns[0]
  if (question === undefined) return null
  const rest = columns.filter((column) => column !== question)
  const others = {
    files: fieldCalled(rest, FILE_NAMES) ?? null,
    skill: fieldCalled(rest, SKILL_NAMES) ?? null,
    id: fieldCalled(rest, ID_NAMES) ?? null,
  }
  const [only, ...more] = rest.filter((column) => !Object.values(others).includes(column))
  const answer = fieldCalled(rest, ANSWER_NAMES) ?? (more.length === 0 ? (only ?? null) : null)
  return { question, answer, ...others }
}

/** What is seen of a table. `owner` says whose tasks its file holds as it stands, where it is one. */
export function previewTable(table: Table, owner: TablePreview['known']): TablePreview {
  const rows = table.entries.filter(({ problem }) => problem === null)
  return {
    form: table.form,
    columns: [...table.columns],
    rows: table.entries.length,
    sample: rows.slice(0, PREVIEW_ROWS).map(({ value }) => {
      const row = value as Readonly<Record<string, unknown>>
      return Object.fromEntries(table.columns.map((name) => [name, cellText(row[name]).slice(0, SHOWN)]))
    }),
    guess: guessColumns(table.columns),
    known: owner,
  }
}

/** What a stream of people's own tasks says of itself. */
export interface OwnHeader {
  readonly id: string
  readonly title: string
  readonly version: number
  /** Folder of its files, beside it; null when it has none. */
  readonly files: string | null
  /** Files that every task has. */
  readonly documents: readonly string[]
}

/**
 * Rows as the lines of a stream file, the header first. A row keeps its line as id where it has none; rows that cannot be read become lines that
 * cannot either, so that they are reported.
 * @throws LoamError `BAD_INPUT` for a column that is not there
 */
export function ownStream(
  table: Table,
  columns: ColumnChoice,
  check: AnswerCheck,
  { id, title, version, files, documents }: OwnHeader,
): string {
  for (const name of Object.values(columns)) {
    if (name === null || table.columns.includes(name)) continue
    throw new LoamError('BAD_INPUT', `There is no column "${name}".`, {
      suggestion: `The columns are: ${table.columns.join(', ')}.`,
    })
  }
  // Without answers there is nothing that a check could compare with, but for a judge's rubric.
  const isOpen = columns.answer === null && check.kind !== 'judge'
  const stream = {
    ...{ id, title, version, environment: QUESTION_ENVIRONMENT, ...(!isOpen && { check }) },
    description: `Tasks of your own, version ${version}. Check: ${CHECK_WORDS[check.kind].title.toLowerCase()}.`,
    ...(files !== null && { files }),
  }
  const lines = table.entries.map(({ place, value, problem }) =>
    problem === null
      ? ownRow(
          value as Readonly<Record<string, unknown>>,
          columns,
          `row-${place.entry ?? place.line}`,
          documents,
        )
      : { unreadable: problem },
  )
  return [{ stream }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

function ownRow(
  row: Readonly<Record<string, unknown>>,
  columns: ColumnChoice,
  fallback: string,
  documents: readonly string[],
): object {
  const cell = (column: string | null): string => (column === null ? '' : cellText(row[column]).trim())
  const files = [...cell(columns.files).split(';'), ...documents].map((name) => name.trim()).filter(Boolean)
  const skill = cell(columns.skill)
  const answer = columns.answer === null ? undefined : readAnswer(row[columns.answer])
  if (answer !== null && typeof answer === 'object' && !Array.isArray(answer))
    return { unreadable: `its answer is an object: ${cellText(answer).slice(0, SHOWN)}` }
  return {
    id: cell(columns.id) || fallback,
    question: cell(columns.question),
    // A list of answers stays one; anything else is one text.
    answer: Array.isArray(answer)
      ? answer.map(cellText)
      : cell(columns.answer) === ''
        ? null
        : cell(columns.answer),
    ...(files.length > 0 && { files: [...new Set(files)] }),
    ...(skill !== '' && { skills: [skill] }),
    ...Object.fromEntries(besides(row, columns).map((name) => [name, row[name]])),
  }
}

/** An answer that stands within an object, as texts; anything else as it is. */
const readAnswer = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (answersIn(value) ?? value) : value

/** What belongs to a question without being chosen: what it is about, and what may be chosen from. */
const besides = (row: Readonly<Record<string, unknown>>, columns: ColumnChoice): string[] => {
  const selection = Object.values(columns)
  return [CONTEXT_NAMES, CHOICE_NAMES].flatMap((names) => {
    const name = fieldCalled(Object.keys(row), names)
    return name === undefined || selection.includes(name) ? [] : [name]
  })
}
