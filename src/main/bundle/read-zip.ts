import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { LoamError } from '../../shared/errors'
import { DEFLATED, STORED, zipEntries, type Bytes, type ZipEntry } from '../ground/zip-entries'

/** Most bytes that the files of an archive may unpack to together. */
const MOST_TOTAL_BYTES = 4 * 1024 * 1024 * 1024
/** How many times larger than packed a file may claim to be. */
const MOST_RATIO = 1000
/** Below this many bytes the ratio says nothing. */
const RATIO_COUNTS_FROM = 1024 * 1024

/** What is wrong with an archive. */
export const badArchive = (cause: string): LoamError =>
  new LoamError('BAD_INPUT', cause, {
    suggestion: 'Get the file again from where it came from. Nothing was changed.',
  })

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
    listed(bytes).map((entry) => [
      entry.name,
      { name: entry.name, size: entry.size, pieces: () => unpacked(bytes, entry) },
    ]),
  )
}

const asBadArchive = (error: unknown): LoamError =>
  error instanceof LoamError ? error : badArchive('The file is no whole zip archive.')

/** The files an archive lists, checked against every limit. */
function listed(bytes: Bytes): ZipEntry[] {
  const entries = entriesOf(bytes)
  for (const entry of entries) {
    const problem = problemOf(entry)
    if (problem !== null) throw badArchive(`${JSON.stringify(entry.name.slice(0, 80))} ${problem}.`)
  }
  if (entries.reduce((total, { size }) => total + size, 0) > MOST_TOTAL_BYTES)
    throw badArchive(`The archive would unpack to more than ${MOST_TOTAL_BYTES} bytes.`)
  return entries
}

function entriesOf(bytes: Bytes): ZipEntry[] {
  try {
    return zipEntries(bytes)
  } catch (error) {
    throw badArchive(error instanceof Error ? error.message : String(error))
  }
}

/** Only plain names below the archive's own root. */
const NAME = /^(?!\/)(?:[A-Za-z0-9_.-]+\/)*[A-Za-z0-9_.-]+$/

function problemOf({ name, method, packed, size, isLink, isEncrypted }: ZipEntry): string | null {
  if (name.length > 255 || !NAME.test(name) || name.split('/').some((part) => /^\.+$/.test(part)))
    return 'is a name that a bundle does not have'
  if (isLink) return 'is a link'
  if (isEncrypted) return 'is encrypted'
  if (method !== STORED && method !== DEFLATED) return 'is packed in a way that is not read'
  if (size > MOST_TOTAL_BYTES) return `would unpack to more than ${MOST_TOTAL_BYTES} bytes`
  if (size > RATIO_COUNTS_FROM && size > packed * MOST_RATIO)
    return `is packed more than ${MOST_RATIO} to 1, as archives meant to fill a disk are`
  return null
}

/** Bytes that are read, and unpacked, at once. */
const PIECE = 64 * 1024

async function* unpacked(bytes: Bytes, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { name, method, size } = entry
  const packed = packedPieces(bytes, entry)
  let count = 0
  try {
    for await (const piece of method === STORED ? packed : inflated(packed)) {
      count += piece.length
      if (count > size) break
      yield piece
    }
  } catch (error) {
    throw asBadArchive(error)
  }
  if (count !== size) throw badArchive(`${name} does not unpack to the size it claims.`)
}

function* packedPieces(bytes: Bytes, { packed, at }: ZipEntry): Generator<Buffer> {
  for (let from = 0; from < packed; from += PIECE) yield bytes.read(at + from, Math.min(PIECE, packed - from))
}

async function* inflated(packed: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = createInflateRaw({ chunkSize: PIECE })
  // What fails is told by the one that is read below.
  pipeline(Readable.from(packed), unpacker, () => undefined)
  for await (const piece of unpacker) yield piece as Buffer
}
