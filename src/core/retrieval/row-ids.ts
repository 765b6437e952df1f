import { roomFor } from './grow'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const FIRST_SLOTS = 1024

/** What the ids of rows are made of. */
export interface IdColumns {
  /** Where each id begins in `bytes`, and where the last one ends. */
  readonly starts: Uint32Array
  readonly bytes: Uint8Array
  /** Numbers of rows, plus 1, by the hash of their id. */
  readonly slots: Uint32Array
}

/** Ids of rows in order of arrival. An id may come again: its newest row counts. No id is kept as text, so that a file is read as it stands. */
export class RowIds {
  private starts: Uint32Array
  private bytes: Uint8Array
  private slots: Uint32Array

  constructor(
    columns: IdColumns = {
      starts: new Uint32Array(1),
      bytes: new Uint8Array(),
      slots: new Uint32Array(FIRST_SLOTS),
    },
    private size = columns.starts.length - 1,
  ) {
    this.starts = columns.starts
    this.bytes = columns.bytes
    this.slots = columns.slots
  }

  /** None yet, with room for so many. */
  static withRoom(rows: number): RowIds {
    let slots = FIRST_SLOTS
    while (slots * 2 < rows * 3) slots *= 2
    return new RowIds({ starts: new Uint32Array(1), bytes: new Uint8Array(), slots: new Uint32Array(slots) })
  }

  get columns(): IdColumns {
    const { starts, bytes, slots, size } = this
    return { starts: starts.subarray(0, size + 1), bytes: bytes.subarray(0, starts[size]), slots }
  }

  add(id: string): void {
    const own = encoder.encode(id)
    const row = this.size++
    const start = this.starts[row] as number
    this.starts = roomFor(this.starts, this.size + 1)
    this.bytes = roomFor(this.bytes, start + own.length)
    this.bytes.set(own, start)
    this.starts[this.size] = start + own.length
    if (this.size * 3 > this.slots.length * 2) {
      this.slots = new Uint32Array(this.slots.length * 2)
      for (let other = 0; other < row; other++) this.slots[this.slotOf(this.bytesOf(other))] = other + 1
    }
    this.slots[this.slotOf(own)] = row + 1
  }

  /** The newest row of an id, -1 where there is none. */
  rowOf(id: string): number {
    return (this.slots[this.slotOf(encoder.encode(id))] as number) - 1
  }

  idOf(row: number): string {
    return decoder.decode(this.bytesOf(row))
  }

  private bytesOf(row: number): Uint8Array {
    return this.bytes.subarray(this.starts[row], this.starts[row + 1])
  }

  private slotOf(own: Uint8Array): number {
    const { slots } = this
    const mask = slots.length - 1
    let hash = 0x811c9dc5
    for (const byte of own) hash = Math.imul(hash ^ byte, 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[slot] as number) - 1
      if (row < 0 || this.isIdOf(row, own)) return slot
    }
  }

  private isIdOf(row: number, own: Uint8Array): boolean {
    const { bytes } = this
    const start = this.starts[row] as number
    if ((this.starts[row + 1] as number) - start !== own.length) return false
    for (let i = 0; i < own.length; i++) if (bytes[start + i] !== own[i]) return false
    return true
  }
}
