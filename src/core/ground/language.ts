import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as spanish } from '@orama/stopwords/spanish'
import type { Language } from '../../shared/domain/language'

/** The small words of each language, which no sentence does without. */
const SMALL_WORDS: readonly (readonly [Language, ReadonlySet<string>])[] = [
  ['en', new Set(english)],
  // The list has "unse" and "unsem" in their place.
  ['de', new Set([...german, 'unsere', 'unserem', 'unseren', 'unserer', 'unseres'])],
  ['fr', new Set(french)],
  ['es', new Set(spanish)],
]
/** Small words that are enough to tell. */
const ENOUGH = 2

/** The small words of a language, in lower case. */
export const smallWordsOf = (language: Language): ReadonlySet<string> =>
  SMALL_WORDS.find(([name]) => name === language)?.[1] ?? new Set()

/** The language that a text is in, by the most of its small words; null where that does not tell. */
export function languageOf(text: string): Language | null {
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  const [best, second] = SMALL_WORDS.map(([language, small]) => ({
    language,
    count: words.filter((word) => small.has(word)).length,
  })).sort((a, b) => b.count - a.count)
  return best && second && best.count >= ENOUGH && best.count > second.count ? best.language : null
}
