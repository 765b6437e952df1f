import { readFile, stat } from 'node:fs/promises'
import { decodeText } from '../../../shared/decode-text'
import { LoamError } from '../../../shared/errors'
import { foreignReader } from '../../ground/isolate/foreign'
import { LONGEST_ROWS } from '../../adapters/isolate/longest-rows'
import type { RowsReply, RowsRequest } from '../../adapters/isolate/work/rows'

/** Most milliseconds that unpacking and reading a file may take. */
const READ_MS = 60_000

/** A file of rows as text. */
export interface RowsFile {
  readonly text: string
  /** What had to be done to read it, in words. */
  readonly notes: readonly string[]
}

/**
 * A file of rows as text, however it is kept: plain (UTF-8, UTF-16, Windows-1252), packed by gzip, alone in a ZIP archive, a Parquet table, or the
 * first sheet of a workbook, or YAML. Parquet rows become lines of JSON, a sheet a table with tabs, YAML JSON. What is no plain text is read in a process of its own,
 * which ends with a file that takes too long or too much memory.
 * @throws LoamError `BAD_INPUT` in words; what the system says when it cannot be opened
 */
export async function readRowsFile(path: string): Promise<RowsFile> {
  if ((await stat(path)).size > LONGEST_ROWS) throw tooLong(path)
  return readRows(path, new Uint8Array(await readFile(path)))
}

/** The same of a file's bytes; `name` is for words about it. @throws LoamError `BAD_INPUT` */
export async function readRows(name: string, bytes: Uint8Array): Promise<RowsFile> {
  // A null byte is in no text but UTF-16, and in every packed file, table and workbook.
  if (!bytes.subarray(0, 8192).includes(0) && !isPacked(bytes) && !/\.ya?ml$/i.test(name)) {
    const { text, encoding } = decodeText(bytes)
    return { text, notes: encoding === null ? [] : [`It was read as ${encoding}.`] }
  }
  const reply = await readApart(name, { name, bytes })
  if (reply.kind === 'rows') return { text: reply.text, notes: reply.notes }
  throw new LoamError('BAD_INPUT', reply.cause, { suggestion: reply.suggestion })
}

const isPacked = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
  ['PK', 'PAR1'].some((mark) => Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark)

const tooLong = (name: string): LoamError =>
  new LoamError('BAD_INPUT', `${name} holds more than ${LONGEST_ROWS / 1024 / 1024} MiB.`, {
    suggestion: 'Split it into several streams.',
  })

const readApart = foreignReader<RowsRequest, RowsReply>('rows', {
  timeMs: READ_MS,
  limits: { heapMb: 1536, processMb: 2500 },
  suggestion: 'It may be damaged. Save it as CSV or JSONL, and choose that file.',
})
