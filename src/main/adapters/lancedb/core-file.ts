import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { coreOf, imageOf, type ImageHead } from '../../../core/retrieval/core-image'
import { LaterWords, PAGE_WORDS } from '../../../core/retrieval/later-words'
import type { SearchCore } from '../../../core/retrieval/search-core'
import { rowsHeld, type VectorRows } from '../../../core/retrieval/vector-rows'
import { VectorSearch } from '../../../core/retrieval/vector-search'
import { LoamError } from '../../../shared/errors'
import { replaceFile } from '../../ground/atomic-file'
import { rm } from '../../ground/steady-files'

/*
 * A search core on disk, `core-N.bin`, of which the highest N counts: 16 bytes (mark, format, bytes of the head, CRC-32 of head and columns), the head as
 * JSON, the columns, the float32 rows. All begin at multiples of 8 bytes. Terms, postings and codes are read when they are asked
 * for: the last two columns have the CRC-32 of each row and of each page of these three, which are checked then, and not in that of the columns. A file is never changed; the next one takes its place.
 */
const MARK = 0x4d414f4c
const FORMAT = 2
const HEADER_BYTES = 16
const MOST_HEAD_BYTES = 1 << 24
/** Bytes that are summed and written between two pauses. */
const SLICE = 1 << 20
/** Columns that are read page by page. */
const PAGED = 3
const PAGE = PAGE_WORDS * 4
/** The column of signs, from the end; behind it are the sums of rows and of pages. */
const SIGNS = -3
/** Rows below which everything is read at once. */
const FEW_ROWS = 4096
/** Rows are held in memory up to so many bytes of them; beyond it those that are scored again are read from the file. */
export const ROW_BUDGET = 4 << 20

const NAME = /^core-(\d{1,15})\.bin$/
const PART = /^core-\d{1,15}\.bin\.[\d-]{1,24}\.tmp$/
/** Where the vectors of a core lie that is made: a name that is cleared away where a kill left it. */
export const SPILL = 'core-0.bin.0.tmp'

const headSchema = z.object({
  dimension: z.number().int().positive(),
  size: z.number().int().nonnegative(),
  terms: z.number().int().nonnegative(),
  environments: z.array(z.string()),
  deleted: z.number().int().nonnegative(),
  columns: z.array(z.number().int().nonnegative()),
  /** The version of the table that has the same rows. */
  tableVersion: z.number(),
})

/** Vectors on a file that is open. */
export interface RowsFile {
  readonly rows: VectorRows
  /** Of the rows that are on the file. */
  close(): void
}

/** A core whose vectors lie on a file, and the version of the table that has the same rows. */
export interface CoreFile extends RowsFile {
  readonly core: SearchCore
  readonly tableVersion: number
}

const up = (bytes: number): number => Math.ceil(bytes / 8) * 8

const corrupt = (path: string): LoamError =>
  new LoamError('DATA_CORRUPT', `${path} is damaged.`, {
    suggestion: 'It is made again from the memory. Nothing is lost.',
  })

async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
}

const pathOf = (folder: string, number: number): string => join(folder, `core-${number}.bin`)

/** Takes away every core file but that of number `except`, and what a kill left of one. */
export async function removeCoreFiles(folder: string, except: number | null = null): Promise<void> {
  for (const name of await readdir(folder)) {
    const number = NAME.exec(name)?.[1]
    if (PART.test(name) || (number !== undefined && Number(number) !== except))
      await rm(join(folder, name), { force: true })
  }
}

/** Reads the newest core; null where there is none, or none that is as it was written. */
export async function readCoreFile(folder: string, dimension: number): Promise<CoreFile | null> {
  const number = Math.max(0, ...(await numbersIn(folder)))
  if (number === 0) return null
  const path = pathOf(folder, number)
  const descriptor = openSync(path, 'r')
  try {
    return readOpen(path, descriptor, dimension)
  } catch {
    closeSync(descriptor)
    return null
  }
}

function readOpen(path: string, descriptor: number, dimension: number): CoreFile {
  const read = (target: Uint8Array, position: number): void => {
    for (let at = 0; at < target.length;) {
      const count = readSync(descriptor, target, at, target.length - at, position + at)
      if (count === 0) throw corrupt(path)
      at += count
    }
  }
  const header = new Uint32Array(HEADER_BYTES / 4)
  read(new Uint8Array(header.buffer), 0)
  const [mark, format, headBytes = 0, sum] = header
  if (mark !== MARK || format !== FORMAT || headBytes > MOST_HEAD_BYTES) throw corrupt(path)
  const text = new Uint8Array(headBytes)
  read(text, HEADER_BYTES)
  const head = headSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)))
  let start = HEADER_BYTES + up(headBytes)
  const places = head.columns.map((bytes) => (start += up(bytes)) - up(bytes))
  const { size } = fstatSync(descriptor)
  if (head.dimension !== dimension || size < start + head.size * dimension * 4) throw corrupt(path)
  const vectors = new VectorSearch(dimension, rowsHeld(dimension), head.size)
  const own = places.map((_, number) => new Uint8Array(number < PAGED ? 0 : up(head.columns[number] ?? 0)))
  const signs = vectors.signView(head.size)
  if (own.at(SIGNS)?.length !== signs.length || vectors.codeBytes(head.size) !== head.columns[2])
    throw corrupt(path)
  own.splice(SIGNS, 1, signs)
  let crc = crc32(text)
  for (const [number, column] of own.entries()) {
    read(column, places[number] ?? 0)
    crc = crc32(column, crc)
  }
  if (crc !== sum) throw corrupt(path)
  const [sums, pageSums] = own.slice(-2).map(({ buffer }) => new Uint32Array(buffer)) as [
    Uint32Array,
    Uint32Array,
  ]
  const firstPages = head.columns.map((_, number) => pagesOf(head.columns.slice(0, number)))
  /** Reads the page from `from` on of a column of pages. */
  const readPage = (number: number, target: Uint8Array, from: number): void => {
    const part = target.subarray(from, from + PAGE)
    read(part, (places[number] ?? 0) + from)
    if (crc32(part) !== pageSums[(firstPages[number] ?? 0) + from / PAGE]) throw corrupt(path)
  }
  const later = (number: number): LaterWords => {
    const bytes = new Uint8Array(up(head.columns[number] ?? 0))
    const words = new Uint32Array(bytes.buffer, 0, (head.columns[number] ?? 0) / 4)
    const column = new LaterWords(words, (from) => readPage(number, bytes, from * 4))
    if (head.size < FEW_ROWS) column.need()
    return column
  }
  const file = rowsOnFile({ path, descriptor, start, dimension, size: head.size, sums })
  vectors.rows = file.rows
  vectors.codesLater(function* (target) {
    for (let from = 0; from < target().length; from += PAGE) {
      readPage(2, target(), from)
      if (from % SLICE === 0) yield
    }
  })
  const columns = own.slice(PAGED, SIGNS).map((column, i) => column.subarray(0, head.columns[PAGED + i]))
  const core = coreOf(head, columns, { terms: later(0), postings: later(1) }, vectors)
  return { ...file, core, tableVersion: head.tableVersion }
}

/** Pages of so many columns. */
const pagesOf = (columns: readonly number[]): number =>
  columns.slice(0, PAGED).reduce((total, bytes) => total + Math.ceil(up(bytes) / PAGE), 0)

interface RowsPlace {
  readonly path: string
  readonly descriptor: number
  /** Where the first row begins. */
  readonly start: number
  readonly dimension: number
  readonly size: number
  /** CRC-32 of each row. */
  readonly sums: Uint32Array
}

/**
 * Rows read one by one, or held in memory where they fit into `ROW_BUDGET`; later ones are held in memory. A row that is not as it was written throws
 * `DATA_CORRUPT`.
 */
function rowsOnFile({ path, descriptor, start, dimension, size, sums }: RowsPlace): RowsFile {
  const later = rowsHeld(dimension)
  const numbers = new Float32Array(dimension)
  const read = (row: number, target: Float32Array): Float32Array => {
    const bytes = bytesOf(target)
    const count = readSync(descriptor, bytes, 0, bytes.length, start + row * bytes.length)
    if (count !== bytes.length || crc32(bytes) !== sums[row]) throw corrupt(path)
    return target
  }
  const rows: VectorRows = {
    get size() {
      return size + later.size
    },
    push: (vector) => later.push(vector),
    row: (row) => (row < size ? read(row, numbers) : later.row(row - size)),
    lasting: (row) => (row < size ? read(row, new Float32Array(dimension)) : later.lasting(row - size)),
  }
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  if (size * dimension * 4 > ROW_BUDGET) return { rows, close }
  const copy = rowsHeld(dimension)
  for (let row = 0; row < size; row++) copy.push(rows.row(row))
  return { rows: copy, close }
}

/**
 * Writes a core that is tidy as the newest file, with pauses, and answers with the vectors on it; null when the core changed meanwhile: then nothing is
 * written. @throws LoamError `DISK_FULL` or `DISK_WRITE`
 */
export async function writeCoreFile(
  folder: string,
  core: SearchCore,
  tableVersion: number,
): Promise<RowsFile | null> {
  const { version, dimension } = core
  const number = Math.max(0, ...(await numbersIn(folder))) + 1
  const path = pathOf(folder, number)
  const isStale = (): boolean => core.version !== version
  let place: Pick<RowsPlace, 'start' | 'sums'> | null = null
  if (isStale()) return null
  try {
    await replaceFile(path, async (file) => {
      place = await fill(file, core, tableVersion, isStale)
    })
  } catch (error) {
    if (error instanceof StaleError) return null
    throw error
  }
  await removeCoreFiles(folder, number)
  if (isStale() || place === null) return null
  const descriptor = openSync(path, 'r')
  const { start, sums } = place as Pick<RowsPlace, 'start' | 'sums'>
  return rowsOnFile({ path, descriptor, start, dimension, size: core.parts.words.size, sums })
}

class StaleError extends Error {}

async function fill(
  file: FileHandle,
  core: SearchCore,
  tableVersion: number,
  isStale: () => boolean,
): Promise<Pick<RowsPlace, 'start' | 'sums'>> {
  const stop = (): void => {
    if (isStale()) throw new StaleError('The core changed while it was written.')
  }
  const { rows } = core.parts.vectors
  const sums = new Uint32Array(rows.size)
  for (let row = 0; row < rows.size; row++) {
    sums[row] = crc32(bytesOf(rows.row(row)))
    if (row % 1000 < 999) continue
    await pause()
    stop()
  }
  const image = imageOf(core)
  const pageSums = new Uint32Array(pagesOf(image.columns.map(({ length }) => length)))
  const columns = [...image.columns, bytesOf(sums), bytesOf(pageSums)]
  const head: ImageHead & { tableVersion: number } = {
    ...image.head,
    columns: columns.map(({ length }) => length),
    tableVersion,
  }
  const json = JSON.stringify(head)
  const text = new TextEncoder().encode(
    json + ' '.repeat(up(Buffer.byteLength(json)) - Buffer.byteLength(json)),
  )
  await file.write(text, 0, text.length, HEADER_BYTES)
  let sum = crc32(text)
  let position = HEADER_BYTES + text.length
  let page = 0
  for (const [number, column] of columns.entries()) {
    for (let at = 0; at < column.length; at += SLICE) {
      // A copy: what lies in the core's memory may move while it is written.
      const part = column.slice(at, at + SLICE)
      const padded = at + part.length === column.length ? padding(part) : part
      if (number >= PAGED) sum = crc32(padded, sum)
      else
        for (let from = 0; from < padded.length; from += PAGE)
          pageSums[page++] = crc32(padded.subarray(from, from + PAGE))
      await file.write(padded, 0, padded.length, position)
      position += padded.length
      stop()
    }
  }
  const start = position
  const perSlice = Math.max(1, Math.floor(SLICE / (core.dimension * 4)))
  for (let first = 0; first < rows.size; first += perSlice) {
    const part = new Float32Array(Math.min(perSlice, rows.size - first) * core.dimension)
    for (let at = 0; at < part.length; at += core.dimension)
      part.set(rows.row(first + at / core.dimension), at)
    await file.write(bytesOf(part), 0, part.byteLength, position)
    position += part.byteLength
    stop()
  }
  const header = new Uint32Array([MARK, FORMAT, text.length, sum])
  await file.write(bytesOf(header), 0, HEADER_BYTES, 0)
  return { start, sums }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

function padding(part: Uint8Array): Uint8Array {
  if (part.length % 8 === 0) return part
  const wider = new Uint8Array(up(part.length))
  wider.set(part)
  return wider
}
