import { roomFor } from './grow'
import type { LaterWords } from './later-words'
import { TermTable, type TermHash } from './term-table'

/** A posting is a row (20 bits) and how often it has the term (12 bits). */
const COUNT_BITS = 12
const MOST_COUNTED = (1 << COUNT_BITS) - 1
/** Rows that a posting can name. */
export const MOST_ROWS = 2 ** (32 - COUNT_BITS)
/** What `renumber` has for a row that is left out. */
export const NO_ROW = 0xffffffff
/** Postings of the longest chunk of a tail. */
const CHUNK = 1024
/** Postings after which `merged` pauses. */
const SLICE = 30_000

/** Postings that lie side by side: `words[from]` up to `words[to - 1]`. */
export interface PostingRun {
  readonly words: Uint32Array
  readonly from: number
  readonly to: number
}

export const rowOfPosting = (posting: number): number => posting >>> COUNT_BITS
export const countOfPosting = (posting: number): number => posting & MOST_COUNTED

/** How many of a term's postings lie in its newest chunk. */
const inNewest = (count: number): number =>
  count >= CHUNK ? ((count - CHUNK) & (CHUNK - 1)) + 1 : count + 1 - (1 << (31 - Math.clz32(count)))

/** By term the rows that have it: most side by side, newer ones in a tail of chunks of 1, 2, 4 ... 1,024 postings, each behind a link to the chunk before. */
export class Postings {
  private tail = new TermTable()
  private pool = new Uint32Array(1024)
  private poolSize = 1
  private waiting = 0

  /** Those of a file, or none. `later` has the words where they lie on a disk. */
  constructor(
    readonly table = new TermTable(),
    readonly words = new Uint32Array(),
    private readonly later: LaterWords | null = null,
  ) {}

  /** Reads everything that lies on a disk. */
  readAll(): void {
    this.table.later?.need()
    this.later?.need()
  }

  /** Postings that are not side by side yet. */
  get tailLength(): number {
    return this.waiting
  }

  /** `row` below `MOST_ROWS`, `count` at least 1; 4,095 is the most that is counted. */
  push(hash: TermHash, row: number, count: number): void {
    const at = this.tail.place(hash)
    const { data } = this.tail
    const before = data[at + 3] as number
    const place = inNewest(before + 1)
    if (place === 1) {
      const size = Math.min(before + 1, CHUNK)
      this.pool = roomFor(this.pool, this.poolSize + size + 1)
      this.pool[this.poolSize] = data[at + 2] as number
      data[at + 2] = this.poolSize
      this.poolSize += size + 1
    }
    this.pool[(data[at + 2] as number) + place] = ((row << COUNT_BITS) | Math.min(MOST_COUNTED, count)) >>> 0
    data[at + 3] = before + 1
    this.waiting++
  }

  /** How many rows have a term. */
  count(hash: TermHash): number {
    const { table, tail } = this
    return (table.data[table.find(hash) + 3] as number) + (tail.data[tail.find(hash) + 3] as number)
  }

  /** The postings of a term. */
  runs(hash: TermHash): PostingRun[] {
    const { table, words } = this
    const at = table.find(hash)
    const from = table.data[at + 2] as number
    const to = from + (table.data[at + 3] as number)
    if (to > from) this.later?.need(from, to)
    const runs: PostingRun[] = [{ words, from, to }]
    this.tailRuns(hash, runs)
    return runs
  }

  private tailRuns(hash: TermHash, runs: PostingRun[]): void {
    const { tail, pool } = this
    const slot = tail.find(hash)
    let chunk = tail.data[slot + 2] as number
    for (let rest = tail.data[slot + 3] as number; rest > 0;) {
      const size = inNewest(rest)
      runs.push({ words: pool, from: chunk + 1, to: chunk + 1 + size })
      rest -= size
      chunk = pool[chunk] as number
    }
  }

  /** All of them side by side, those of rows that `renumber` leaves out taken out; this one stays as it is. Pauses every few milliseconds. */
  *merged(renumber: Uint32Array | null): Generator<void, Postings> {
    const { table, tail } = this
    const target = TermTable.withRoom(table.size + tail.size)
    const words = new Uint32Array(this.words.length + this.waiting)
    const hash: TermHash = { low: 0, high: 0 }
    let size = 0
    let work = 0
    for (const source of [table, tail])
      for (const at of source.slots()) {
        hash.low = source.data[at] as number
        hash.high = source.data[at + 1] as number
        // The terms of the tail that are in the table too came with it.
        if (source === tail && table.data[table.find(hash) + 1] !== 0) continue
        const start = size
        for (const run of this.runsInOrder(hash)) size = copyRun(run, renumber, words, size)
        if (size > start) {
          const slot = target.place(hash)
          target.data[slot + 2] = start
          target.data[slot + 3] = size - start
        }
        work += 8 + size - start
        if (work < SLICE) continue
        work = 0
        yield
      }
    return new Postings(target, size < words.length ? words.slice(0, size) : words)
  }

  /** As `runs`, rows ascending. */
  private runsInOrder(hash: TermHash): PostingRun[] {
    const [first, ...tail] = this.runs(hash)
    return first ? [first, ...tail.reverse()] : []
  }
}

function copyRun(
  { words, from, to }: PostingRun,
  renumber: Uint32Array | null,
  target: Uint32Array,
  start: number,
): number {
  if (renumber === null) {
    target.set(words.subarray(from, to), start)
    return start + to - from
  }
  let size = start
  for (let i = from; i < to; i++) {
    const posting = words[i] as number
    const row = renumber[rowOfPosting(posting)] as number
    if (row !== NO_ROW) target[size++] = ((row << COUNT_BITS) | countOfPosting(posting)) >>> 0
  }
  return size
}
