import { setImmediate } from 'node:timers/promises'
import { behindString } from '../../../core/ground/json-check'

/** Where a value stands in a JSON text: from its first character up to behind its last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A way into a JSON text: names of members and places in lists. */
export type JsonPath = readonly (string | number)[]

const ENDS = /[\s,\]}]/
const BLANK = 32

const skipBlanks = (text: string, at: number): number => {
  let i = at
  while (text.charCodeAt(i) <= BLANK) i++
  return i
}

/** Behind the value that begins at `at`. */
function behindValue(text: string, at: number): number {
  const first = text.charAt(at)
  if (first === '"') return behindString(text, at)
  let i = at
  if (first !== '{' && first !== '[') {
    while (i < text.length && !ENDS.test(text.charAt(i))) i++
    return i
  }
  for (let depth = 0; i < text.length;) {
    const sign = text.charAt(i)
    if (sign === '"') {
      i = behindString(text, i)
      continue
    }
    if (sign === '{' || sign === '[') depth++
    if ((sign === '}' || sign === ']') && --depth === 0) return i + 1
    i++
  }
  return i
}

/** The member of an object, or the element of a list, that begins at `at`; of two members of one name the last, as `JSON.parse` does. */
function childOf(text: string, at: number, key: string | number): number | null {
  const isList = typeof key === 'number'
  if (text.charAt(at) !== (isList ? '[' : '{')) return null
  let match: number | null = null
  let i = skipBlanks(text, at + 1)
  for (let index = 0; i < text.length && text.charAt(i) !== '}' && text.charAt(i) !== ']'; index++) {
    let name: unknown = index
    if (!isList) {
      const end = behindString(text, i)
      name = JSON.parse(text.slice(i, end))
      i = skipBlanks(text, skipBlanks(text, end) + 1)
    }
    if (name === key) match = i
    if (isList && match !== null) return match
    i = skipBlanks(text, behindValue(text, i))
    if (text.charAt(i) === ',') i = skipBlanks(text, i + 1)
  }
  return match
}

/** Where a value stands in a text that is valid JSON; null where there is none. Takes linear time for each step of the path. */
export function spanOf(text: string, path: JsonPath): Span | null {
  let from = skipBlanks(text, 0)
  for (const key of path) {
    const child = childOf(text, from, key)
    if (child === null) return null
    from = child
  }
  return { from, to: behindValue(text, from) }
}

/** Where a text can be put into a request: at the head of a string, or as a part of its own before a part of a list. */
export interface Place {
  readonly path: JsonPath
  /** Makes the part; null where the text goes into the string itself. */
  readonly part: ((text: string) => object) | null
}

/** A JSON text with texts put in, every other byte as it was; others get their turn between them. What has no place is left out. */
export async function putTexts(
  json: string,
  puts: readonly { readonly place: Place; readonly text: string }[],
): Promise<string> {
  const edits: { readonly at: number; readonly text: string }[] = []
  for (const { place, text } of puts) {
    if (text === '') continue
    await setImmediate()
    const span = spanOf(json, place.path)
    if (span === null) continue
    edits.push(
      place.part === null
        ? { at: span.from + 1, text: JSON.stringify(text).slice(1, -1) }
        : { at: span.from, text: `${JSON.stringify(place.part(text))},` },
    )
  }
  return edits
    .sort((a, b) => b.at - a.at)
    .reduce((result, { at, text }) => result.slice(0, at) + text + result.slice(at), json)
}
