import { DEEPEST } from './json-check'

/** Nothing of a value is whole. */
const NOTHING = Symbol('nothing')
type Part = unknown

const SENTENCE = /^[\s\S]*[.!?…](?=\s|$)/

/**
 * What is whole of a JSON value that was cut at its end: objects and lists with the members and items that were written to their end, and a
 * text that was cut with its sentences that were. Undefined when nothing is, or when something else than the cut is wrong with it, such as nesting
 * deeper than `DEEPEST`.
 */
export function wholePart(text: string): unknown {
  const reader = new CutReader(text)
  const value = reader.value()
  return value === NOTHING || !reader.atEnd ? undefined : value
}

class CutReader {
  readonly #text: string
  #at = 0
  #wrong = false
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Whether everything was read, and nothing but the cut was wrong. */
  get atEnd(): boolean {
    return !this.#wrong && this.#next() === undefined
  }

  value(): Part {
    switch (this.#next()) {
      case '{':
        return this.#inside(() => this.#object())
      case '[':
        return this.#inside(() => this.#list())
      case '"':
        return this.#string(true)
      default:
        return this.#word()
    }
  }

  /** Reads what is nested; a model that only opens brackets must not fill the stack. */
  #inside(read: () => Part): Part {
    if (this.#depth === DEEPEST) return this.#fail()
    this.#depth++
    const value = read()
    this.#depth--
    return value
  }

  #next(): string | undefined {
    while (/\s/.test(this.#text[this.#at] ?? 'x')) this.#at++
    return this.#text[this.#at]
  }

  /** Takes a sign; false at the end, or where something else stands. */
  #take(sign: string): boolean {
    const next = this.#next()
    if (next === sign) this.#at++
    else if (next !== undefined) this.#wrong = true
    return next === sign
  }

  #object(): Part {
    const members: [string, unknown][] = []
    this.#at++
    if (this.#next() === '}') return this.#closed({})
    for (;;) {
      if (this.#next() === undefined) break
      const key = this.#next() === '"' ? this.#string(false) : this.#fail()
      if (typeof key !== 'string' || !this.#take(':')) break
      const value = this.value()
      if (this.#wrong) break
      if (value !== NOTHING) members.push([key, value])
      if (this.#next() === '}') return this.#closed(Object.fromEntries(members))
      if (!this.#take(',')) break
    }
    return Object.fromEntries(members)
  }

  #list(): Part {
    const items: unknown[] = []
    this.#at++
    if (this.#next() === ']') return this.#closed(items)
    for (;;) {
      if (this.#next() === undefined) break
      const value = this.value()
      if (this.#wrong) break
      if (value !== NOTHING) items.push(value)
      if (this.#next() === ']') return this.#closed(items)
      if (!this.#take(',')) break
    }
    return items
  }

  #closed(value: unknown): Part {
    this.#at++
    return value
  }

  #fail(): typeof NOTHING {
    this.#wrong = true
    return NOTHING
  }

  #string(sentences: boolean): Part {
    const start = ++this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at]
      if (sign === '\\') this.#at++
      else if (sign === '"') return this.#parsed(this.#text.slice(start, this.#at++))
    }
    this.#at = this.#text.length
    // An escape that was cut, and what lies behind the last whole sentence.
    const rest = this.#parsed(this.#text.slice(start).replace(/\\(u[0-9a-fA-F]{0,3})?$/, ''))
    const whole = sentences && typeof rest === 'string' ? SENTENCE.exec(rest)?.[0] : undefined
    return whole ?? NOTHING
  }

  #parsed(inner: string): Part {
    try {
      return JSON.parse(`"${inner}"`) as unknown
    } catch {
      return this.#fail()
    }
  }

  #word(): Part {
    const start = this.#at
    while (/[-+.\w]/.test(this.#text[this.#at] ?? ' ')) this.#at++
    // At the very end, more of it may have been cut off.
    if (this.#at === this.#text.length) return NOTHING
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as unknown
    } catch {
      return this.#fail()
    }
  }
}
