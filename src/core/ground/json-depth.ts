/** Follows how deep a JSON value is nested while it is written, each piece looked at once. */
export class JsonDepth {
  #depth = 0
  #hasBegun = false
  #inString = false
  #afterEscape = false

  /** Whether what was written so far is an object or a list that has ended. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0
  }

  push(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const sign = text.charAt(i)
      if (this.#inString) {
        if (this.#afterEscape) this.#afterEscape = false
        else if (sign === '\\') this.#afterEscape = true
        else if (sign === '"') this.#inString = false
      } else if (sign === '"') this.#inString = true
      else if (sign === '{' || sign === '[') {
        this.#hasBegun = true
        this.#depth++
      } else if (sign === '}' || sign === ']') this.#depth--
    }
  }
}
