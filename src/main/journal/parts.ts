const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * Where the elements of a JSON array stand: for n elements n + 1 offsets into `bytes`, each but the last the first byte of an element,
 * the last one behind the closing bracket; element i is bytes[offsets[i], offsets[i + 1] - 1). `from` is the opening bracket. The text
 * must be valid JSON without blanks, as `JSON.stringify` writes it.
 */
export function partsOf(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const starts: number[] = []
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = closingQuote(bytes, at)
    else if (OPEN.has(byte)) {
      depth++
      if (depth === 1) starts.push(at + 1)
    } else if (CLOSE.has(byte)) depth--
    else if (byte === COMMA && depth === 1) starts.push(at + 1)
  }
  const isEmpty = starts.length === 1 && starts[0] === to - 1
  return Uint32Array.from(isEmpty ? [to] : [...starts, to])
}

/** The quote that ends the string beginning at `open`: the next one with an even number of backslashes before it. */
function closingQuote(bytes: Uint8Array, open: number): number {
  let at = open
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1)
    if (at === -1) return bytes.length
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
}
