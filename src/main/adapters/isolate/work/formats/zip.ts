import { crc32, inflateRawSync } from 'node:zlib'
// Its build for Node declares a "require" of its own, which the bundler's collides with; packing is the same in both.
import { zipSync } from 'fflate/browser'
import type { ArchivedFile } from '../../../../../core/memory/experiences/import/log'
import { DEFLATED, STORED, zipEntries, type ZipEntry } from '../../../../ground/zip-entries'
import { unpackZstandard } from './zstandard'

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

/** What an archive lists. @throws Error */
function entriesOf(bytes: Uint8Array): ZipEntry[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return zipEntries({ size: view.length, read: (at, length) => view.subarray(at, at + length) })
}

function checkMember(entry: ZipEntry, most = MOST_MEMBER_BYTES): void {
  if (entry.size > most)
    throw new Error(`${entry.name} would unpack to ${entry.size} bytes; at most ${most} are allowed.`)
  if (entry.size > RATIO_COUNTS_FROM && entry.size > entry.packed * MOST_RATIO) {
    throw new Error(
      `${entry.name} is packed more than ${MOST_RATIO} to 1, as archives meant to fill a disk are.`,
    )
  }
}

/** Refuses an archive that is read as a whole and would unpack to too much, or that is broken. Answers what it lists. @throws Error */
export function checkArchive(bytes: Uint8Array): ZipEntry[] {
  const entries = entriesOf(bytes)
  for (const entry of entries) checkMember(entry)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > MOST_TOTAL_BYTES)
    throw new Error(`The file would unpack to ${total} bytes; at most ${MOST_TOTAL_BYTES} are allowed.`)
  return entries
}

/**
 * An archive that is read as a whole with its files unpacked already, for libraries that unpack by themselves: damaged data that this refuses
 * keeps some of them unpacking forever. @throws Error
 */
export function unpackedArchive(bytes: Uint8Array): Uint8Array {
  // Where names are those of an object's values, this one is none.
  const files = checkArchive(bytes).filter(({ name }) => !name.endsWith('/') && name !== '__proto__')
  return zipSync(Object.fromEntries(files.map((entry) => [entry.name, unpacked(bytes, entry)])), { level: 0 })
}

/** The files of an archive, folders aside. @throws Error */
export const filesIn = (bytes: Uint8Array): ZipEntry[] =>
  entriesOf(bytes).filter(({ name }) => !name.endsWith('/'))

/** What an archive holds, with sizes. */
export function listArchive(bytes: Uint8Array): string {
  const files = filesIn(bytes)
  const lines = files.map(({ name, size }) => `- ${name} (${size} bytes)`)
  return [`Archive of ${files.length} files. Read one of them with "inner".`, '', ...lines].join('\n')
}

const ZSTANDARD = 93

/** A file as it was packed. @throws Error for one that is packed otherwise, is no file, or is not what the archive says of it */
function unpacked(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const { name, isLink, isEncrypted, size, crc } = entry
  if (isLink) throw new Error(`${name} is a link.`)
  if (isEncrypted) throw new Error(`${name} is encrypted: it needs a password.`)
  const whole = inflated(bytes.subarray(entry.at, entry.at + entry.packed), entry)
  if (whole.length === size && crc32(whole) === crc) return whole
  throw damagedMember(name)
}

const damagedMember = (name: string): Error =>
  new Error(`${name} is damaged: it does not unpack to what the archive says of it.`)

/** To no more than it claims. */
function inflated(packed: Uint8Array, { name, method, size }: ZipEntry): Uint8Array {
  if (method === STORED) return packed.slice()
  if (method === ZSTANDARD) return unpackZstandard(packed, size)
  if (method !== DEFLATED) throw new Error(`${name} is packed in a way that is not read.`)
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }))
  } catch {
    throw damagedMember(name)
  }
}

/** One file of an archive, of at most `most` bytes. @throws Error */
export function readMember(bytes: Uint8Array, name: string, most = MOST_MEMBER_BYTES): Uint8Array {
  const entry = filesIn(bytes).find((one) => one.name === name)
  if (!entry) throw new Error(`There is no "${name}" in the archive.`)
  checkMember(entry, most)
  return unpacked(bytes, entry)
}

/** The files of an archive, each unpacked when it is read, so that together they may hold more than an archive read as a whole. @throws Error */
export function archivedFiles(bytes: Uint8Array): ArchivedFile[] {
  let total = 0
  return filesIn(bytes).map((entry) => ({
    ...{ name: entry.name, size: entry.size },
    read() {
      checkMember(entry, MOST_ALONE_BYTES)
      total += entry.size
      if (total > MOST_READ_BYTES)
        throw new Error(`What is read of the archive would be more than ${MOST_READ_BYTES} bytes.`)
      return unpacked(bytes, entry)
    },
  }))
}
