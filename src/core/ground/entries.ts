import type { RowPlace } from '../../shared/domain/reading'
import { JsonCheck, nestsTooDeep } from './json-check'

/** Longest single entry, in characters; a longer one is left out and said so. */
export const LONGEST_ENTRY = 64 * 1024 * 1024

/** One entry of a file: a line of JSONL, an element of a JSON array, a value of a JSON object. */
export interface Entry {
  readonly place: RowPlace
  /** Null when it cannot be read; `problem` says why. */
  readonly text: string | null
  readonly problem: string | null
}

/** An entry, parsed; `value` is undefined where `problem` says why it could not be. */
export interface ParsedEntry {
  readonly place: RowPlace
  readonly value: unknown
  readonly problem: string | null
}

/** How the entries of a JSON text stand in it: in one array, as the values of one object, or one after the other. */
type Shape = 'array' | 'keyed' | 'values'

/** Characters of recovery per character read, beyond which the search goes on behind the damage instead of within it. */
const PATIENCE = 8
/** Longest first key that entries are recognised by. */
const LONGEST_KEY = 200

/**
 * Finds the entries of a JSON text that comes in pieces, one at a time. Where an entry is broken (a missing quote, bracket or
 * comma), it is given with its problem, and reading goes on at the next place that begins like an entry: with the same first key,
 * and in an indented file with the same indentation. Linear in the text.
 */
export class EntryScanner {
  #text = ''
  /** Where the entry that is looked at begins, and how far it is checked. */
  #start = 0
  #startLine = 1
  #at = 0
  #check: JsonCheck | null = null
  #shape: Shape | null
  #entry = 0
  #line = 1
  #lineAt = 0
  #read = 0
  #again = 0
  #searching = false
  /** After a broken entry, until one is found that looks like those before. */
  #recovering = false
  #keys: ReadonlySet<string> | null = null
  /** The last whole entry. */
  #good: string | null = null
  #oversize = false
  #firstKey: string | null = null
  #indent: string | null = null
  #opened = false
  #closed = false
  /** In an object: whether the key of the next value has been read. */
  #keyRead = false

  /** `shape` null: as the first character says, an array or values one after the other. */
  constructor(shape: 'keyed' | null = null) {
    this.#shape = shape
  }

  /** Whether the array or object that was opened was also closed, once the text has ended. */
  get closed(): boolean {
    return this.#closed || this.#shape === 'values' || this.#shape === null
  }

  /** The line the text ends in, so far. */
  get line(): number {
    return this.#lineOf(this.#text.length)
  }

  /** The entries that end within the text so far. */
  *push(piece: string): Generator<Entry> {
    this.#text = this.#text === '' ? piece : this.#text + piece
    this.#read += piece.length
    yield* this.#scan(false)
    this.#cut()
  }

  /** What is left when the text has ended. */
  *end(): Generator<Entry> {
    yield* this.#scan(true)
  }

  *#scan(final: boolean): Generator<Entry> {
    for (;;) {
      if (this.#searching && !this.#search(final)) return
      if (this.#check === null) {
        if (!this.#begin(final)) return
        if (this.#check === null) continue
      }
      const check: JsonCheck = this.#check
      let match = check.run(this.#text, this.#at)
      this.#at = this.#text.length
      if (match.kind === 'more') {
        if (!final) {
          if (this.#oversize || this.#text.length - this.#start > LONGEST_ENTRY) this.#drop()
          return
        }
        match = check.end(this.#text.length)
      }
      this.#check = null
      if (match.kind === 'done' && this.#isLoose()) {
        yield this.#make(null, 'it is not JSON')
        this.#giveUp(match.end)
      } else if (match.kind === 'done') {
        const entry = this.#done(match.end)
        if (entry) yield entry
      } else if (match.kind === 'bad') {
        if (!this.#recovering || this.#looksLikeEntry()) yield this.#make(null, `it is broken: ${match.why}`)
        this.#giveUp(match.end)
      }
    }
  }

  /** Moves to the next entry. False: the text is used up. */
  #begin(final: boolean): boolean {
    const text = this.#text
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code <= 32 || code === COMMA || code === MARK) continue
      if (this.#shape === null) {
        this.#shape = code === 91 ? 'array' : 'values'
        if (this.#shape === 'array') continue
      }
      if (this.#shape === 'array' && code === 93) this.#closed = true
      else if (this.#shape === 'keyed' && code === 125) this.#closed = true
      else if (this.#shape === 'keyed' && !this.#keyRead) {
        const step = this.#readKey(code, final)
        if (step === 'more') return false
        if (step === 'lost') return true
      } else if (this.#recovering && code !== 123) {
        // What is left of the broken entry.
        this.#searching = true
        return true
      } else {
        this.#open(this.#at)
        return true
      }
    }
    return false
  }

  /** Reads the opening bracket or the next key of an object. `lost`: there is none, so the next beginning is looked for. */
  #readKey(code: number, final: boolean): 'read' | 'more' | 'lost' {
    if (!this.#opened && code === 123) {
      this.#opened = true
      return 'read'
    }
    const ahead = this.#text.slice(this.#at, this.#at + 2 * LONGEST_KEY)
    if (!final && ahead.length < 2 * LONGEST_KEY) return 'more'
    const key = KEY.exec(ahead)
    if (key) {
      this.#at += key[0].length - 1
      this.#keyRead = true
      return 'read'
    }
    this.#searching = true
    return 'lost'
  }

  #open(at: number): void {
    this.#start = this.#at = at
    this.#startLine = this.#lineOf(at)
    this.#oversize = false
    this.#keyRead = false
    this.#check = new JsonCheck()
  }

  /** The entry that ends here; null for a part of a broken one that only looked like an entry. */
  #done(end: number): Entry | null {
    const text = this.#oversize ? null : this.#text.slice(this.#start, end)
    this.#at = end
    if (this.#recovering) {
      if (text !== null && this.#keys && !uniformFields(keysOf(text), this.#keys)) return null
      this.#recovering = false
      this.#keys = null
    }
    if (text === null) return this.#make(null, `it is longer than ${LONGEST_ENTRY} characters`)
    this.#good = text
    this.#firstKey = firstKeyOf(text) ?? this.#firstKey
    this.#indent = this.#indentAt(this.#start) ?? this.#indent
    return this.#make(text, null)
  }

  /** A bare word or text outside of any array: a file of another kind. */
  #isLoose(): boolean {
    return this.#shape === 'values' && !this.#oversize && !'{['.includes(this.#text.charAt(this.#start))
  }

  /** Whether a second broken beginning is an entry of its own: up to the next one it has the words of the keys of a whole one. */
  #looksLikeEntry(): boolean {
    if (this.#keys === null) return true
    const text = this.#text
    const most = Math.min(text.length, this.#start + 65_536)
    let end = text.indexOf('{', this.#start + 1)
    while (end >= 0 && end < most && !this.#isBeginning(end)) end = text.indexOf('{', end + 1)
    const own = text.slice(this.#start, end < 0 ? most : Math.min(end, most))
    const foundCount = [...this.#keys].filter((key) => own.includes(key)).length
    return 2 * foundCount >= this.#keys.size
  }

  #make(text: string | null, problem: string | null): Entry {
    return { place: { line: this.#startLine, entry: ++this.#entry }, text, problem }
  }

  /** Leaves a broken entry: from here on the next beginning of one is looked for. */
  #giveUp(brokenAt: number): void {
    const head = this.#text.slice(this.#start, this.#start + 2 * LONGEST_KEY)
    this.#firstKey = firstKeyOf(head) ?? this.#firstKey
    this.#indent = this.#indentAt(this.#start) ?? this.#indent
    this.#again += brokenAt - this.#start
    const patient = this.#again <= PATIENCE * this.#read
    this.#at = patient ? Math.min(this.#start + 1, this.#text.length) : brokenAt
    this.#searching = true
    this.#recovering = true
    if (this.#good !== null) this.#keys = keysOf(this.#good)
  }

  /** Finds the next beginning of an entry. False: there is none in the text so far. */
  #search(final: boolean): boolean {
    const text = this.#text
    for (let at = text.indexOf('{', this.#at); at >= 0; at = text.indexOf('{', at + 1)) {
      if (!final && text.length - at < 2 * LONGEST_KEY) {
        this.#at = at
        return false
      }
      if (!this.#isBeginning(at)) continue
      this.#searching = false
      this.#open(at)
      return true
    }
    this.#at = text.length
    return false
  }

  #isBeginning(at: number): boolean {
    const key = firstKeyOf(this.#text.slice(at, at + 2 * LONGEST_KEY))
    if (key === null || (this.#firstKey !== null && key !== this.#firstKey)) return false
    const indent = this.#shape === 'keyed' ? null : this.#indentAt(at)
    if (this.#indent !== null && indent !== null) return indent === this.#indent
    let before = at - 1
    while (before >= 0 && /[ \t\r]/.test(this.#text.charAt(before))) before--
    if (this.#shape === 'keyed') return this.#text.charAt(before) === ':'
    return before < 0 || ',[}]\n'.includes(this.#text.charAt(before))
  }

  /** The white space before an entry that begins a line; null when something else stands before it. */
  #indentAt(at: number): string | null {
    const before = this.#text.slice(Math.max(0, at - LONGEST_KEY), at)
    const from = before.lastIndexOf('\n')
    const indent = before.slice(from + 1)
    return from >= 0 && indent.trim() === '' ? indent : null
  }

  #lineOf(at: number): number {
    // Looked at once each, however often a line is asked for.
    for (; this.#lineAt < at; this.#lineAt++) if (this.#text.charCodeAt(this.#lineAt) === 10) this.#line++
    return this.#line
  }

  /** Forgets the text of an entry that is too long to be kept; where it ends is still found out. */
  #drop(): void {
    this.#lineOf(this.#text.length)
    this.#oversize = true
    this.#text = ''
    this.#start = this.#at = this.#lineAt = 0
  }

  /** Forgets text that is not needed any more, but for a little before it, which indentation is read from. */
  #cut(): void {
    const from = (this.#check === null ? this.#at : this.#start) - LONGEST_KEY
    if (from < 65_536) return
    this.#lineOf(from)
    this.#text = this.#text.slice(from)
    this.#start -= from
    this.#at -= from
    this.#lineAt = Math.max(0, this.#lineAt - from)
  }
}

const COMMA = 44
/** The byte order mark. */
const MARK = 0xfeff
const KEY = /^"(?:[^"\\\n]|\\.){0,200}"\s*:/
const FIRST_KEY = /^\{\s*"((?:[^"\\\n]|\\.){1,200})"\s*:/

const firstKeyOf = (text: string): string | null => FIRST_KEY.exec(text)?.[1] ?? null

/** The keys of an object; null for anything else. */
function keysOf(text: string): ReadonlySet<string> | null {
  if (nestsTooDeep(text)) return null
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? new Set(Object.keys(value)) : null
  } catch {
    return null
  }
}

/** Whether two objects share half of their keys; one that cannot be parsed counts as like any other. */
function uniformFields(a: ReadonlySet<string> | null, b: ReadonlySet<string>): boolean {
  if (a === null) return true
  const shared = [...a].filter((key) => b.has(key)).length
  return 2 * shared >= Math.max(a.size, b.size)
}

/** Parses an entry. */
export function parseEntry({ place, text, problem }: Entry): ParsedEntry {
  if (text === null) return { place, value: undefined, problem: problem ?? 'it cannot be read' }
  if (nestsTooDeep(text)) return { place, value: undefined, problem: 'it is nested too deep' }
  try {
    return { place, value: JSON.parse(text) as unknown, problem: null }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { place, value: undefined, problem: `it is not JSON: ${shortWhy(why)}` }
  }
}

/** The parser's words without the text that it quotes. */
const shortWhy = (why: string): string => {
  const [before = ''] = why.slice(0, 160).split('"', 1)
  return before
    .replace(/\.{3}$/, '')
    .trimEnd()
    .replace(/,$/, '')
}

/** The entries of a whole text: the elements of an array or the values of an object, whichever it opens with. */
export function entriesOf(text: string, shape: 'keyed' | null = null): { entries: Entry[]; closed: boolean } {
  const scanner = new EntryScanner(shape)
  const entries = [...scanner.push(text), ...scanner.end()]
  return { entries, closed: scanner.closed }
}

/** The lines of a whole text that hold something. */
export const linesOf = (text: string): Entry[] =>
  text
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [{ place: { line: i + 1 }, text: line, problem: null }]))

/** Lines of a text that comes in pieces; empty ones are left out but counted. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<Entry> {
  let rest = ''
  let tooLong = false
  let line = 0
  const take = (): Entry | null => {
    line++
    const text = tooLong ? null : rest
    const problem = tooLong ? `it is longer than ${LONGEST_ENTRY} characters` : null
    const empty = !tooLong && rest.trim() === ''
    rest = ''
    tooLong = false
    return empty ? null : { place: { line }, text, problem }
  }
  for await (const piece of pieces) {
    for (const [i, part] of piece.split('\n').entries()) {
      const entry = i > 0 ? take() : null
      if (entry) yield entry
      if (rest.length + part.length > LONGEST_ENTRY) tooLong = true
      if (!tooLong) rest += line === 0 && rest === '' ? part.replace(/^\uFEFF/, '') : part
    }
  }
  const entry = take()
  if (entry) yield entry
}

/** The elements of one JSON array that comes in pieces or, when the text is no array, each JSON value at the top. */
export async function* readElements(pieces: AsyncIterable<string>): AsyncGenerator<Entry> {
  const scanner = new EntryScanner()
  for await (const piece of pieces) yield* scanner.push(piece)
  let lastBroken = false
  for (const entry of scanner.end()) {
    lastBroken = entry.problem !== null
    yield entry
  }
  if (!scanner.closed && !lastBroken) yield { place: { line: scanner.line }, text: null, problem: CUT }
}

/** Said where an array or object is not closed; entries may be missing behind the last one. */
export const CUT = 'the file ends without its closing bracket, so entries may be missing here'

/** Each entry of a file, parsed. */
export async function* parsed(entries: AsyncIterable<Entry>): AsyncGenerator<ParsedEntry> {
  for await (const entry of entries) yield parseEntry(entry)
}
