import type { LlamaModel, Token } from 'node-llama-cpp'

// A UTF-8 character is at most four bytes, so at most four byte tokens.
const LONGEST_CHARACTER = 4
// As many as node-llama-cpp looks at to decide about memories between tokens.
const RECENT = 3

/** Turns tokens into text as they come; a character that is still missing bytes is held back. */
export class TokenText {
  readonly #model: LlamaModel
  readonly #marks: boolean
  #recent: readonly Token[]
  #pending: Token[] = []

  /** `before` are the tokens the text continues; `marks` shows special tokens as what they are called, else they are left out. */
  constructor(model: LlamaModel, before: readonly Token[], marks = false) {
    this.#model = model
    this.#marks = marks
    this.#recent = before.slice(-RECENT)
  }

  push(token: Token): string {
    this.#pending.push(token)
    const text = this.#model.detokenize(this.#pending, this.#marks, this.#recent)
    if (text.endsWith('\uFFFD') && this.#pending.length < LONGEST_CHARACTER) return ''
    return this.#accept(text)
  }

  /** What is left at the end; bytes that never became a character show as U+FFFD. */
  flush(): string {
    if (this.#pending.length === 0) return ''
    return this.#accept(this.#model.detokenize(this.#pending, this.#marks, this.#recent))
  }

  #accept(text: string): string {
    this.#recent = [...this.#recent, ...this.#pending].slice(-RECENT)
    this.#pending = []
    return text
  }
}
