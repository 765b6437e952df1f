import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { LoamError } from '../../shared/errors'

/** Most files of an archive, most bytes of its list, and most bytes that its files may unpack to together. */
const MOST_FILES = 10_000
const MOST_LIST_BYTES = 16 * 1024 * 1024
const MOST_TOTAL_BYTES = 4 * 1024 * 1024 * 1024
/** How many times larger than packed a file may claim to be. */
const MOST_RATIO = 1000
/** Below this many bytes the ratio says nothing. */
const RATIO_COUNTS_FROM = 1024 * 1024

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** Of the record at the end, without its comment, which is at most 64 KiB. */
const END_BYTES = 22
const MOST_COMMENT = 0xffff
/** A field of this value says that the size is written elsewhere (zip64). */
const ELSEWHERE = 0xffffffff

/** What is wrong with an archive. */
export const badArchive = (cause: string): LoamError =>
  new LoamError('BAD_INPUT', cause, {
    suggestion: 'Get the file again from where it came from. Nothing was changed.',
  })

/** Bytes that are read where they are asked for. */
export interface Bytes {
  readonly size: number
  /** Fewer than `length` bytes where they end before. */
  read(at: number, length: number): Buffer
}

/** A file of an archive, and how it is unpacked: piece by piece. */
export interface ZipFile {
  readonly name: string
  /** Bytes that it claims to unpack to, and never more than it does. */
  readonly size: number
  pieces(): AsyncGenerator<Buffer>
}

/**
 * Every file of a zip archive, by name. Written for archives that may be hostile: nothing is read that is not listed, every limit is
 * checked before anything is unpacked, no file unpacks to more than it claims, and names that lead elsewhere, links, folders,
 * files listed twice and encrypted ones are refused. It takes as little memory as a piece of a file.
 * @throws LoamError `BAD_INPUT`, also while a file is unpacked
 */
export function readZip(bytes: Bytes): Map<string, ZipFile> {
  return new Map(
    inWords(() => listed(bytes)).map((entry) => [
      entry.name,
      { name: entry.name, size: entry.size, pieces: () => unpacked(bytes, entry) },
    ]),
  )
}

const asBadArchive = (error: unknown): LoamError =>
  error instanceof LoamError ? error : badArchive('The file is no whole zip archive.')

function inWords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asBadArchive(error)
  }
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** The files an archive lists, checked against each other and against every limit. */
function listed(bytes: Bytes): Entry[] {
  const { end, place } = endOf(bytes)
  const count = end.readUInt16LE(10)
  if (count > MOST_FILES) throw badArchive(`The archive lists more than ${MOST_FILES} files.`)
  const listAt = end.readUInt32LE(16)
  if (place - listAt > MOST_LIST_BYTES)
    throw badArchive(`The list of the archive has more than ${MOST_LIST_BYTES} bytes.`)
  const view = bytes.read(listAt, place - listAt)
  let at = 0
  const entries: Entry[] = []
  const names = new Set<string>()
  let [total, packed] = [0, 0]
  for (let i = 0; i < count; i++) {
    if (view.readUInt32LE(at) !== ENTRY) throw badArchive('The list of the archive is broken.')
    const nameLength = view.readUInt16LE(at + 28)
    const name = view.toString('utf8', at + 46, at + 46 + nameLength)
    const entry: Entry = {
      name,
      method: view.readUInt16LE(at + 10),
      packed: view.readUInt32LE(at + 20),
      size: view.readUInt32LE(at + 24),
      at: view.readUInt32LE(at + 42),
    }
    const isLink = ((view.readUInt32LE(at + 38) >>> 16) & 0xf000) === 0xa000
    const problem = problemOf(entry, isLink, (view.readUInt16LE(at + 8) & 1) === 1)
    if (problem !== null) throw badArchive(`${JSON.stringify(name.slice(0, 80))} ${problem}.`)
    if (names.has(name)) throw badArchive(`${name} is in the archive twice.`)
    names.add(name)
    total += entry.size
    packed += entry.packed
    // Bytes that belong to several files would be unpacked many times.
    if (packed > bytes.size) throw badArchive('The files of the archive overlap.')
    if (total > MOST_TOTAL_BYTES)
      throw badArchive(`The archive would unpack to more than ${MOST_TOTAL_BYTES} bytes.`)
    entries.push(entry)
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return entries
}

/** The record at the end, and where it begins. */
function endOf(bytes: Bytes): { readonly end: Buffer; readonly place: number } {
  const from = Math.max(0, bytes.size - END_BYTES - MOST_COMMENT)
  const tail = bytes.read(from, bytes.size - from)
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail.readUInt32LE(at) === END) return { end: tail.subarray(at), place: from + at }
  throw badArchive('The file is no whole zip archive.')
}

/** Only plain names below the archive's own root. */
const NAME = /^(?!\/)(?:[A-Za-z0-9_.-]+\/)*[A-Za-z0-9_.-]+$/

function problemOf(
  { name, method, packed, size }: Entry,
  isLink: boolean,
  isEncrypted: boolean,
): string | null {
  if (name.length > 255 || !NAME.test(name) || name.split('/').some((part) => /^\.+$/.test(part)))
    return 'is a name that a bundle does not have'
  if (isLink) return 'is a link'
  if (isEncrypted) return 'is encrypted'
  if (method !== 0 && method !== 8) return 'is packed in a way that is not read'
  if (size === ELSEWHERE || packed === ELSEWHERE || size > MOST_TOTAL_BYTES)
    return `would unpack to more than ${MOST_TOTAL_BYTES} bytes`
  if (size > RATIO_COUNTS_FROM && size > packed * MOST_RATIO)
    return `is packed more than ${MOST_RATIO} to 1, as archives meant to fill a disk are`
  return null
}

/** Bytes that are read, and unpacked, at once. */
const PIECE = 64 * 1024

async function* unpacked(bytes: Bytes, entry: Entry): AsyncGenerator<Buffer> {
  const { name, method, size } = entry
  const packed = inWords(() => packedPieces(bytes, entry))
  let count = 0
  try {
    for await (const piece of method === 0 ? packed : inflated(packed)) {
      count += piece.length
      if (count > size) break
      yield piece
    }
  } catch (error) {
    throw asBadArchive(error)
  }
  if (count !== size) throw badArchive(`${name} does not unpack to the size it claims.`)
}

function packedPieces(bytes: Bytes, { name, packed, at }: Entry): Iterable<Buffer> {
  const head = bytes.read(at, 30)
  if (head.readUInt32LE(0) !== LOCAL) throw badArchive(`${name} is not where the archive says.`)
  const begin = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (begin + packed > bytes.size) throw badArchive(`${name} is cut off.`)
  return (function* pieces() {
    for (let from = 0; from < packed; from += PIECE)
      yield bytes.read(begin + from, Math.min(PIECE, packed - from))
  })()
}

async function* inflated(packed: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = createInflateRaw({ chunkSize: PIECE })
  // What fails is told by the one that is read below.
  pipeline(Readable.from(packed), unpacker, () => undefined)
  for await (const piece of unpacker) yield piece as Buffer
}
