import type { LaterWords } from './later-words'

/** Words of a slot: hash low, hash high (0: free), start, count. */
const SLOT = 4
const FIRST_SLOTS = 1024

/** A term as 53 bits; two terms of a million have the same once in ten thousand such indexes. */
export interface TermHash {
  low: number
  high: number
}

/** Writes the hash of a term into `into`: two sums over its UTF-16 units, mixed. */
export function hashTerm(term: string, into: TermHash): void {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 15
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b)
  a ^= a >>> 13
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b ^= b >>> 16
  into.low = a >>> 0
  into.high = ((b >>> 11) | 1) >>> 0
}

/** Terms by their hashes, each with a start and a count, in one array: it is read from a file as it stands. Terms are never taken out. */
export class TermTable {
  private mask: number

  /** `data` is that of another table, or empty; `later` has it where it lies on a disk: then nothing is placed. */
  constructor(
    public data = new Uint32Array(FIRST_SLOTS * SLOT),
    public size = 0,
    readonly later: LaterWords | null = null,
  ) {
    this.mask = data.length / SLOT - 1
  }

  /** An empty one with room for so many terms. */
  static withRoom(terms: number): TermTable {
    let slots = FIRST_SLOTS
    while (slots * 2 < terms * 3) slots *= 2
    return new TermTable(new Uint32Array(slots * SLOT))
  }

  /** Where a term's slot begins; a free one, whose count is 0, where it is not there. */
  find({ low, high }: TermHash): number {
    const { data, mask } = this
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT
      this.later?.need(at, at + SLOT)
      const own = data[at + 1] as number
      if (own === 0 || (own === high && data[at] === low)) return at
    }
  }

  /** As `find`; made where it is not there. */
  place(hash: TermHash): number {
    if (this.size * 3 >= (this.mask + 1) * 2) this.widen()
    const at = this.find(hash)
    if (this.data[at + 1] === 0) {
      this.data[at] = hash.low
      this.data[at + 1] = hash.high
      this.size++
    }
    return at
  }

  /** Where the slots that are taken begin. */
  *slots(): Generator<number> {
    this.later?.need()
    for (let at = 0; at < this.data.length; at += SLOT) if (this.data[at + 1] !== 0) yield at
  }

  private widen(): void {
    const old = this.data
    this.data = new Uint32Array(old.length * 2)
    this.mask = this.mask * 2 + 1
    for (let at = 0; at < old.length; at += SLOT) {
      const high = old[at + 1] as number
      if (high !== 0) this.data.set(old.subarray(at, at + SLOT), this.find({ low: old[at] as number, high }))
    }
  }
}
