/** A text, and what its bytes were taken for where that is not UTF-8. */
export interface DecodedText {
  readonly text: string
  /** In words; null for UTF-8. */
  readonly encoding: string | null
}

/** Bytes that the encoding is told by, where no mark says it. */
const HEAD = 4096
/** Share of zero bytes at every other place from which a text is taken for UTF-16. */
const ZEROS = 0.3

/** Share of zero bytes at even (0) or odd (1) places of the head. */
function zerosAt(bytes: Uint8Array, first: 0 | 1): number {
  let [zeros, count] = [0, 0]
  for (let at = first; at < Math.min(bytes.length, HEAD); at += 2, count++) if (bytes[at] === 0) zeros++
  return count === 0 ? 0 : zeros / count
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const [even, odd] = [zerosAt(bytes, 0), zerosAt(bytes, 1)]
  if (odd > ZEROS && even < ZEROS / 10) return 'utf-16le'
  return even > ZEROS && odd < ZEROS / 10 ? 'utf-16be' : null
}

/** What Windows-1252 has at 0x80 to 0x9F, where Latin-1 has control characters; Node's own decoder gives those. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

function decodeWindows(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += HEAD)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + HEAD)))
  return parts.join('').replace(/[\x80-\x9F]/g, (char) => WINDOWS[char.charCodeAt(0) - 0x80] ?? char)
}

/** Old Macs ended lines by carriage returns alone. */
const withLines = (text: string): string => (text.includes('\n') ? text : text.replaceAll('\r', '\n'))

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * The text that bytes hold: UTF-8, UTF-16 with a mark or as spreadsheets write it without, and Windows-1252 where bytes are no UTF-8. A text that is
 * UTF-8 but for a few broken places stays UTF-8.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const wide = utf16Of(bytes)
  if (wide !== null) return { text: withLines(new TextDecoder(wide).decode(bytes)), encoding: 'UTF-16' }
  const text = new TextDecoder().decode(bytes)
  const brokenCount = countOf(text, /\uFFFD/g)
  if (brokenCount === 0 || countOf(text, /[^\0-\x7F\uFFFD]/g) > brokenCount)
    return { text: withLines(text), encoding: null }
  return { text: withLines(decodeWindows(bytes)), encoding: 'Windows-1252' }
}
