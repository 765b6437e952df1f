import type { Thinking } from '../../../core/ground/chat'

const HARMONY_END = '<|end|>'

/** Follows what a model writes, counts its thoughts and says when they have had their budget. */
export class ThoughtWatch {
  readonly #open: string
  readonly #close: string
  readonly #budget: number
  #inside: boolean
  #recent = ''
  /** Tokens of thoughts so far, their marks among them. */
  tokens = 0
  /** What the prompt opened and the reply goes on with: it belongs to what is written. Empty where it opened nothing. */
  readonly opened: string

  /** `before` is the end of the prompt, which may have opened a thought. */
  constructor([open, close]: readonly [open: string, close: string], thinking: Thinking, before: string) {
    this.#open = open
    this.#close = close
    this.#budget = typeof thinking === 'object' ? thinking.budget : Number.POSITIVE_INFINITY
    this.#inside = before.trimEnd().endsWith(open)
    this.opened = this.#inside ? open : ''
  }

  /** Takes the text of one more token; answers what has to be written now to end a thought that is too long, else null. */
  push(piece: string): string | null {
    this.#recent = (this.#recent + piece).slice(-64)
    if (!this.#inside) {
      if (!this.#recent.includes(this.#open)) return null
      this.#inside = true
      this.#recent = ''
      this.tokens++
      return null
    }
    this.tokens++
    if (this.#recent.includes(this.#close)) this.#leave()
    else if (this.tokens >= this.#budget) {
      this.#leave()
      return this.#close === HARMONY_END
        ? `${HARMONY_END}<|start|>assistant<|channel|>final<|message|>`
        : `\n${this.#close}\n\n`
    }
    return null
  }

  #leave(): void {
    this.#inside = false
    this.#recent = ''
  }
}
