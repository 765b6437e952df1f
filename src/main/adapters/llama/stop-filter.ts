import type { LlamaModel, Token } from 'node-llama-cpp'

// A UTF-8 character is at most four bytes, so at most four byte tokens.
const LONGEST_CHARACTER = 4
// As many as node-llama-cpp looks at to decide about memories between tokens.
const RECENT = 3

/** Turns tokens into text as they come; a character that is still missing bytes is held back. */
export class TokenText {
  #recent: readonly Token[]
  #pending: Token[] = []

  /** `before` are the tokens the text continues; `marks` shows special tokens as what they are called, else they are left out. */
  constructor(
    private readonly model: LlamaModel,
    before: readonly Token[],
    private readonly marks = false,
  ) {
    this.#recent = before.slice(-RECENT)
  }

  push(token: Token): string {
    this.#pending.push(token)
    const text = this.model.detokenize(this.#pending, this.marks, this.#recent)
    if (text.endsWith('\uFFFD') && this.#pending.length < LONGEST_CHARACTER) return ''
    return this.#accept(text)
  }

  /** What is left at the end; bytes that never became a character show as U+FFFD. */
  flush(): string {
    if (this.#pending.length === 0) return ''
    return this.#accept(this.model.detokenize(this.#pending, this.marks, this.#recent))
  }

  #accept(text: string): string {
    this.#recent = [...this.#recent, ...this.#pending].slice(-RECENT)
    this.#pending = []
    return text
  }
}

/**
 * Cuts a stream of text at the first stop text. Text that might be the beginning of one is held back,
 * so that no part of a stop text ever reaches the reader.
 */
export class StopFilter {
  readonly #stops: readonly string[]
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '')
  }

  /** Takes the next piece; answers what may be shown and which stop text ended it, if one did. */
  push(piece: string): { readonly text: string; readonly stop: string | null } {
    if (this.#stops.length === 0) return { text: piece, stop: null }
    const buffer = this.#held + piece
    let cut = -1
    let matchText: string | null = null
    for (const stop of this.#stops) {
      const at = buffer.indexOf(stop)
      if (at >= 0 && (cut < 0 || at < cut)) {
        cut = at
        matchText = stop
      }
    }
    if (matchText !== null) {
      this.#held = ''
      return { text: buffer.slice(0, cut), stop: matchText }
    }
    const keep = Math.max(...this.#stops.map((stop) => overlap(buffer, stop)))
    this.#held = buffer.slice(buffer.length - keep)
    return { text: buffer.slice(0, buffer.length - keep), stop: null }
  }

  /** The text still held back, once nothing more will come. */
  flush(): string {
    const holding = this.#held
    this.#held = ''
    return holding
  }
}

/** Length of the longest end of `text` that is a proper beginning of `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return length
  }
  return 0
}
