// Its build for Node declares a "require" of its own, which the bundler's collides with; unpacking is the same in both.
import { inflateSync, unzipSync, zipSync, type UnzipFileInfo } from 'fflate/browser'
import type { ArchivedFile } from '../../../../../core/memory/experiences/import/log'
import { unpackZstandard } from './zstandard'

/** Most files an archive may list. */
const MOST_FILES = 10_000
/** Most bytes one file of an archive may unpack to, and one that is read by itself. */
const MOST_MEMBER_BYTES = 64 * 1024 * 1024
const MOST_ALONE_BYTES = 512 * 1024 * 1024
/** Most bytes everything in an archive that is read as a whole may unpack to. */
const MOST_TOTAL_BYTES = 256 * 1024 * 1024
/** Most bytes that files of an archive may unpack to that are read one by one, each as often as it is read. */
const MOST_READ_BYTES = 4 * 1024 * 1024 * 1024
/** How many times larger than packed a file may claim to be; text seldom goes beyond 30. */
const MOST_RATIO = 400
/** Below this many bytes the ratio says nothing. */
const RATIO_COUNTS_FROM = 1024 * 1024

function entriesOf(bytes: Uint8Array): UnzipFileInfo[] {
  const entries: UnzipFileInfo[] = []
  unzipSync(bytes, {
    filter: (entry) => {
      entries.push(entry)
      if (entries.length > MOST_FILES) throw new Error(`The archive lists more than ${MOST_FILES} files.`)
      return false
    },
  })
  return entries
}

function checkMember(entry: UnzipFileInfo, most = MOST_MEMBER_BYTES): void {
  if (entry.originalSize > most)
    throw new Error(`${entry.name} would unpack to ${entry.originalSize} bytes; at most ${most} are allowed.`)
  if (entry.originalSize > RATIO_COUNTS_FROM && entry.originalSize > entry.size * MOST_RATIO) {
    throw new Error(
      `${entry.name} is packed more than ${MOST_RATIO} to 1, as archives meant to fill a disk are.`,
    )
  }
}

/** The entries of an archive whose files do not overlap and have a name each. @throws Error */
function soundEntries(bytes: Uint8Array): UnzipFileInfo[] {
  const entries = entriesOf(bytes)
  const packed = entries.reduce((sum, { size }) => sum + size, 0)
  if (packed > bytes.length)
    throw new Error(`The files of the archive overlap: ${packed} bytes in ${bytes.length}.`)
  if (new Set(entries.map(({ name }) => name)).size < entries.length)
    throw new Error('The archive names a file twice.')
  return entries
}

/**
 * Refuses an archive that is read as a whole and would unpack to too much, whose files say that they are larger than the archive (so that some
 * of its bytes would be unpacked many times), or that names a file twice. @throws Error
 */
export function checkArchive(bytes: Uint8Array): void {
  const entries = soundEntries(bytes)
  for (const entry of entries) checkMember(entry)
  const total = entries.reduce((sum, { originalSize }) => sum + originalSize, 0)
  if (total > MOST_TOTAL_BYTES)
    throw new Error(`The file would unpack to ${total} bytes; at most ${MOST_TOTAL_BYTES} are allowed.`)
}

/**
 * An archive that is read as a whole with its files unpacked already, for libraries that unpack by themselves: damaged data that this refuses
 * keeps some of them unpacking forever. @throws Error
 */
export function unpackedArchive(bytes: Uint8Array): Uint8Array {
  checkArchive(bytes)
  return zipSync(unzipSync(bytes), { level: 0 })
}

/** The files of an archive, folders aside. @throws Error */
export const filesIn = (bytes: Uint8Array): UnzipFileInfo[] =>
  entriesOf(bytes).filter(({ name }) => !name.endsWith('/'))

/** What an archive holds, with sizes. */
export function listArchive(bytes: Uint8Array): string {
  const files = filesIn(bytes)
  const lines = files.map(({ name, originalSize }) => `- ${name} (${originalSize} bytes)`)
  return [`Archive of ${files.length} files. Read one of them with "inner".`, '', ...lines].join('\n')
}

/** How a file of an archive is packed, as numbers of the format, and where its list of files begins, at the end and for each of them. */
const STORED = 0
const DEFLATED = 8
const ZSTANDARD = 93
const END = 0x06054b50
const END_64 = 0x06064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
/** A field of this value stands elsewhere, in 64 bits. */
const ELSEWHERE = 0xffffffff
const PLACE_64 = 20

/** Where the list of the files begins. */
function listAt(view: DataView): number {
  let end = view.byteLength - END_BYTES
  while (end > 0 && view.getUint32(end, true) !== END) end--
  const at = view.getUint32(end + 16, true)
  if (at !== ELSEWHERE && view.getUint16(end + 8, true) !== 0xffff) return at
  const far = Number(view.getBigUint64(end - 12, true))
  return view.getUint32(far, true) === END_64 ? Number(view.getBigUint64(far + 48, true)) : at
}

/** Where a file begins whose entry of the list stands at `at`. */
function localAt(view: DataView, at: number): number {
  const local = view.getUint32(at + 42, true)
  let extra = at + 46 + view.getUint16(at + 28, true)
  const end = extra + view.getUint16(at + 30, true)
  if (local !== ELSEWHERE) return local
  while (extra < end && view.getUint16(extra, true) !== 1) extra += 4 + view.getUint16(extra + 2, true)
  return extra < end ? Number(view.getBigUint64(extra + PLACE_64, true)) : local
}

/** The bytes of each file as they are packed, found in one walk. `entries`: all of the archive, in its order. @throws Error */
function packedFiles(bytes: Uint8Array, entries: readonly UnzipFileInfo[]): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const files = new Map<string, Uint8Array>()
  let at = listAt(view)
  for (const { name, size } of entries) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error('The list of the archive is broken.')
    const local = localAt(view, at)
    if (view.getUint32(local, true) !== LOCAL) throw new Error(`${name} is not where the archive says.`)
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.set(name, bytes.subarray(from, from + size))
    at += 46 + [28, 30, 32].reduce((sum, offset) => sum + view.getUint16(at + offset, true), 0)
  }
  return files
}

/** A packed file, to no more than it claims. @throws Error */
function unpacked(packed: Uint8Array, { name, compression, originalSize }: UnzipFileInfo): Uint8Array {
  if (compression === STORED) return packed.slice(0, originalSize)
  if (compression === ZSTANDARD) return unpackZstandard(packed, originalSize)
  if (compression === DEFLATED) return inflateSync(packed, { out: new Uint8Array(originalSize) })
  throw new Error(`${name} is packed in a way that is not read.`)
}

/** One file of an archive, of at most `most` bytes. Its claimed size is also the most it may really unpack to. @throws Error */
export function readMember(bytes: Uint8Array, name: string, most = MOST_MEMBER_BYTES): Uint8Array {
  const entries = entriesOf(bytes)
  const entry = entries.find((one) => one.name === name)
  if (entry?.compression === ZSTANDARD) {
    checkMember(entry, most)
    return unpacked(packedFiles(bytes, entries).get(name) ?? new Uint8Array(), entry)
  }
  const foundBytes = unzipSync(bytes, {
    filter: (entry) => {
      if (entry.name !== name) return false
      checkMember(entry, most)
      return true
    },
  })[name]
  if (!foundBytes) throw new Error(`There is no "${name}" in the archive.`)
  return foundBytes
}

/** The files of an archive, each unpacked when it is read, so that together they may hold more than an archive read as a whole. @throws Error */
export function archivedFiles(bytes: Uint8Array): ArchivedFile[] {
  const entries = soundEntries(bytes)
  const packed = packedFiles(bytes, entries)
  let total = 0
  return entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({
      ...{ name: entry.name, size: entry.originalSize },
      read() {
        checkMember(entry, MOST_ALONE_BYTES)
        total += entry.originalSize
        if (total > MOST_READ_BYTES)
          throw new Error(`What is read of the archive would be more than ${MOST_READ_BYTES} bytes.`)
        return unpacked(packed.get(entry.name) ?? new Uint8Array(), entry)
      },
    }))
}
