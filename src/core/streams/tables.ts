import Papa from 'papaparse'
import { entriesOf, linesOf, parseEntry, type ParsedEntry } from '../ground/entries'
import { nestsTooDeep } from '../ground/json-check'
import { isRecord } from '../ground/record'
import { rowsWithin, viewerRows } from './wrapped-rows'

/** Rows of a table, each an object of its columns. */
export interface Table {
  /** In the order of the file, each once. */
  readonly columns: readonly string[]
  /** With where each stands; `problem` where one cannot be read. */
  readonly entries: readonly ParsedEntry[]
  /** What the text was taken for, in words. */
  readonly form: string
}

/** Longest name of a column; a longer first line is no heading. */
const LONGEST_NAME = 120
const MOST_COLUMNS = 500
/** Characters that the separator is guessed by. */
const HEAD = 64 * 1024

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** What a column alone is called that is one of tasks. */
const ALONE = /^["']?(?:question|problem|prompt|query|task|input|frage|aufgabe)s?["']?$/i
/** Stands between cells where there is one in each line. */
const NO_SEPARATOR = '\u001F'

/** The name of the one column of a table of tasks without answers; null for any other text. */
function nameAlone(text: string): string | null {
  const [first = ''] = fromHeading(text.slice(0, HEAD)).split('\n', 1)
  return ALONE.test(first.trim()) ? first.trim() : null
}

/** The first row of a text with separators; empty when it has none. */
function heading(text: string): {
  readonly names: readonly string[]
  readonly delimiter: string
  readonly headless: boolean
} {
  const alone = nameAlone(text)
  if (alone !== null) return { names: [alone], delimiter: NO_SEPARATOR, headless: false }
  const guess = Papa.parse<string[]>(fromHeading(text.slice(0, HEAD)).trimEnd(), {
    preview: 2,
    skipEmptyLines: 'greedy',
    delimitersToGuess: Object.keys(DELIMITERS),
  })
  const [names = []] = guess.data
  return { names, delimiter: guess.meta.delimiter, headless: isHeadless(guess.data) }
}

/** Whether a text is a table: a heading of at least two short names with rows under it, or of one that tasks are called by, and not JSON. */
export function looksTabular(text: string): boolean {
  if (/^\s*[[{]/.test(text) || !text.trim().includes('\n')) return false
  if (nameAlone(text) !== null) return true
  const { names, headless } = heading(text)
  if (headless) return true
  const filled = names.filter((name) => name.trim() !== '')
  return (
    filled.length >= 2 &&
    names.length <= MOST_COLUMNS &&
    filled.length >= names.length - 1 &&
    // A list's name may end in brackets, as promptfoo writes it.
    names.every((name) => name.length <= LONGEST_NAME && !/[{}[\]]|^\s*"/.test(name.replace(/\[\]$/, '')))
  )
}

/** What spreadsheets and people put above a heading: which separator there is, and remarks. */
function isAbove(line: string): boolean {
  const plain = line.trim()
  return plain === '' || /^#+\s/.test(plain) || /^sep=.$/i.test(plain)
}

/** The cells of a line; what stands in quotes divides none. */
const cellsOf = (line: string, delimiter: string): string[] =>
  line.replace(/"([^"]*)"/g, (_, text: string) => (text.trim() === '' ? '' : 'x')).split(delimiter)

/** Cells of a line as far as they hold something. */
const filledCells = (line: string, delimiter: string): number =>
  cellsOf(line, delimiter).filter((cell) => cell.trim() !== '').length

/** Lines that a table must have below its title to be one. */
const TABLE_LINES = 3

/**
 * How many lines at the beginning are a table's title: they fill one cell, and below stand lines that all fill at least two, alike in
 * number of cells. 0 where there is no title.
 */
function titleLines(lines: readonly string[]): number {
  for (const delimiter of Object.keys(DELIMITERS)) {
    const first = lines.findIndex((line) => !isAbove(line) && filledCells(line, delimiter) >= 2)
    const above = lines
      .slice(0, Math.max(0, first))
      .filter((line) => !isAbove(line) && filledCells(line, delimiter) > 0)
    const table = lines.slice(first).filter((line) => line.trim() !== '')
    const width = cellsOf(lines[first] ?? '', delimiter).length
    const isTable =
      table.length >= Math.min(TABLE_LINES, 2) &&
      table.slice(0, TABLE_LINES).every((line) => cellsOf(line, delimiter).length === width)
    const isTitle = above.every((line) => filledCells(line, delimiter) === 1 && line.length <= LONGEST_NAME)
    if (first > 0 && above.length > 0 && isTable && isTitle) return first
  }
  return 0
}

/** How many lines stand above a text's heading. */
function linesAbove(text: string): number {
  const lines = text.split('\n', MOST_ABOVE)
  const title = titleLines(lines)
  return title > 0
    ? title
    : Math.max(
        0,
        lines.findIndex((line) => !isAbove(line)),
      )
}

const hasTitle = (text: string): boolean => titleLines(text.slice(0, HEAD).split('\n', MOST_ABOVE)) > 0

/** A text from its heading on. */
function fromHeading(text: string): string {
  const above = linesAbove(text)
  return above === 0 ? text : text.slice(text.split('\n', above).join('\n').length + 1)
}

/** Lines above a heading at most. */
const MOST_ABOVE = 20

/** Whether a table of choices begins without a heading, as MMLU is published: a question, choices, and the letter of the right one in each row. */
function isHeadless([first, second]: readonly (readonly string[])[]): boolean {
  if (!first || !second || first.length < 4 || first.length !== second.length) return false
  const isLetter = (row: readonly string[]): boolean => {
    const place = (row.at(-1) ?? '').trim().charCodeAt(0) - 65
    return (row.at(-1) ?? '').trim().length === 1 && place >= 0 && place < row.length - 2
  }
  // A heading that ends in a letter counts them up: question, A, B, C.
  return isLetter(first) && isLetter(second) && (first[1] ?? '').trim() !== 'A'
}

/** Names of the columns of such a table. */
const choiceColumns = (count: number): string[] => [
  'question',
  ...Array.from({ length: count - 2 }, (_, i) => String.fromCharCode(65 + i)),
  'answer',
]

/** Names of columns, each once; one without a name goes by its number. */
const columnNames = (names: readonly string[]): string[] => {
  const takenSet = new Set<string>()
  return names.map((inputText, i) => {
    const plain = inputText.trim() === '' ? `column ${i + 1}` : inputText.trim()
    let name = plain
    for (let n = 2; takenSet.has(name); n++) name = `${plain} (${n})`
    takenSet.add(name)
    return name
  })
}

/** A text with separators (RFC 4180; commas, semicolons, tabs or bars) as rows under its heading. Rows of another width say so. */
export function tableRows(text: string): Table {
  const { delimiter, names: first, headless } = heading(text)
  const above = linesAbove(text.slice(0, HEAD))
  const entries: ParsedEntry[] = []
  let columns: string[] | null = headless ? choiceColumns(first.length) : null
  let at = 0
  let line = 1
  Papa.parse<string[]>(text, {
    delimiter,
    step({ data, meta, errors }) {
      const begins = line
      const from = at
      for (; at < meta.cursor; at++) if (text.charCodeAt(at) === 10) line++
      if (data.every((cell) => cell.trim() === '')) return
      if (columns === null && (begins <= above || isAbove(text.slice(from, at)))) return
      if (columns === null) {
        columns = columnNames(data)
        return
      }
      const names = columns
      const isBroken = errors.some(({ type }) => type === 'Quotes')
      const problem = isBroken
        ? 'its quotation marks do not close'
        : data.length > names.length
          ? `it has ${data.length} cells for ${names.length} columns`
          : null
      const value = Object.fromEntries(names.map((name, i) => [name, data[i] ?? '']))
      entries.push({ place: { line: begins }, value: problem === null ? value : undefined, problem })
    },
  })
  return {
    columns: columns ?? [],
    entries,
    form:
      delimiter === NO_SEPARATOR
        ? 'a table of one column'
        : `a table with ${DELIMITERS[delimiter] ?? 'separators'} between cells${hasTitle(text) ? ', below a title' : ''}`,
  }
}

/** Where data sets keep their rows, when the whole file is one object. */
const ROW_LISTS: ReadonlySet<string> = new Set([
  ...[
    'data',
    'examples',
    'questions',
    'items',
    'rows',
    'tasks',
    'instances',
    'records',
    'entries',
    'samples',
  ],
  ...['problems', 'test', 'train', 'dev', 'validation'],
])

/** The rows of a file that is one object with a list of them, beside what it says of itself; null for any other value. */
export function listedRows(value: unknown): readonly ParsedEntry[] | null {
  if (!isRecord(value)) return null
  const columns = columnsOf(value)
  if (columns !== null && !Object.values(columns).flat().some(isRecord))
    return (Object.values(columns)[0] ?? []).map((_, i) => ({
      place: { line: 1, entry: i + 1 },
      value: Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells[i]])),
      problem: null,
    }))
  const lists = Object.entries(value).filter(([, inner]) => Array.isArray(inner) && inner.some(isRecord))
  const [list] = lists
  if (!list || lists.length > 1 || !ROW_LISTS.has(list[0].toLowerCase())) return null
  return (list[1] as unknown[]).map((row, i) => ({
    place: { line: 1, entry: i + 1 },
    value: row,
    problem: null,
  }))
}

/** The columns of a table that is written column by column: lists, or objects by the number of the row (as pandas has it); null for any other value. */
function columnsOf(value: unknown): Readonly<Record<string, readonly unknown[]>> | null {
  if (!isRecord(value)) return null
  const cells = Object.entries(value).map(([name, column]): [string, unknown[]] | null => {
    if (Array.isArray(column)) return [name, column]
    const isNumbered = isRecord(column) && Object.keys(column).every((key) => /^\d+$/.test(key))
    return isNumbered ? [name, Object.values(column)] : null
  })
  const [first] = cells
  const most = first?.[1].length ?? 0
  const whole = cells.filter((column) => column !== null && column[1].length === most && most > 0)
  return cells.length < 2 || whole.length < cells.length
    ? null
    : Object.fromEntries(cells.filter((column) => column !== null))
}

/** Whether a value is an object of rows by name or number: they are objects alike. */
export function isKeyed(value: unknown): boolean {
  if (!isRecord(value) || columnsOf(value) !== null) return false
  const [first, ...others] = Object.values(value)
  if (!isRecord(first) || others.length === 0) return false
  return others.every((other) => isRecord(other) && Object.keys(first).some((name) => name in other))
}

/** What begins a line of a list. */
const MARK = /^\s*(?:[-*\u2022]|\(?\d{1,5}[.):])\s+/
/** Longest line of a list; longer ones are prose. */
const LONGEST_LINE = 2000

/** A plain list of questions: each line begins with a mark or a number, or each ends with a question mark. Null for any other text. */
export function listRows(text: string): Table | null {
  const lines = text.split('\n').map((line, i) => ({ line: i + 1, text: line.trim() }))
  const questions = lines.filter((line) => line.text !== '')
  const isMarked = questions.every((line) => MARK.test(line.text))
  const isAsked = questions.every((line) => /[?\uFF1F]["')\]]?$/.test(line.text))
  // As YAML writes a list of values with names.
  const isNamed = questions.some((line) => /^-\s+["']?\w{1,60}["']?:\s/.test(line.text))
  if (questions.length < 2 || isNamed || !(isMarked || isAsked)) return null
  if (questions.some((line) => line.text.length > LONGEST_LINE || /^[[{]/.test(line.text))) return null
  const entries = questions.map((line) => ({
    place: { line: line.line },
    value: { question: line.text.replace(MARK, '').trim() },
    problem: null,
  }))
  return { columns: ['question'], entries, form: 'a list of questions' }
}

/** A JSON array of texts as rows with a question each; null for any other value. */
export function listedTexts(value: unknown): readonly ParsedEntry[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  if (!value.every((one) => typeof one === 'string' && one.trim() !== '')) return null
  return (value as string[]).map((one, i) => ({
    place: { line: 1, entry: i + 1 },
    value: { question: one.trim() },
    problem: null,
  }))
}

/** Any text of rows: a table, a list, JSONL, or a JSON array. What is no object is a row with a problem. */
export function readTable(inputText: string): Table {
  const text = inputText.replace(/^\uFEFF/, '')
  const list = listRows(text)
  if (list) return list
  if (looksTabular(text)) return tableRows(text)
  const table = jsonRows(text)
  // What published files hold within their rows are the rows.
  const entries = table.flatMap((row) => rowsWithin(row) ?? [row]).map(asObject)
  const columns = new Set<string>()
  for (const { value } of entries)
    if (value !== undefined) for (const name of Object.keys(value as object)) columns.add(name)
  const isLines = text.split('\n').filter((line) => line.trim() !== '').length === table.length
  return {
    columns: [...columns].slice(0, MOST_COLUMNS),
    entries,
    form: /^\s*\[/.test(text)
      ? 'a JSON array'
      : entries.length > 1 && !isLines
        ? 'a JSON object of rows'
        : 'lines of JSON',
  }
}

function jsonRows(text: string): readonly ParsedEntry[] {
  const isArray = /^\s*\[/.test(text)
  const whole = viewerRows(wholeValue(text))
  const texts = listedTexts(whole)
  if (texts) return texts
  const keyed = isKeyed(whole) && rowsWithin({ place: { line: 1 }, value: whole, problem: null }) === null
  return (
    listedRows(whole) ??
    (isArray || keyed
      ? entriesOf(text, keyed ? 'keyed' : null).entries.map(parseEntry)
      : isRecord(whole)
        ? [{ place: { line: 1 }, value: whole, problem: null }]
        : linesOf(text).map(parseEntry))
  )
}

/** A text that is one JSON value; undefined for any other. */
function wholeValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const asObject = (entry: ParsedEntry): ParsedEntry =>
  entry.problem === null &&
  (typeof entry.value !== 'object' || entry.value === null || Array.isArray(entry.value))
    ? { ...entry, value: undefined, problem: 'it is no object with names and values' }
    : entry
