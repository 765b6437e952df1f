/** Bytes looked at to tell text from anything else. */
const SAMPLE = 8192

/** Whether the bytes look like text: a UTF-16 mark, or no zero byte near the beginning. */
export const isPlain = (bytes: Uint8Array): boolean =>
  wideEncoding(bytes) !== null || !bytes.subarray(0, SAMPLE).includes(0)

/** Text in UTF-8, UTF-16 with its mark, or else Windows-1252. @throws Error when it is no text */
export function readPlain(bytes: Uint8Array, name: string): string {
  if (!isPlain(bytes)) throw new Error(`${name} is not a text file.`)
  const wide = wideEncoding(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}
