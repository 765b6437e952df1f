import { readRecordings } from '../../../../core/ground/recording'
import {
  configurationOf,
  referencesIn,
  withTexts,
  type NamedText,
} from '../../../../core/streams/promptfoo-files'
import { headOf } from '../../../../core/streams/parse-stream'
import { openStream } from '../../../../core/streams/stream-library'
import { readTable, type Table } from '../../../../core/streams/tables'
import { ENVIRONMENTS } from '../../../../core/tasks'
import { isMadeName } from '../../../../core/tasks/generators'
import { LoamError } from '../../../../shared/errors'
import type { FileBytes, RowsReply, RowsRequest, StreamRow } from '../../../ground/isolate/foreign-rows'
import { InParts, type Work } from '../../../ground/isolate/protocol'
import { rowsText, type RowsText } from './formats/rows'

/** How often what was read may name further files: tests in a file whose values stand in others. */
const DEEPEST = 3

/** Files of tasks and recorded attempts, with all that is parsed of them. */
export const openRows =
  (): Work<RowsRequest, RowsReply | InParts<RowsReply>> =>
  async (request): Promise<RowsReply | InParts<RowsReply>> => {
    const rows = await rowsText(request.file)
    if (request.as === 'table') {
      const table = tableOf(rows)
      return new InParts<RowsReply>({ kind: 'table', table: { ...table, entries: [] } }, table.entries)
    }
    if (request.as === 'recordings') {
      const read = readRecordings(rows.text)
      return new InParts<RowsReply>(
        { kind: 'recordings', read: { ...read, recordings: [] } },
        read.recordings,
      )
    }
    const { id, source, beside } = request
    const whole = await withFiles(rows, beside)
    if ('names' in whole) return { kind: 'names', names: whole.names }
    const { text, notes } = whole
    const { made, environment } = headOf(text)
    // Only a made stream's name: a file cannot stand for another file.
    if (source === 'file' && made !== undefined && isMadeName(made)) return { kind: 'made', name: made }
    if (environment !== undefined && !ENVIRONMENTS.some((one) => one.id === environment))
      return { kind: 'elsewhere', environment, text, notes }
    const stream = openStream({ id, text, source, notes })
    const list = stream.tasks.map((task, i): StreamRow => [task, stream.places[i] ?? { line: i + 1 }])
    return new InParts<RowsReply>({ kind: 'stream', stream: { ...stream, tasks: [], places: [] } }, list)
  }

/** Tasks whose parts stand in other files with these in their places, or which files are wanted; any other text as it is. */
async function withFiles(
  rows: RowsText,
  beside: ReadonlyMap<string, readonly FileBytes[]>,
): Promise<RowsText | { readonly names: readonly string[] }> {
  let config = configurationOf(rows.text)
  if (config === null || referencesIn(config).length === 0) return rows
  const texts = new Map<string, readonly NamedText[]>()
  const notes: string[] = []
  for (const [reference, files] of beside) {
    const read = await Promise.all(
      files.map(async (file) => ({ name: file.name, ...(await rowsText(file)) })),
    ).catch((error: unknown) => {
      if (!(error instanceof LoamError)) throw error
      notes.push(`${reference.replace(/^file:\/\//, '')}: ${error.why}`)
      return []
    })
    if (read.length > 0) texts.set(reference, read)
  }
  for (let depth = 0; depth < DEEPEST; depth++) {
    const names = referencesIn(config)
    const gaps = names.filter((name) => !beside.has(name))
    if (gaps.length > 0) return { names: gaps }
    if (!names.some((name) => texts.has(name))) break
    config = withTexts(config, texts)
  }
  return { text: JSON.stringify(config), notes: [...rows.notes, ...notes] }
}

/** @throws LoamError `BAD_INPUT` for a text without a row */
function tableOf({ text, notes }: RowsText): Table {
  const read = readTable(text)
  const table = { ...read, form: [read.form, ...notes].join('. ').replace(/\.$/, '') }
  if (table.entries.some(({ problem }) => problem === null)) return table
  throw new LoamError('BAD_INPUT', whyNoRows(text.trim(), table), {
    suggestion:
      'Bring a table with a heading (CSV, or copied from a spreadsheet), or one JSON object per line.',
  })
}

function whyNoRows(text: string, { columns, entries }: Table): string {
  if (text === '') return 'There is nothing in it.'
  const first = text.slice(0, 80).replace(/\s+/g, ' ')
  const lone = !text.includes('\n') && /^[^[{]*[,;\t]/.test(text)
  if (columns.length > 0 || lone) return `It has a heading, "${first}", and no row below it.`
  if (entries.length === 0) return 'There is no row in it.'
  return `It begins with "${first}", which is no row of a table and no JSON.`
}
