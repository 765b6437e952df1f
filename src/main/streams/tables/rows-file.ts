import { stat, readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { decodeText } from '../../../shared/decode-text'
import { LoamError } from '../../../shared/errors'
import { checkArchive, filesIn, readMember } from '../../adapters/isolate/work/formats/zip'

/** Longest file of rows, in bytes, packed or not. */
const LONGEST_FILE = 256 * 1024 * 1024
/** Bytes that tell a text from what is none. */
const HEAD = 8192
/** Files of an archive that are named when there are several. */
const MOST_NAMED = 6

/** A file of rows as text. */
export interface RowsFile {
  readonly text: string
  /** What had to be done to read it, in words. */
  readonly notes: readonly string[]
}

const ROWS = /\.(csv|tsv|txt|json|jsonl|ndjson|parquet|xlsx|xls|ods)(\.gz)?$/i

const refuse = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

const startsWith = (bytes: Uint8Array, mark: string): boolean =>
  Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark

const inWords = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'it is broken'

/**
 * A file of rows as text, however it is kept: plain (UTF-8, UTF-16, Windows-1252), packed by gzip, alone in a ZIP archive, a Parquet table, or the
 * first sheet of a workbook. Parquet rows become lines of JSON, a sheet a table with tabs.
 * @throws LoamError `BAD_INPUT` in words; what the system says when it cannot be opened
 */
export async function readRowsFile(path: string): Promise<RowsFile> {
  if ((await stat(path)).size > LONGEST_FILE) throw tooLong(path)
  return rowsOf(new Uint8Array(await readFile(path)), path, [])
}

async function rowsOf(bytes: Uint8Array, name: string, notes: readonly string[]): Promise<RowsFile> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return rowsOf(unzipped(bytes, name), withoutGz(name), notes)
  if (startsWith(bytes, 'PAR1')) {
    const { parquetLines } = await import('./parquet-rows')
    const text = await parquetLines(bytes).catch((error: unknown) => {
      throw refuse(
        `${name} is a Parquet file that cannot be read: ${inWords(error)}.`,
        'Save it as JSONL, and choose that file.',
      )
    })
    return { text, notes: [...notes, 'It is a Parquet table; its rows are counted as lines.'] }
  }
  if (startsWith(bytes, 'PK')) return zippedRows(bytes, name, notes)
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
  return { text, notes: encoding === null ? notes : [...notes, `It was read as ${encoding}.`] }
}

const tooLong = (name: string): LoamError =>
  refuse(`${name} holds more than ${LONGEST_FILE / 1024 / 1024} MiB.`, 'Split it into several streams.')

const withoutGz = (name: string): string => name.replace(/\.t?gz$/i, '')

function unzipped(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: LONGEST_FILE }))
  } catch (error) {
    if (error instanceof RangeError) throw tooLong(name)
    throw refuse(`${name} cannot be unpacked: ${inWords(error)}.`, 'Is it whole? Fetch it once more.')
  }
}

async function zippedRows(bytes: Uint8Array, name: string, notes: readonly string[]): Promise<RowsFile> {
  let names: string[]
  let foundBytes: Uint8Array | null
  try {
    checkArchive(bytes)
    names = filesIn(bytes).map((file) => file.name)
    if (names.includes('[Content_Types].xml') || names.includes('content.xml'))
      return await sheetRows(bytes, name, notes)
    // What Macs put beside every file.
    names = names.filter((one) => ROWS.test(one) && !/(^|\/)(__MACOSX\/|\._)/.test(one))
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

async function sheetRows(bytes: Uint8Array, name: string, notes: readonly string[]): Promise<RowsFile> {
  const { read, utils } = await import('@e965/xlsx')
  try {
    const book = read(bytes, { type: 'array', dense: true, cellFormula: false })
    const [first = ''] = book.SheetNames
    const sheet = book.Sheets[first]
    const text = sheet ? utils.sheet_to_csv(sheet, { FS: '\t', blankrows: false }) : ''
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
