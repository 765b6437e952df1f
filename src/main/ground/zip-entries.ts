/** Bytes that are read where they are asked for. */
export interface Bytes {
  readonly size: number
  /** Fewer than `length` bytes where they end before. */
  read(at: number, length: number): Buffer
}

/** A file that an archive lists, or a folder, whose name ends in a slash. */
export interface ZipEntry {
  readonly name: string
  /** How it is packed, as a number of the format. */
  readonly method: number
  /** Bytes that it is packed to, and that it claims to unpack to. */
  readonly packed: number
  readonly size: number
  /** CRC-32 of what it unpacks to. */
  readonly crc: number
  /** Where its packed bytes begin. */
  readonly at: number
  readonly isLink: boolean
  readonly isEncrypted: boolean
}

/** Ways of packing, as numbers of the format. */
export const STORED = 0
export const DEFLATED = 8

/** Most files of an archive, and most bytes of its list. */
const MOST_FILES = 10_000
const MOST_LIST_BYTES = 16 * 1024 * 1024

const END = 0x06054b50
const END_64 = 0x06064b50
const PLACE_OF_END_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** A signature of the list, which may stand behind its last file. */
const SIGNATURE = 0x05054b50
const SIGNATURE_BYTES = 6
/** Of the record at the end, without its comment, which is at most 64 KiB; of what says where the larger one is; and of that one. */
const END_BYTES = 22
const MOST_COMMENT = 0xffff
const PLACE_BYTES = 20
const END_64_BYTES = 56
const LOCAL_BYTES = 30
const ENTRY_BYTES = 46
/** A field of this value stands elsewhere, in 64 bits (zip64). */
const ELSEWHERE = 0xffffffff
const ELSEWHERE_COUNT = 0xffff

const NO_ARCHIVE = 'The file is no whole zip archive.'
const BROKEN = 'The list of the archive is broken.'

/** Where the list is, and how many files it is of. */
interface List {
  readonly at: number
  readonly end: number
  readonly count: number
}

/** The record at the end, which the bytes have to end with. */
function listOf(bytes: Bytes): List {
  const from = Math.max(0, bytes.size - END_BYTES - MOST_COMMENT)
  const tail = bytes.read(from, bytes.size - from)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
    const list = { at: tail.readUInt32LE(at + 16), end: from + at, count: tail.readUInt16LE(at + 10) }
    return list.at === ELSEWHERE || list.count === ELSEWHERE_COUNT ? (largeListOf(bytes, list) ?? list) : list
  }
  throw new Error(NO_ARCHIVE)
}

/** Of an archive of more files or bytes than the record at the end has room for. */
function largeListOf(bytes: Bytes, { end }: List): List | null {
  const place = bytes.read(Math.max(0, end - PLACE_BYTES), PLACE_BYTES)
  if (end < PLACE_BYTES || place.readUInt32LE(0) !== PLACE_OF_END_64) return null
  const at = Number(place.readBigUInt64LE(8))
  const record = at < end ? bytes.read(at, END_64_BYTES) : Buffer.alloc(0)
  if (record.length < END_64_BYTES || record.readUInt32LE(0) !== END_64) throw new Error(BROKEN)
  return { at: Number(record.readBigUInt64LE(48)), end: at, count: Number(record.readBigUInt64LE(32)) }
}

/** The fields of an entry that stand elsewhere, in their order. */
function largeFields(extra: Buffer, fields: readonly number[]): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return fields.map((field) => {
    if (field !== ELSEWHERE || at + 8 > extra.length) return field
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

/** An entry of the list, whose packed bytes are found where it says. */
function entryAt(
  bytes: Bytes,
  view: Buffer,
  at: number,
): ZipEntry & { readonly begins: number; readonly bytesOfList: number } {
  if (view.readUInt32LE(at) !== ENTRY) throw new Error(BROKEN)
  const nameEnd = at + ENTRY_BYTES + view.readUInt16LE(at + 28)
  const extraEnd = nameEnd + view.readUInt16LE(at + 30)
  const end = extraEnd + view.readUInt16LE(at + 32)
  if (end > view.length) throw new Error(BROKEN)
  const name = view.toString('utf8', at + ENTRY_BYTES, nameEnd)
  const [size = 0, packed = 0, begins = 0] = largeFields(view.subarray(nameEnd, extraEnd), [
    ...[view.readUInt32LE(at + 24), view.readUInt32LE(at + 20), view.readUInt32LE(at + 42)],
  ])
  const head = begins < bytes.size ? bytes.read(begins, LOCAL_BYTES) : Buffer.alloc(0)
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL)
    throw new Error(`${name} is not where the archive says.`)
  return {
    ...{ name, size, packed, begins, bytesOfList: end - at },
    method: view.readUInt16LE(at + 10),
    crc: view.readUInt32LE(at + 16),
    at: begins + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28),
    isLink: ((view.readUInt32LE(at + 38) >>> 16) & 0xf000) === 0xa000,
    isEncrypted: (view.readUInt16LE(at + 8) & 1) === 1,
  }
}

/** Bytes of the signature at a place of the list; 0 where there is none. Nobody's word is taken for it: it is passed over. */
const signatureBytes = (view: Buffer, at: number): number =>
  at + SIGNATURE_BYTES <= view.length && view.readUInt32LE(at) === SIGNATURE
    ? SIGNATURE_BYTES + view.readUInt16LE(at + 4)
    : 0

/**
 * What an archive lists, in its order. The list is read to its end and to nothing else but a signature of it, no file is listed twice, and none shares bytes with another.
 * Nothing is unpacked. @throws Error in words
 */
export function zipEntries(bytes: Bytes): ZipEntry[] {
  const list = listOf(bytes)
  if (list.count > MOST_FILES) throw new Error(`The archive lists more than ${MOST_FILES} files.`)
  if (list.at > list.end) throw new Error(BROKEN)
  if (list.end - list.at > MOST_LIST_BYTES)
    throw new Error(`The list of the archive has more than ${MOST_LIST_BYTES} bytes.`)
  const view = bytes.read(list.at, list.end - list.at)
  const entries: ReturnType<typeof entryAt>[] = []
  const names = new Set<string>()
  let at = 0
  while (entries.length < list.count) {
    if (at + ENTRY_BYTES > view.length) throw new Error(BROKEN)
    const entry = entryAt(bytes, view, at)
    if (names.has(entry.name)) throw new Error(`The archive names a file twice: ${entry.name}.`)
    names.add(entry.name)
    entries.push(entry)
    at += entry.bytesOfList
  }
  if (at + signatureBytes(view, at) !== view.length)
    throw new Error('The archive lists other files than it counts.')
  let before = 0
  for (const { name, begins, at: from, packed } of entries.toSorted((a, b) => a.begins - b.begins)) {
    if (begins < before) throw new Error(`The files of the archive overlap: ${name} lies in another.`)
    before = from + packed
    if (before > list.at) throw new Error(`${name} is cut off.`)
  }
  return entries
}
