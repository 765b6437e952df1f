/** Deepest nesting that is read; what people and programs write stays far below it. */
export const DEEPEST = 200

const enum Expect {
  Value,
  FirstKey,
  Key,
  Colon,
  FirstItem,
  CommaOrEnd,
}

/** Codes of the characters that make up a value's structure. */
const enum Sign {
  OpenObject = 123,
  CloseObject = 125,
  OpenArray = 91,
  CloseArray = 93,
  Quote = 34,
  Backslash = 92,
  Colon = 58,
  Comma = 44,
}

/** Letters, digits, `+`, `-`, `.` and `_`: numbers, literals, and words that lost their quotes. */
const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 45 ||
  code === 46 ||
  code === 95

/** What a check found so far: it goes on, the value ended before `end`, or it broke off at `end` for the reason given. */
export type Checked =
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly end: number }
  | { readonly kind: 'bad'; readonly end: number; readonly why: string }

const MORE: Checked = { kind: 'more' }

/**
 * Follows one JSON value through text that comes in pieces and says where it ends or where its structure breaks: a quote, bracket,
 * comma or colon that is missing. Numbers and words are not looked at; parsing the value does that. Linear in the text.
 */
export class JsonCheck {
  readonly #stack: number[] = []
  #expect: Expect = Expect.Value
  #inString = false
  #escaped = false
  #inWord = false

  /** Reads `text` from `from` on; `text` must go on where the last call stopped, which was at its end. */
  run(text: string, from: number): Checked {
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (code === Sign.Backslash) this.#escaped = true
        else if (code === Sign.Quote) {
          this.#inString = false
          if (this.#afterString()) return { kind: 'done', end: i + 1 }
        } else if (code === 10 || code === 13) return bad(i, 'a quote is missing')
        continue
      }
      if (this.#inWord) {
        if (isWord(code)) continue
        this.#inWord = false
        if (this.#stack.length === 0) return { kind: 'done', end: i }
        this.#expect = Expect.CommaOrEnd
      }
      if (code <= 32 || code === 0xfeff) continue
      const result = this.#take(code, i)
      if (result !== null) return result
    }
    return MORE
  }

  /** What it means that the text ends here. */
  end(at: number): Checked {
    if (this.#inWord && this.#stack.length === 0) return { kind: 'done', end: at }
    return bad(at, 'the file ends within it')
  }

  #afterString(): boolean {
    if (this.#expect === Expect.FirstKey || this.#expect === Expect.Key) {
      this.#expect = Expect.Colon
      return false
    }
    this.#expect = Expect.CommaOrEnd
    return this.#stack.length === 0
  }

  #take(code: number, i: number): Checked | null {
    const expect = this.#expect
    if (expect === Expect.Colon) {
      if (code !== Sign.Colon) return bad(i, 'a colon or quote is missing')
      this.#expect = Expect.Value
      return null
    }
    if (expect === Expect.CommaOrEnd) return this.#next(code, i)
    if (code === Sign.CloseObject && expect === Expect.FirstKey) return this.#close(Sign.OpenObject, i)
    if (code === Sign.CloseArray && expect === Expect.FirstItem) return this.#close(Sign.OpenArray, i)
    if (code === Sign.Quote) {
      this.#inString = true
      return null
    }
    if (expect === Expect.FirstKey || expect === Expect.Key) return bad(i, 'a quote or bracket is missing')
    if (code === Sign.OpenObject || code === Sign.OpenArray) {
      if (this.#stack.length >= DEEPEST) return bad(i, `it is nested more than ${DEEPEST} deep`)
      this.#stack.push(code)
      this.#expect = code === Sign.OpenObject ? Expect.FirstKey : Expect.FirstItem
      return null
    }
    if (!isWord(code)) return bad(i, 'a value, quote or bracket is missing')
    this.#inWord = true
    return null
  }

  #next(code: number, i: number): Checked | null {
    const open = this.#stack.at(-1)
    if (code === Sign.Comma) {
      this.#expect = open === Sign.OpenObject ? Expect.Key : Expect.Value
      return null
    }
    if (code === Sign.CloseObject) return this.#close(Sign.OpenObject, i)
    if (code === Sign.CloseArray) return this.#close(Sign.OpenArray, i)
    return bad(i, 'a comma or quote is missing')
  }

  #close(open: number, i: number): Checked | null {
    if (this.#stack.at(-1) !== open) return bad(i, 'a bracket is missing')
    this.#stack.pop()
    this.#expect = Expect.CommaOrEnd
    return this.#stack.length === 0 ? { kind: 'done', end: i + 1 } : null
  }
}

const bad = (end: number, why: string): Checked => ({ kind: 'bad', end, why })

/** Whether a text nests deeper than is read, whatever else is in it. */
export const nestsTooDeep = (text: string): boolean => holdsTooMuch(text, Infinity)

/** Whether a text, as JSON, would hold more than about so many values, or nests deeper than is read. Linear in the text. */
export function holdsTooMuch(text: string, most: number): boolean {
  let depth = 0
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === Sign.Quote) {
      i = behindString(text, i) - 1
      continue
    }
    const isOpen = code === Sign.OpenObject || code === Sign.OpenArray
    if (isOpen && ++depth > DEEPEST) return true
    if (code === Sign.CloseObject || code === Sign.CloseArray) depth--
    if ((isOpen || code === Sign.Comma) && ++count > most) return true
  }
  return false
}

/** Behind the string that begins at `from`; behind the text where it has no end. */
export function behindString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  while (end >= 0) {
    let at = end - 1
    while (text.charCodeAt(at) === Sign.Backslash) at--
    if ((end - at) % 2 === 1) return end + 1
    end = text.indexOf('"', end + 1)
  }
  return text.length + 1
}
