import { foldText, needsOf, type PatternNeeds } from './pattern-needs'

/** Characters after `foldText`. */
const LETTERS = 128
const OTHER = LETTERS - 1
const PAIRS = LETTERS * LETTERS
/** Places of threes: several share one. */
const THREES = 1 << 14
const PLACES = LETTERS + PAIRS + THREES
const ROUNDS = 0xffff

const FOLD = Uint8Array.from({ length: LETTERS }, (_, code) =>
  foldText(String.fromCharCode(code)).charCodeAt(0),
)

const pairPlace = (a: number, b: number): number => LETTERS + a * LETTERS + b
const threePlace = (a: number, b: number, c: number): number =>
  LETTERS + PAIRS + ((Math.imul((a * LETTERS + b) * LETTERS + c, 0x9e3779b1) >>> 16) & (THREES - 1))

/** Places of the runs of three characters of a text, or of all of a shorter one. */
function placesIn(text: string): Uint16Array {
  const codes = Uint8Array.from(foldText(text), (letter) => letter.charCodeAt(0))
  const [a = 0, b = 0] = codes
  if (codes.length === 1) return Uint16Array.of(a)
  if (codes.length === 2) return Uint16Array.of(pairPlace(a, b))
  return Uint16Array.from(codes.subarray(2), (c, i) => threePlace(codes[i] ?? 0, codes[i + 1] ?? 0, c))
}

/** A pattern that may match only where other words are in the text too. */
export interface FilterPattern {
  readonly pattern: RegExp
  /** A text that is somewhere, too. Default: none. */
  readonly beside?: string
}

/**
 * Tells which of many patterns may match in a text, by the runs of up to three characters that it has: most cannot, and need not look.
 * One text at a time.
 */
export class PatternFilter {
  readonly #shortest: Uint32Array
  /** Of each pattern and list one row of places, all of which are marked. */
  readonly #lists: readonly (readonly (readonly Uint16Array[])[])[]
  /** The patterns that may match once a place is marked, and those that always may. */
  readonly #patternsAt = new Map<number, number[]>()
  readonly #isTelling = new Uint8Array(PLACES)
  readonly #always: number[] = []
  readonly #marks = new Uint16Array(PLACES)
  readonly #candidates: Uint16Array
  #round = 0
  #length = 0

  constructor(patterns: readonly FilterPattern[]) {
    const needs = patterns.map(({ pattern, beside }): PatternNeeds => {
      const { shortest, parts } = needsOf(pattern)
      return { shortest, parts: beside === undefined ? parts : [[beside], ...parts] }
    })
    this.#shortest = Uint32Array.from(needs, ({ shortest }) => shortest)
    this.#lists = needs.map(({ parts }) => parts.map((list) => list.map(placesIn)))
    this.#candidates = new Uint16Array(patterns.length)
    for (const [index, [first]] of this.#lists.entries())
      if (!first) this.#always.push(index)
      else for (const [place = 0] of first) this.#tell(place, index)
  }

  #tell(place: number, pattern: number): void {
    this.#isTelling[place] = 1
    this.#patternsAt.set(place, [...(this.#patternsAt.get(place) ?? []), pattern])
  }

  /** Reads a text; what was read before is gone. */
  read(text: string): void {
    if (this.#round === ROUNDS) {
      this.#marks.fill(0)
      this.#candidates.fill(0)
    }
    this.#round = (this.#round % ROUNDS) + 1
    this.#length = text.length
    for (const index of this.#always) this.#candidates[index] = this.#round
    let a = 0
    let b = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const c = code < LETTERS ? (FOLD[code] ?? OTHER) : OTHER
      this.#mark(c)
      if (i > 0) this.#mark(pairPlace(b, c))
      if (i > 1) this.#mark(threePlace(a, b, c))
      a = b
      b = c
    }
  }

  #mark(place: number): void {
    if (this.#marks[place] === this.#round) return
    this.#marks[place] = this.#round
    if (this.#isTelling[place] === 0) return
    for (const index of this.#patternsAt.get(place) ?? []) this.#candidates[index] = this.#round
  }

  /** The first pattern from an index on that may match; -1 when none does. */
  next(from: number): number {
    for (let index = from; index < this.#candidates.length; index++)
      if (this.#candidates[index] === this.#round && this.#mayMatch(index)) return index
    return -1
  }

  #mayMatch(index: number): boolean {
    if (this.#length < (this.#shortest[index] ?? 0)) return false
    for (const list of this.#lists[index] ?? []) if (!this.#hasOneOf(list)) return false
    return true
  }

  #hasOneOf(list: readonly Uint16Array[]): boolean {
    for (const places of list) if (this.#hasAll(places)) return true
    return false
  }

  #hasAll(places: Uint16Array): boolean {
    for (const place of places) if (this.#marks[place] !== this.#round) return false
    return true
  }
}
