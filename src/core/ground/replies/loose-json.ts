/** Deepest nesting that is read. */
const DEEPEST = 100
/** How often a text may be gone over, all attempts together: what breaks off late and often is left unread. */
const PASSES = 40
/** Signs that all attempts after the first pass read at most: a long text is not gone over as often. */
const MOST_AGAIN = 200_000

const GEMMA_QUOTE = '<|"|>'
/** Marks that a text stands between, and what of it means nothing but itself. */
const QUOTES: readonly (readonly [mark: string, plain: RegExp])[] = [
  ['"""', /[^"\\]+/y],
  ["'''", /[^'\\]+/y],
  [GEMMA_QUOTE, /[^<\\]+/y],
  ['"', /[^"\\]+/y],
  ["'", /[^'\\]+/y],
]
const WORD = /[\w.+-]+/y
const BLANKS = /\s+/y
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
])
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** A value, and where the text goes on behind it. */
export interface LooseValue {
  readonly value: unknown
  readonly end: number
}

class Broken extends Error {}
/** Thrown again and again: where it was made says nothing, and finding that out takes most of the time. */
const BROKEN = new Broken()

/**
 * Reads JSON as models write it: comments, trailing commas, single or triple quotes, line breaks inside texts, bare keys, Python's words for
 * true, false and null, and Gemma's marks for quotes. Time is linear in the text, however many places are tried.
 */
export class LooseJson {
  readonly #text: string
  #left: number
  #at = 0
  /** Where objects and lists begin that are being read, and where those did that break off: whatever is read again on the way breaks off there too. */
  #open: number[] = []
  readonly #breaks = new Set<number>()

  constructor(text: string) {
    this.#text = text
    this.#left = text.length + Math.min(text.length * (PASSES - 1), MOST_AGAIN) + 1000
  }

  /** The value that begins at `start`; null when there is none, or it breaks off. */
  at(start: number): LooseValue | null {
    if (this.#left <= 0) return null
    this.#at = start
    try {
      return { value: this.#value(0), end: this.#at }
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      for (const begin of this.#open) this.#breaks.add(begin)
      this.#open = []
      return null
    }
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw BROKEN
    this.#blanks()
    const sign = this.#peek()
    if (sign === '{' || sign === '[') {
      if (this.#breaks.has(this.#at)) throw BROKEN
      this.#open.push(this.#at)
      const value = sign === '{' ? this.#object(depth) : this.#list(depth)
      this.#open.pop()
      return value
    }
    const quote = this.#quote()
    if (quote) return this.#string(quote)
    const word = this.#all(WORD)
    if (WORDS.has(word)) return WORDS.get(word)
    const number = word === '' ? NaN : Number(word)
    if (Number.isNaN(number)) throw BROKEN
    return number
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.#at++
    for (;;) {
      this.#blanks()
      if (this.#takes('}')) return Object.fromEntries(entries)
      const quote = this.#quote()
      const key = quote ? this.#string(quote) : this.#all(WORD)
      this.#blanks()
      if (key === '' || !this.#takes(':')) throw BROKEN
      entries.push([key, this.#value(depth + 1)])
      this.#blanks()
      if (!this.#takes(',') && this.#peek() !== '}') throw BROKEN
    }
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = []
    this.#at++
    for (;;) {
      this.#blanks()
      if (this.#takes(']')) return items
      items.push(this.#value(depth + 1))
      this.#blanks()
      if (!this.#takes(',') && this.#peek() !== ']') throw BROKEN
    }
  }

  #quote(): (typeof QUOTES)[number] | undefined {
    if (!`"'<`.includes(this.#peek())) return undefined
    return QUOTES.find(([mark]) => this.#text.startsWith(mark, this.#at))
  }

  #string([mark, plain]: (typeof QUOTES)[number]): string {
    // An empty text is no beginning of a triple quote.
    if (mark.length === 3 && !this.#text.includes(mark, this.#at + 3)) return this.#empty()
    this.#at += mark.length
    let text = ''
    for (;;) {
      text += this.#all(plain)
      const sign = this.#next()
      if (sign === '\\') text += this.#escaped()
      else if (this.#text.startsWith(mark, this.#at - 1) && (mark !== "'" || this.#endsHere())) {
        this.#at += mark.length - 1
        return text
      } else text += sign
    }
  }

  #empty(): string {
    this.#at += 2
    return ''
  }

  #escaped(): string {
    const sign = this.#next()
    if (sign !== 'u') return ESCAPES[sign] ?? sign
    const code = Number.parseInt(this.#text.slice(this.#at, this.#at + 4), 16)
    if (Number.isNaN(code)) throw BROKEN
    this.#at += 4
    return String.fromCharCode(code)
  }

  /** Whether a single quote ends its text: an apostrophe stands before a letter. */
  #endsHere(): boolean {
    return !/^\s{0,8}[^\s,:}\])]/.test(this.#text.slice(this.#at, this.#at + 10))
  }

  /** All that stands here and is of a kind. */
  #all(kind: RegExp): string {
    kind.lastIndex = this.#at
    const [all] = kind.exec(this.#text) ?? ['']
    this.#step(all.length)
    return all
  }

  #blanks(): void {
    for (;;) {
      this.#all(BLANKS)
      const sign = this.#peek()
      if (sign === '#' || this.#text.startsWith('//', this.#at)) this.#skipTo('\n')
      else if (this.#text.startsWith('/*', this.#at)) this.#skipTo('*/')
      else return
    }
  }

  #skipTo(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at)
    this.#left -= (end < 0 ? this.#text.length : end) - this.#at
    if (end < 0) throw BROKEN
    this.#at = end + mark.length
  }

  #takes(sign: string): boolean {
    if (this.#peek() !== sign) return false
    this.#at++
    return true
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  #next(): string {
    const sign = this.#peek()
    this.#step(1)
    if (sign === '') throw BROKEN
    return sign
  }

  #step(signs: number): void {
    this.#at += signs
    this.#left -= signs
    if (this.#left <= 0) throw BROKEN
  }
}
