/** GGUF token types (`tokenizer.ggml.token_type`). */
const CONTROL = 3
const UNUSED = 5
const BYTE = 6

/** What is needed of a vocabulary to choose reserved tokens. */
export interface Vocabulary {
  /** `tokenizer.ggml.model`: `llama` (SentencePiece), `gpt2` (byte-level BPE), ... */
  readonly kind: string
  readonly texts: readonly string[]
  readonly types: readonly number[]
}

/** EvoSC's length, and what a model of few dimensions needs (`suitableLength`). */
const LEAST_LENGTH = 20
export const MOST_LENGTH = 64
/** Numbers a soft prompt should hold: 64 tokens of width 256. */
const NUMBERS = MOST_LENGTH * 256

/**
 * The length a soft prompt has where none is chosen: 20 as in the paper, and more for narrow models, whose tokens hold less, up to 64; never more
 * than there are tokens for it. Trained on 100 attempts of a fresh world the demo model (width 256) solved 60 of 120 new tasks with 20 tokens, 98
 * with 64, and 54 without.
 */
export const suitableLength = (width: number, available: number): number =>
  Math.min(available, MOST_LENGTH, Math.max(LEAST_LENGTH, Math.ceil(NUMBERS / width)))

const RESERVED_NAME = /reserved|unused|\[PAD\d+\]|<\|?extra_\d+\|?>|<\|?dummy/iu
/** Bytes that never occur in UTF-8 text. */
const IMPOSSIBLE_BYTES = [0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff]
/** Control characters that text for a model does not hold (all but tab, line feed and carriage return). */
const CONTROL_BYTES = [...Array(0x20).keys(), 0x7f].filter((byte) => ![0x09, 0x0a, 0x0d].includes(byte))

/**
 * `count` token ids that no prompt ever contains, for a soft prompt to live in: tokens made for this (unused or named as
 * reserved) first, then bytes that UTF-8 never has, then control characters. Fewer when there are fewer. Never one of
 * `taken` (tokens with a role, like the end of a turn).
 */
export function chooseReservedTokens(
  vocabulary: Vocabulary,
  count: number,
  takenSet: ReadonlySet<number> = new Set(),
): number[] {
  const { texts, types } = vocabulary
  const ids = [...texts.keys()].filter((id) => !takenSet.has(id))
  const madeNumbers: number[] = []
  const byByte = new Map<number, number>()
  for (const id of ids) {
    const type = types[id]
    const text = texts[id] as string
    if (type === UNUSED || (type === CONTROL && RESERVED_NAME.test(text))) madeNumbers.push(id)
    else {
      const byte = byteOf(text, type, vocabulary.kind)
      if (byte !== null) byByte.set(byte, id)
    }
  }
  const bytes = [...IMPOSSIBLE_BYTES, ...CONTROL_BYTES].flatMap((byte) => byByte.get(byte) ?? [])
  return [...madeNumbers, ...bytes].slice(0, count)
}

/** The single byte a token stands for, if that is all it stands for. */
function byteOf(text: string, type: number | undefined, kind: string): number | null {
  if (type === BYTE) {
    const hex = /^<0x([0-9a-f]{2})>$/iu.exec(text)?.[1]
    return hex === undefined ? null : Number.parseInt(hex, 16)
  }
  if (kind !== 'gpt2' || [...text].length !== 1) return null
  const point = text.codePointAt(0) as number
  // Byte-level BPE writes printable Latin-1 bytes as themselves and moves the others, in order, to U+0100 and up.
  if (
    (point >= 0x21 && point <= 0x7e) ||
    (point >= 0xa1 && point <= 0xac) ||
    (point >= 0xae && point <= 0xff)
  )
    return point
  return MOVED_BYTES[point - 0x100] ?? null
}

const MOVED_BYTES: readonly number[] = [...Array(256).keys()].filter(
  (byte) => byte < 0x21 || (byte > 0x7e && byte < 0xa1) || byte === 0xad,
)
