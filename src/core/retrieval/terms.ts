import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as russian } from '@orama/stemmers/russian'
import { EVERYDAY_WORDS } from './everyday-words'
import { IRREGULAR_WORDS } from './irregular-words'

/** Longer words are not indexed: they are hashes and the like. */
const LONGEST = 40

const lines = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  lines(IRREGULAR_WORDS).flatMap(([first = '', ...forms]) => forms.map((form) => [form, first] as const)),
)

/** English words that say little by themselves. Those that turn a task around ("not", "all", "only") are not among them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about am an and are as at be been being but by can could d did do does doing for from had has have having he her hers him his ' +
    'how i if in into is it its just ll m me my of on or our ours please re s shall she should so t than that the their theirs them ' +
    'then there these they this those to too us ve very was we were what when where which who whom whose why will with would you your yours'
  ).split(' '),
)

/** Whether a word, in lower case, says little by itself. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** Scripts that put no blanks between words: every two characters are a term. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/u

/** What a term is to a search: a word that says something, one that says little, or a thing that several words stand for. */
export type TermKind = 'word' | 'stop' | 'thing'

/** What a match of each kind counts in word search; chosen on the tuning sets of docs/search-quality.md. */
export const TERM_WEIGHTS: Readonly<Record<TermKind, number>> = { word: 1, stop: 0.2, thing: 0.3 }

export interface Term {
  /** Without blanks. Of a stop word the word itself behind "~", of a thing its number behind "#". */
  readonly term: string
  readonly kind: TermKind
  /** The word as the text has it; a thing's own number. */
  readonly word: string
}

/** A word without its ending: English and Russian, told apart by their letters; other words stay as they are. */
export function stem(word: string): string {
  // A longer one may be a part of a text that it would keep in memory.
  if (word.length <= 2 || word.length >= LONGEST_KEPT) return stemOf(word)
  const before = STEMS.get(word)
  if (before !== undefined) return before
  const root = stemOf(word)
  if (STEMS.size >= MOST_STEMS) STEMS.clear()
  STEMS.set(word, root)
  return root
}

/** Stems of words that came lately: texts repeat their words, and a stem takes twenty times as long as a look. */
const STEMS = new Map<string, string>()
const MOST_STEMS = 50_000
const LONGEST_KEPT = 13

function stemOf(word: string): string {
  if (word.length <= 2) return word
  if (/^[a-z]+$/.test(word)) return english(IRREGULAR.get(word) ?? word)
  return /^[\u0430-\u0451]+$/.test(word) ? russian(word) : word
}

const THINGS: ReadonlyMap<string, readonly string[]> = (() => {
  const things = new Map<string, string[]>()
  for (const [number, words] of lines(EVERYDAY_WORDS).entries())
    for (const root of new Set(words.map(stem))) things.set(root, [...(things.get(root) ?? []), `#${number}`])
  return things
})()

/** Words in lower case, without accents; of unspaced scripts every two characters that stand side by side. */
export function wordsOf(text: string): string[] {
  const small = text.toLowerCase()
  if (!/[^\0-\u007f]/.test(small))
    return (small.match(/[a-z0-9]+/g) ?? []).filter((word) => word.length <= LONGEST)
  const match =
    small
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return match.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word.length <= LONGEST ? [word] : []))
}

function pairsOf(word: string): string[] {
  const characters = [...word]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((each, i) => `${characters[i]}${each}`)
}

/**
 * What a text is searched by, the same for every index: its words without endings, its stop words marked as such, and the everyday
 * things its words stand for, each thing once.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  const things = new Set<string>()
  for (const word of wordsOf(text)) {
    if (STOP_WORDS.has(word)) {
      terms.push({ term: `~${word}`, kind: 'stop', word })
      continue
    }
    const root = stem(word)
    terms.push({ term: root, kind: 'word', word })
    for (const thing of THINGS.get(root) ?? []) things.add(thing)
  }
  for (const term of things) terms.push({ term, kind: 'thing', word: term })
  return terms
}
