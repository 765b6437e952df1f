import { readingFault } from '../../reading-fault'
import { gunzipSync } from 'node:zlib'
import { read, utils, type WorkSheet } from '@e965/xlsx'
import { decodeText } from '../../../../../shared/decode-text'
import { rowsStem } from '../../../../../shared/domain/own-tasks'
import { LoamError } from '../../../../../shared/errors'
import type { FileBytes } from '../../../../ground/isolate/foreign-rows'
import { LONGEST_ROWS } from '../../../../ground/isolate/longest-rows'
import { checkArchive, filesIn, readMember, unpackedArchive } from './zip'

/** A file of rows as text. */
export interface RowsText {
  readonly text: string
  /** What had to be done to read it, in words. */
  readonly notes: readonly string[]
}

/** Bytes that tell a text from what is none. */
const HEAD = 8192
/** Files of an archive that are named when there are several. */
const MOST_NAMED = 6
/** Most cells of a sheet, empty ones too: a sheet of one cell may say that it has 17 billion. */
const MOST_CELLS = 4_000_000

const refuse = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

const startsWith = (bytes: Uint8Array, mark: string): boolean =>
  Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark

/** A table may begin with the letters PK. */
const isArchive = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 'PK') && (bytes[2] ?? 32) < 32 && (bytes[3] ?? 32) < 32

const inWords = (error: unknown): string => readingFault(error).slice(0, 200).replace(/\.$/, '')

/**
 * A file of rows as text, however it is kept: plain (UTF-8, UTF-16, Windows-1252), packed by gzip, alone in a ZIP archive, a Parquet table, the
 * first sheet of a workbook, or YAML. Parquet rows become lines of JSON, a sheet a table with tabs, YAML JSON.
 * @throws LoamError `BAD_INPUT` in words
 */
export const rowsText = ({ name, bytes }: FileBytes): Promise<RowsText> => rowsOf(bytes, name, [])

async function rowsOf(bytes: Uint8Array, name: string, notes: readonly string[]): Promise<RowsText> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return rowsOf(unzipped(bytes, name), withoutGz(name), notes)
  if (startsWith(bytes, 'PAR1')) {
    const { parquetLines } = await import('./parquet')
    const text = await parquetLines(bytes).catch((error: unknown) => {
      throw refuse(
        `${name} is a Parquet file that cannot be read: ${inWords(error)}.`,
        'Save it as JSONL, and choose that file.',
      )
    })
    return { text, notes: [...notes, 'It is a Parquet table; its rows are counted as lines.'] }
  }
  if (isArchive(bytes)) return zippedRows(bytes, name, notes)
  // Older workbooks.
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) return sheetRows(bytes, name, notes)
  if (Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar')
    throw refuse(`${name} is an archive of files.`, 'Unpack it, and choose the file with the tasks in it.')
  const { text, encoding } = decodeText(bytes)
  if (encoding !== 'UTF-16' && bytes.subarray(0, HEAD).includes(0))
    throw refuse(
      `${name} is no text: ${startsWith(bytes, 'SQLite') ? 'it is a database' : 'it holds bytes that no text has'}.`,
      'Save it as CSV or JSONL, and choose that file.',
    )
  const about = encoding === null ? notes : [...notes, `It was read as ${encoding}.`]
  return /\.ya?ml$/i.test(name) ? yamlRows(text, name, about) : { text, notes: about }
}

/** YAML as JSON. */
async function yamlRows(text: string, name: string, notes: readonly string[]): Promise<RowsText> {
  const { parse } = await import('yaml')
  try {
    const json = JSON.stringify(parse(text, { maxAliasCount: 100 })) ?? ''
    if (json.length > LONGEST_ROWS) throw tooLong(name)
    return { text: json, notes }
  } catch (error) {
    if (error instanceof LoamError) throw error
    throw refuse(
      `${name} is no YAML: ${inWords(error).split('\n')[0] ?? ''}`,
      'Correct the place, or save it as JSON.',
    )
  }
}

const tooLong = (name: string): LoamError =>
  refuse(`${name} holds more than ${LONGEST_ROWS / 1024 / 1024} MiB.`, 'Split it into several streams.')

const withoutGz = (name: string): string => name.replace(/\.t?gz$/i, '')

function unzipped(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: LONGEST_ROWS }))
  } catch (error) {
    if (error instanceof RangeError) throw tooLong(name)
    throw refuse(`${name} cannot be unpacked: ${inWords(error)}.`, 'Is it whole? Fetch it once more.')
  }
}

async function zippedRows(bytes: Uint8Array, name: string, notes: readonly string[]): Promise<RowsText> {
  let names: string[]
  let foundBytes: Uint8Array | null
  try {
    checkArchive(bytes)
    names = filesIn(bytes).map((file) => file.name)
    if (names.includes('[Content_Types].xml') || names.includes('content.xml'))
      return sheetRows(bytes, name, notes)
    // What Macs put beside every file.
    names = names.filter((one) => rowsStem(one) !== null && !/(^|\/)(__MACOSX\/|\._)/.test(one))
    foundBytes = names[0] !== undefined && names.length === 1 ? readMember(bytes, names[0]) : null
  } catch (error) {
    if (error instanceof LoamError) throw error
    throw refuse(
      `${name} cannot be unpacked: ${inWords(error)}.`,
      'Unpack it with a program of your system, with its password where it has one, and choose the file with the tasks in it.',
    )
  }
  const [only = ''] = names
  if (foundBytes) return rowsOf(foundBytes, only, [...notes, `It is ${only} of the archive.`])
  const listed = names.slice(0, MOST_NAMED).join(', ')
  throw refuse(
    names.length === 0
      ? `${name} is an archive without a file of rows in it.`
      : `${name} is an archive of ${names.length} files that may hold rows: ${listed}${names.length > MOST_NAMED ? ', ...' : ''}.`,
    'Unpack it, and choose the file with the tasks in it.',
  )
}

function sheetRows(bytes: Uint8Array, name: string, notes: readonly string[]): RowsText {
  try {
    const book = read(isArchive(bytes) ? unpackedArchive(bytes) : bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
    })
    const [first = ''] = book.SheetNames
    const sheet = book.Sheets[first]
    const text = sheet ? utils.sheet_to_csv(trimmed(sheet), { FS: '\t', blankrows: false }) : ''
    const others = book.SheetNames.length - 1
    const more = others === 0 ? '' : ` ${others} more ${others === 1 ? 'sheet is' : 'sheets are'} left out.`
    return { text, notes: [...notes, `It is the sheet ${first} of the workbook.${more}`] }
  } catch (error) {
    throw refuse(
      `${name} is a workbook that cannot be read: ${inWords(error)}.`,
      'Save it as CSV, and choose that file.',
    )
  }
}

/** A sheet as large as its cells are, whatever it says of itself. @throws Error for one that is still too large */
function trimmed(sheet: WorkSheet): WorkSheet {
  const rows = (sheet['!data'] ?? []) as (readonly unknown[] | undefined)[]
  const columns = rows.reduce((most, row) => Math.max(most, row?.length ?? 0), 0)
  if (rows.length * columns > MOST_CELLS) throw new Error(`it has more than ${MOST_CELLS} cells`)
  const range = utils.decode_range(sheet['!ref'] ?? 'A1')
  const to = {
    r: Math.min(range.e.r, Math.max(0, rows.length - 1)),
    c: Math.min(range.e.c, Math.max(0, columns - 1)),
  }
  return { ...sheet, '!ref': utils.encode_range({ s: range.s, e: to }) }
}
