import Papa from 'papaparse'
import { bySigns, sign } from '../../ground/recognition'
import { LONGEST_ENTRY } from '../../ground/entries'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import type { Format } from '../format'
import { foundOfRow, rowOf, UNITS, unitsOf, type Unit } from '../units'

const COLUMNS = [
  'id',
  'kind',
  'title',
  'text',
  'environment',
  'created_at',
  'reward',
  'pinned',
  'loam',
] as const

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
const lineOf = (fields: readonly unknown[]): string =>
  `${Papa.unparse([fields as unknown[]], { escapeFormulae: true })}\n`

const fieldsOf = (unit: Unit): unknown[] => {
  const row = rowOf(unit)
  return COLUMNS.map((name) => (name === 'loam' ? JSON.stringify(row.loam) : row[name]))
}

/** Rows are found by where quotes are closed; a file that is too long for memory is left out as a whole. */
async function* read(pieces: AsyncIterable<string>, context: ReadContext): AsyncGenerator<Found> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > 2 * LONGEST_ENTRY) {
      yield {
        kind: 'left',
        place: { line: 1 },
        why: `the table is longer than ${2 * LONGEST_ENTRY} characters`,
      }
      return
    }
  }
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter: ',' })
  const [names = [], ...rows] = data
  const column = (name: string): number => names.findIndex((one) => one.trim().toLowerCase() === name)
  const at = (row: readonly string[], ...targets: string[]): string | undefined =>
    targets.map((name) => row[column(name)]).find((value) => value !== undefined && value !== '')
  let line = 1
  if (['text', 'content', 'loam'].every((name) => column(name) < 0)) {
    if (text.trim() !== '') yield { kind: 'left', place: { line }, why: 'the table has no column "text"' }
    return
  }
  line += linesIn(names)
  for (const row of rows) {
    const place = { line }
    line += linesIn(row)
    if (row.every((value) => value.trim() === '')) continue
    const foreign = {
      text: at(row, 'text', 'content'),
      title: at(row, 'title'),
      environment: at(row, 'environment'),
      createdAt: at(row, 'created_at'),
    }
    yield foundOfRow(at(row, 'loam'), foreign, place, context)
  }
}

const linesIn = (row: readonly string[]): number =>
  1 + row.reduce((sum, value) => sum + value.split('\n').length - 1, 0)

/** The same rows as a table. */
export const csv: Format = {
  id: 'csv',
  title: 'Items as a table (CSV)',
  writtenFor: `RFC 4180 with a head of names: ${COLUMNS.join(', ')}`,
  ...UNITS,
  recognise: bySigns([sign(0.95, /^"?id"?,"?kind"?,"?title"?,"?text"?[,\r\n]/)]),
  fileName: ({ fileName }) => `${fileName}-items.csv`,
  async *write(source, options) {
    yield { text: lineOf(COLUMNS), holds: null }
    for await (const unit of unitsOf(source, options))
      yield { text: lineOf(fieldsOf(unit)), holds: unit.kinds }
  },
  read,
}
