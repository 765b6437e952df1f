import { Decompress } from 'fzstd'

/** What was packed with Zstandard; unpacks to exactly `size` bytes, and never keeps more. @throws Error in words */
export function unpackZstandard(packed: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let count = 0
  const unpacker = new Decompress((piece) => {
    if (count + piece.length > size) throw new Error(`it unpacks to more than the ${size} bytes it claims`)
    bytes.set(piece, count)
    count += piece.length
  })
  unpacker.push(packed, true)
  if (count !== size) throw new Error(`it unpacks to ${count} bytes, not to the ${size} it claims`)
  return bytes
}
