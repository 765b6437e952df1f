import { open } from 'node:fs/promises'

/** Bytes that are held at first; as many as the longest line takes, later. */
const PIECE = 1 << 20
const NEWLINE = 0x0a

/** A file that is read line by line, as long as it was when it was opened. */
export interface OpenLines {
  readonly size: number
  /** The next line without its newline, good until `readOn`; null where what is held has no whole one left. */
  next(): Buffer | null
  /** Reads more of the file; false at its end. */
  readOn(): Promise<boolean>
  close(): Promise<void>
}

/** Opens a file of lines and holds little more of it than one line: large buffers, let go of one by one, stay with the process. */
export async function openLines(path: string): Promise<OpenLines> {
  const file = await open(path, 'r')
  let bytes = Buffer.alloc(0)
  /** What is held and not given out yet, and where in the file it ends. */
  let [from, to, position] = [0, 0, 0]
  const { size } = await file.stat().catch(async (error: unknown) => {
    await file.close()
    throw error
  })

  function makeRoom(): void {
    const rest = bytes.subarray(from, to)
    const length = Math.max(Math.min(PIECE, size), rest.length > bytes.length / 2 ? 2 * bytes.length : 0)
    if (length > bytes.length) bytes = Buffer.allocUnsafeSlow(length)
    rest.copy(bytes)
    ;[from, to] = [0, rest.length]
  }

  return {
    size,
    next() {
      const end = bytes.subarray(0, to).indexOf(NEWLINE, from)
      if (end === -1) return null
      const line = bytes.subarray(from, end)
      from = end + 1
      return line
    },
    async readOn() {
      makeRoom()
      const { bytesRead } = await file.read(bytes, to, Math.min(bytes.length - to, size - position), position)
      to += bytesRead
      position += bytesRead
      return bytesRead > 0
    },
    close: () => file.close(),
  }
}
