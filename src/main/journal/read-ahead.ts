/** Bytes that are read at once by who reads one piece behind another. */
const AHEAD = 64 * 1024
const NOTHING = { segment: '', offset: 0, bytes: Buffer.alloc(0) as Buffer }

/**
 * Pieces of files that are only added to. Who goes through them in order has many of them with one read. `read` answers as many bytes as there
 * are; `sizeOf` says up to where a file stays as it is.
 */
export function readAhead(
  read: (segment: string, offset: number, length: number) => Promise<Buffer>,
  sizeOf: (segment: string) => number,
) {
  let ahead = NOTHING
  /** Where the last piece ends that was asked for. */
  let last = { segment: '', end: 0 }

  return {
    async bytes(segment: string, offset: number, length: number): Promise<Buffer> {
      const isNext = segment === last.segment && offset >= last.end && offset < last.end + AHEAD
      last = { segment, end: offset + length }
      const from = offset - ahead.offset
      if (segment === ahead.segment && from >= 0 && from + length <= ahead.bytes.length)
        return ahead.bytes.subarray(from, from + length)
      if (!isNext) return read(segment, offset, length)
      const bytes = await read(segment, offset, Math.max(length, Math.min(AHEAD, sizeOf(segment) - offset)))
      ahead = { segment, offset, bytes }
      return bytes.subarray(0, length)
    },
    /** Lets go of what was read ahead. */
    forget(): void {
      ahead = NOTHING
    },
  }
}
