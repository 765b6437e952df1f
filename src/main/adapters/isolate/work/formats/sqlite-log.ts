/** Bytes of a log's head, and of what stands before each page in it. */
const HEAD = 32
const FRAME = 24
/** How a log begins, without its last bit, which says in which order the bytes of a number were summed. */
const MAGIC = 0x377f0682

/** SQLite's sum over pairs of numbers of 32 bits, going on from an earlier one. */
function summed(view: DataView, from: number, to: number, littleEndian: boolean, [a, b]: Sum): Sum {
  let first = a
  let second = b
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0
  }
  return [first, second]
}
type Sum = readonly [number, number]

/** A page of the log: its number from 1, and where it begins. */
interface Page {
  readonly number: number
  readonly at: number
}

/**
 * A database with what SQLite wrote into the log beside it (`-wal`) and not yet into the database: the pages of all changes that were committed, as
 * SQLite itself reads it. A log without a whole change adds nothing.
 * @throws Error, in words
 */
export function withLog(database: Uint8Array, log: Uint8Array): Uint8Array {
  const { pages, pageBytes, pageCount } = committedPages(log)
  if (pages.length === 0) return database.slice()
  if (pageCount * pageBytes > database.length + log.length)
    throw new Error('its log names more pages than there are')
  const whole = new Uint8Array(pageCount * pageBytes)
  whole.set(database.subarray(0, whole.length))
  for (const { number, at } of pages)
    if (number <= pageCount) whole.set(log.subarray(at, at + pageBytes), (number - 1) * pageBytes)
  return whole
}

/** The pages up to the last whole change, in the order in which they were written, and how many pages the database has then. */
function committedPages(log: Uint8Array) {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  const none = { pages: [] as Page[], pageBytes: 0, pageCount: 0 }
  if (log.length < HEAD || (view.getUint32(0) & ~1) >>> 0 !== MAGIC) return none
  const littleEndian = (view.getUint32(0) & 1) === 0
  const pageBytes = view.getUint32(8)
  if (pageBytes < 512 || pageBytes > 65_536) return none
  let sum = summed(view, 0, 24, littleEndian, [0, 0])
  if (view.getUint32(24) !== sum[0] || view.getUint32(28) !== sum[1]) return none
  const pages: Page[] = []
  let committed = { count: 0, pageCount: 0 }
  for (let at = HEAD; at + FRAME + pageBytes <= log.length; at += FRAME + pageBytes) {
    // What an earlier log left behind has another salt.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break
    sum = summed(view, at, at + 8, littleEndian, sum)
    sum = summed(view, at + FRAME, at + FRAME + pageBytes, littleEndian, sum)
    if (view.getUint32(at + 16) !== sum[0] || view.getUint32(at + 20) !== sum[1]) break
    pages.push({ number: view.getUint32(at), at: at + FRAME })
    const pageCount = view.getUint32(at + 4)
    if (pageCount > 0) committed = { count: pages.length, pageCount }
  }
  return { pages: pages.slice(0, committed.count), pageBytes, pageCount: committed.pageCount }
}
