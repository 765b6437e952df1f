import { crc32 } from 'node:zlib'
import { roomFor } from '../../core/retrieval/grow'

/** Where an event stands: segment file, byte offset and length, with the CRC-32 of its bytes. */
export interface EventPlace {
  readonly segment: string
  readonly offset: number
  readonly length: number
  readonly sum: number
}

/** Where the events of a journal stand, by their number; the first one is 0. Held as columns, since a memory may have a million. */
export type EventPlaces = ReturnType<typeof createEventPlaces>

/** Begins with none. */
export function createEventPlaces() {
  const segments: { readonly name: string; readonly first: number }[] = []
  let offsets = new Float64Array(0)
  let lengths = new Uint32Array(0)
  let sums = new Uint32Array(0)
  let count = 0

  return {
    get count(): number {
      return count
    },
    /** Adds those of a line, which begins at `offset`; `parts` says where they stand in it (`partsOf`). */
    add(segment: string, offset: number, line: Uint8Array, parts: Uint32Array): void {
      if (segments.at(-1)?.name !== segment) segments.push({ name: segment, first: count })
      const most = count + parts.length - 1
      offsets = roomFor(offsets, most)
      lengths = roomFor(lengths, most)
      sums = roomFor(sums, most)
      for (let part = 0; count < most; part++, count++) {
        const [from, to] = [parts[part] as number, (parts[part + 1] as number) - 1]
        offsets[count] = offset + from
        lengths[count] = to - from
        sums[count] = crc32(line.subarray(from, to))
      }
    },
    /** Null for a number that no event has. */
    at(event: number): EventPlace | null {
      if (event >= count) return null
      const segment = segments.findLast(({ first }) => first <= event)?.name ?? ''
      const [offset = 0, length = 0, sum = 0] = [offsets[event], lengths[event], sums[event]]
      return { segment, offset, length, sum }
    },
  }
}
