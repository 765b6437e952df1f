/** What every text has that a pattern matches somewhere. */
export interface PatternNeeds {
  /** Characters of the shortest match. */
  readonly shortest: number
  /** Of each list one is in the text, after `foldText`. */
  readonly parts: readonly (readonly string[])[]
}

/** Everything beyond ASCII counts as this character. */
const OTHER = '\u007f'
/** Most members of a class, and texts of a list, that are told one by one. */
const MOST_MEMBERS = 8
const MOST_TEXTS = 48
const MOST_LENGTH = 12
const MOST_PARTS = 3

/** A part of a pattern: all the texts that it matches where they are few, what a text needs for it, and its shortest match. */
interface Piece extends PatternNeeds {
  readonly exact: readonly string[] | null
}

const EMPTY: Piece = { exact: [''], parts: [], shortest: 0 }
const ANY: Piece = { exact: null, parts: [], shortest: 1 }

/** Letters of ASCII as small ones, what is beyond ASCII as one character: as patterns compare that tell no capitals, and coarser. */
export const foldText = (text: string): string =>
  text.replaceAll(/[^\0-\u007e]/g, OTHER).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** How much a list tells: the length of its shortest text, less where it is long. */
const worth = (list: readonly string[]): number =>
  Math.min(4, ...list.map((text) => text.length)) - list.length / 100

const isWithin = (text: string, list: readonly string[]): boolean =>
  list.some((other) => text !== other && text.includes(other))

/** The lists that tell most, each without texts that others of it are in, and none that another one says already. */
function telling(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const short = lists
    .filter((list) => list.length <= MOST_TEXTS && list.every((text) => text !== ''))
    .map((list) => [...new Set(list)].filter((text) => !isWithin(text, list)))
    .toSorted((a, b) => worth(b) - worth(a))
  const most: string[][] = []
  for (const list of short)
    if (!most.some((more) => more.every((text) => list.some((part) => text.includes(part))))) most.push(list)
  return most.slice(0, MOST_PARTS)
}

const ofExact = (exact: readonly string[] | null): (readonly string[])[] => (exact ? [exact] : [])

function join(pieces: readonly Piece[]): Piece {
  let tail: readonly string[] = ['']
  let isExact = true
  const parts: (readonly string[])[] = []
  for (const piece of pieces) {
    parts.push(...piece.parts)
    const { exact } = piece
    const next = exact?.length && tail.flatMap((before) => exact.map((after) => before + after))
    if (next && next.length <= MOST_TEXTS && next.every((text) => text.length <= MOST_LENGTH)) tail = next
    else {
      isExact = false
      parts.push(tail)
      tail = exact ?? ['']
    }
  }
  const shortest = pieces.reduce((sum, piece) => sum + piece.shortest, 0)
  return { exact: isExact ? [...new Set(tail)] : null, parts: telling([...parts, tail]), shortest }
}

function either(choices: readonly Piece[]): Piece {
  const [alone] = choices
  if (alone && choices.length === 1) return alone
  const shortest = Math.min(...choices.map((one) => one.shortest))
  const exact = choices.every((one) => one.exact) ? choices.flatMap((one) => one.exact ?? []) : null
  if (exact && exact.length <= MOST_TEXTS) return { exact, parts: telling([exact]), shortest }
  const best = choices.map((one) => telling([...one.parts, ...ofExact(one.exact)])[0])
  const union = best.every((list) => list) ? [...new Set(best.flatMap((list) => list ?? []))] : []
  return { exact: null, parts: union.length > 0 ? telling([union]) : [], shortest }
}

function repeat(piece: Piece, least: number, most: number): Piece {
  if (least === 1 && most === 1) return piece
  if (least === 0)
    return most === 1 && piece.exact ? { ...EMPTY, exact: ['', ...piece.exact] } : { ...EMPTY, exact: null }
  const parts = telling([...piece.parts, ...ofExact(piece.exact)])
  return { exact: null, parts, shortest: piece.shortest * least }
}

/** Reads a pattern's source as far as patterns here go. */
class Reader {
  #at = 0
  constructor(readonly source: string) {}

  read(): Piece {
    const piece = this.#choices()
    if (this.#at < this.source.length) throw new SyntaxError('unbalanced')
    return piece
  }

  #is(text: string): boolean {
    if (!this.source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #choices(): Piece {
    const choices = [this.#sequence()]
    while (this.#is('|')) choices.push(this.#sequence())
    return either(choices)
  }

  #sequence(): Piece {
    const pieces: Piece[] = []
    while (this.#at < this.source.length && !['|', ')'].includes(this.source[this.#at] ?? ''))
      pieces.push(this.#repetition(this.#atom()))
    return join(pieces)
  }

  #repetition(piece: Piece): Piece {
    const [text = '', sign = '', least = '', comma = '', most = ''] =
      /^(?:([*+?])|\{(\d{1,6})(,?)(\d{0,6})\})\??/.exec(this.source.slice(this.#at, this.#at + 20)) ?? []
    this.#at += text.length
    if (text === '') return piece
    if (sign !== '') return repeat(piece, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity)
    const from = Number(least)
    return repeat(piece, from, comma === '' ? from : most === '' ? Infinity : Number(most))
  }

  #atom(): Piece {
    if (this.#is('(?:')) return this.#group((piece) => piece)
    // What stands beside a match has to be in the text too, but is no part of it.
    if (this.#is('(?=') || this.#is('(?<='))
      return this.#group(({ exact, parts }) => ({ ...EMPTY, parts: telling([...parts, ...ofExact(exact)]) }))
    if (this.#is('(?!') || this.#is('(?<!')) return this.#group(() => EMPTY)
    if (this.#is('(?')) throw new SyntaxError('a group of another kind')
    if (this.#is('(')) return this.#group((piece) => piece)
    if (this.#is('[')) return this.#class()
    if (this.#is('^') || this.#is('$') || this.#is('\\b') || this.#is('\\B')) return EMPTY
    if (this.#is('.')) return ANY
    const letter = this.#letter()
    return letter === null ? ANY : { exact: [foldText(letter)], parts: [], shortest: 1 }
  }

  #group(use: (piece: Piece) => Piece): Piece {
    const piece = this.#choices()
    if (!this.#is(')')) throw new SyntaxError('an open group')
    return use(piece)
  }

  /** One character; null for a kind of characters, such as `\s`. */
  #letter(): string | null {
    const letter = this.source[this.#at++] ?? ''
    if (letter !== '\\') return letter
    const escape = this.source[this.#at++] ?? ''
    if (/[dDwWsS]/.test(escape)) return null
    const control = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }[escape]
    if (control !== undefined) return control
    if (/[A-Za-z0-9]/.test(escape)) throw new SyntaxError('an escape of another kind')
    return escape
  }

  #class(): Piece {
    let isFew = !this.#is('^')
    const members = new Set<string>()
    while (!this.#is(']')) {
      if (this.#at >= this.source.length) throw new SyntaxError('an open class')
      const first = this.#letter()
      const isRange = this.source[this.#at] === '-' && this.source[this.#at + 1] !== ']'
      if (isRange) this.#at++
      const last = isRange ? this.#letter() : first
      if (first === null || last === null) isFew = false
      else if (last.charCodeAt(0) - first.charCodeAt(0) > MOST_MEMBERS) isFew = false
      else
        for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++)
          members.add(foldText(String.fromCharCode(code)))
    }
    return isFew && members.size <= MOST_MEMBERS ? { exact: [...members], parts: [], shortest: 1 } : ANY
  }
}

/** What a text needs for a pattern to match somewhere in it; nothing where the pattern is of a kind that is not read here. */
export function needsOf({ source, flags }: RegExp): PatternNeeds {
  const nothing: PatternNeeds = { shortest: 0, parts: [] }
  if (/[uv]/.test(flags)) return nothing
  try {
    const { shortest, parts, exact } = new Reader(source).read()
    return { shortest, parts: telling([...parts, ...ofExact(exact)]) }
  } catch (error) {
    if (error instanceof SyntaxError) return nothing
    throw error
  }
}
