/** How sure a format is that a file is one of its own, and by what. */
export interface Recognition {
  /** 0 (no) to 1 (written by nothing else). Shapes that many programs write stay below .5. */
  readonly confidence: number
  /** Words of the file that say so; empty where there are none. */
  readonly seen: string
}

/** Looks at the first 64 KiB of a file, without its byte order mark, and at its name. */
export type Recognise = (head: string, name: string) => Recognition

/** Patterns that together say that a file is of a format. */
export interface Sign {
  readonly confidence: number
  readonly patterns: readonly RegExp[]
}

/** A sign that all of these patterns make together. */
export const sign = (confidence: number, ...patterns: readonly RegExp[]): Sign => ({ confidence, patterns })

export const UNRECOGNISED: Recognition = { confidence: 0, seen: '' }

/** What the ending of a name adds where the content says the same. */
const NAME_BONUS = 0.05
const LONGEST_SEEN = 60

/** Recognises by the best of these signs; a name alone says nothing, it only adds a little. */
export const bySigns =
  (signs: readonly Sign[], name?: RegExp): Recognise =>
  (head, file) => {
    let best = UNRECOGNISED
    for (const { confidence, patterns } of signs) {
      const matches = patterns.map((pattern) => pattern.exec(head)?.[0])
      if (confidence > best.confidence && matches.every((match) => match !== undefined))
        best = { confidence, seen: matches.map(oneLine).join(', ') }
    }
    const bonus = best.confidence > 0 && name?.test(file) === true ? NAME_BONUS : 0
    return { ...best, confidence: Math.min(1, best.confidence + bonus) }
  }

/** How JSON begins, be it one value or one on each line. */
const JSON_BEGIN = /^\s*(?:\{\s*["}]|\[[\s[]*(?:["{\]\d-]|true|false|null))/

/** The same, for formats that are JSON: other text may hold their words, such as a program that writes them. */
export const byJsonSigns = (signs: readonly Sign[], name?: RegExp): Recognise => {
  const recognise = bySigns(signs, name)
  return (head, file) => (JSON_BEGIN.test(head) ? recognise(head, file) : UNRECOGNISED)
}

const oneLine = (text = ''): string => text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SEEN)

const MOST_NAMES = 6

/** What a file looks like, for people whose file no format recognises. */
export function shapeOf(head: string): string {
  const text = head.trimStart()
  if (/[\u0000\uFFFD]/.test(text.slice(0, 1000))) return 'bytes that are no text'
  const json = JSON_BEGIN.test(text) ? text : ''
  const names = new Set(Array.from(json.matchAll(/"([^"\\\n]{1,40})"\s*:/g), ([, name = '']) => name))
  const some = [...names].slice(0, MOST_NAMES).join(', ')
  return some === '' ? `text that begins "${oneLine(text)}"` : `JSON with the names ${some}`
}
