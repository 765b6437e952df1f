import type { TextFault } from '../../shared/domain/memory'
import { loopStart } from './replies/loop'
import { isRecord } from './record'

/** Words in a row whose repetition is counted, the words from which on it is, and the share of different runs that a text has at least. */
const RUN = 3
const LEAST_WORDS = 9
const LEAST_DIFFERENT = 0.6
/** Characters of a word that can be one piece again and again, and how often. */
const LEAST_PIECES = /(.{1,6}?)\1{4,}/u
/** Words from which on a text is a statement, which has to be about what it was written of. */
const STATEMENT = 4
/** Letters at the beginning by which two words count as one. */
const SAME_BEGINNING = 6
/** Words of a sentence, and letters of its last one, with which it has no end yet: articles and prepositions are that short. */
const SENTENCE = 8
const SHORT_WORD = 3

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** Words that say something, numbers too, by how they begin: in any language the short ones seldom do, and endings vary. */
const contentIn = (text: string): string[] =>
  wordsIn(text)
    .filter((word) => word.length > 3 || /\p{N}/u.test(word))
    .map((word) => word.slice(0, SAME_BEGINNING))

function repeatsItself(text: string): boolean {
  if (loopStart(text) !== null) return true
  const words = wordsIn(text)
  const pieces = LEAST_PIECES.exec(text.replace(/\s+/g, ''))
  if (pieces !== null && /[\p{L}\p{N}]/u.test(pieces[0]) && pieces[0].length >= 10) return true
  if (words.length < LEAST_WORDS) return false
  const runs = words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(' '))
  return new Set(runs).size < runs.length * LEAST_DIFFERENT
}

/** Words in their order, as they count for whether a text says something new: not how a sentence begins, nor its signs. */
const sayingOf = (text: string): string =>
  ` ${(text.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => (/^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word)).join(' ')} `

/** Whether what a text says stands in one of these already, word for word, whatever its signs and its beginning. */
export function addsNothing(text: string, texts: readonly string[]): boolean {
  const saying = sayingOf(text)
  return texts.some((other) => sayingOf(other).includes(saying))
}

/** What a prompt shows between quotation marks as an example of the form. */
const examplesIn = (template: string): ReadonlySet<string> =>
  new Set(
    [...template.matchAll(/"([^"\n]{1,300})"/g)].flatMap(([, text]) =>
      text === undefined ? [] : [plain(text)],
    ),
  )

/** Whether a text is what stands in a form for what is to be filled in, and nothing else. */
export const isPlaceholder = (text: string): boolean =>
  /^[\s.…_<>[\]-]*$/.test(text) || (/\.{3}|…/.test(text) && wordsIn(text).length < STATEMENT)

/** Whether it ends in the middle of a sentence: at its limit without an end, or on a short word. */
function breaksOff(text: string, limit: number): boolean {
  const words = wordsIn(text)
  if (words.length < STATEMENT || !/\p{L}$/u.test(text.trim())) return false
  const last = text.trim().split(/\s+/).at(-1) ?? ''
  return (
    text.length >= limit - 1 ||
    (words.length >= SENTENCE && new RegExp(`^\\p{Ll}{1,${SHORT_WORD}}$`, 'u').test(last))
  )
}

interface Leaf {
  readonly text: string
  /** Characters it may have at the most. */
  readonly limit: number
}

/** The free texts of a written value, as its schema tells them; a choice among given words is none. */
function leavesOf(value: unknown, schema: Readonly<Record<string, unknown>>): Leaf[] {
  if (typeof value === 'string')
    return schema['enum'] === undefined && schema['const'] === undefined
      ? [{ text: value, limit: typeof schema['maxLength'] === 'number' ? schema['maxLength'] : Infinity }]
      : []
  if (Array.isArray(value)) {
    const items = isRecord(schema['items']) ? schema['items'] : {}
    return value.flatMap((item) => leavesOf(item, items))
  }
  if (!isRecord(value)) return []
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  return Object.entries(value).flatMap(([key, item]) => {
    const own = properties[key]
    return leavesOf(item, isRecord(own) ? own : {})
  })
}

/**
 * What is wrong with a text that a model wrote of something; null where nothing is. Told without knowing the language: it says the same again and
 * again, it is the example or the placeholder of the form it was asked for, it is a number or a date and nothing else, it breaks off in a sentence, or
 * it has no word of what it was written of (`source`, where it has to have one) that was not in the request (`template`) already.
 */
export function textFault(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  { template, source }: { readonly template: string; readonly source: string | null },
): TextFault | null {
  const leaves = leavesOf(value, schema).filter(({ text }) => text.trim() !== '')
  const examples = examplesIn(template)
  for (const { text, limit } of leaves) {
    if (isPlaceholder(text)) return 'copies-the-form'
    if (wordsIn(text).length >= 2 && examples.has(plain(text))) return 'copies-the-form'
    if (repeatsItself(text)) return 'repeats-itself'
    if (breaksOff(text, limit)) return 'breaks-off'
  }
  if (leaves.length > 0 && leaves.every(({ text }) => /^[\p{N}\p{P}\p{S}\s]+$/u.test(text)))
    return 'bare-value'
  const all = leaves.map(({ text }) => text).join(' ')
  if (source === null || wordsIn(all).length < STATEMENT) return null
  const request = new Set(contentIn(template))
  const about = new Set(contentIn(source).filter((word) => !request.has(word)))
  return about.size > 0 && !contentIn(all).some((word) => about.has(word)) ? 'quotes-nothing' : null
}
