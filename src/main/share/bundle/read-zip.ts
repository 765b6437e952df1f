import { inflateRawSync } from 'node:zlib'
import { LoamError } from '../../../shared/errors'

/** Most files of an archive, most bytes one may unpack to, and most bytes of all together. */
const MOST_FILES = 10_000
const MOST_MEMBER_BYTES = 256 * 1024 * 1024
const MOST_TOTAL_BYTES = 1024 * 1024 * 1024
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

/**
 * Every file of a zip archive, unpacked, by name. Written for archives that may be hostile: nothing is read that is not listed, every
 * limit is checked before anything is unpacked, no file unpacks to more than it claims, and names that lead elsewhere, links, folders,
 * files listed twice and encrypted ones are refused.
 * @throws LoamError `BAD_INPUT`
 */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const entries = listed(view)
    return new Map(entries.map((entry) => [entry.name, unpacked(view, entry)]))
  } catch (error) {
    if (error instanceof LoamError) throw error
    throw badArchive('The file is no whole zip archive.')
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
function listed(view: Buffer): Entry[] {
  const end = endOf(view)
  const count = view.readUInt16LE(end + 10)
  if (count > MOST_FILES) throw badArchive(`The archive lists more than ${MOST_FILES} files.`)
  let at = view.readUInt32LE(end + 16)
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
    if (packed > view.length) throw badArchive('The files of the archive overlap.')
    if (total > MOST_TOTAL_BYTES)
      throw badArchive(`The archive would unpack to more than ${MOST_TOTAL_BYTES} bytes.`)
    entries.push(entry)
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return entries
}

function endOf(view: Buffer): number {
  for (let at = view.length - END_BYTES; at >= Math.max(0, view.length - END_BYTES - MOST_COMMENT); at--)
    if (view.readUInt32LE(at) === END) return at
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
  if (size === ELSEWHERE || packed === ELSEWHERE || size > MOST_MEMBER_BYTES)
    return `would unpack to more than ${MOST_MEMBER_BYTES} bytes`
  if (size > RATIO_COUNTS_FROM && size > packed * MOST_RATIO)
    return `is packed more than ${MOST_RATIO} to 1, as archives meant to fill a disk are`
  return null
}

function unpacked(view: Buffer, { name, method, packed, size, at }: Entry): Uint8Array {
  if (view.readUInt32LE(at) !== LOCAL) throw badArchive(`${name} is not where the archive says.`)
  const begin = at + 30 + view.readUInt16LE(at + 26) + view.readUInt16LE(at + 28)
  if (begin + packed > view.length) throw badArchive(`${name} is cut off.`)
  const data = view.subarray(begin, begin + packed)
  const whole =
    method === 0 ? data : size === 0 ? Buffer.alloc(0) : inflateRawSync(data, { maxOutputLength: size })
  if (whole.length !== size) throw badArchive(`${name} does not unpack to the size it claims.`)
  return whole
}
