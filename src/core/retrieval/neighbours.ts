import { languageOf, smallWordsOf } from '../ground/language'
import type { Language } from '../../shared/domain/language'
import { isStopWord, stem, termsOf, wordsOf } from './terms'

/** Content words of a text up to which it is about one thing. */
const MOST_WORDS = 30
/** Letters that two words begin with alike at least, and part of the longer one, to be forms of one word. */
const LEAST_STEM = 4
const STEM_PART = 0.7

/** French words that stand before a vowel without a blank, and the English genitive. */
const ELIDED = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu)['’]|['’]s(?![\p{L}\p{N}])/giu

/** Words that stand in requests about anything. */
const LIGHT_WORDS = (
  'thanks hello good bad nice help lot want need know get make let go come say tell ask think see look find explain give take put use try keep ' +
  'start stop work show reach call called like way thing kind sort type something anything name number place person people really much many ' +
  'more most less few some any one two first last next other another same new old big small large long short high low time day today week ' +
  'month year hour minute now again also just only well even ever never always write describe suggest list short please'
).split(' ')
/** The same without their endings. */
export const LIGHT: ReadonlySet<string> = new Set(LIGHT_WORDS.map(stem))

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** Words behind which stands what is asked for: "what colour", "welcher Stock", "combien de temps". */
const ASKING = setOf(
  'what which whose how welche welcher welches welchen welchem wie quel quelle quels quelles combien que cual cuales cuantos cuantas',
)
/** Words that ask by themselves. */
const QUESTIONS = setOf(
  'since who whom when where why wer wen wem wann wo wohin woher womit warum qui quand ou comment pourquoi quoi quien cuando donde adonde como',
)
/** Words behind which stands what somebody does, and that is often said in another way. */
const DOERS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf('to i we you he she they one who'),
  de: setOf('wer ich wir du ihr sie er man zu'),
  fr: setOf('qui je nous vous il elle ils elles on'),
  es: setOf('quien yo nosotros ella ellos'),
}
/** Everyday things that search takes for one, and that are another's: sides of each line. */
const CONTRASTS: readonly (readonly ReadonlySet<string>[])[] = [
  'brother|sister',
  'mother mum mom mama|father dad daddy papa',
  'grandmother grandma granny|grandfather grandpa',
  'son|daughter',
  'husband|wife',
  'girlfriend|boyfriend',
  'uncle|aunt|nephew|niece|cousin',
  'dog puppy|cat kitten|horse',
  'breakfast|lunch|dinner supper',
  'coffee|tea',
  'apple|orange|banana|berry',
  'guitar|piano|violin|cello|drum|flute',
].map((line) => line.split('|').map((side) => new Set(side.split(' ').map(stem))))

interface Word {
  /** In lower case, without accents. */
  readonly word: string
  readonly root: string
  readonly isNumber: boolean
  /** Such as "small" or "next". */
  readonly isLight: boolean
  /** What is asked for, or done. */
  readonly isOpen: boolean
  /** Everyday things it stands for. */
  readonly things: readonly string[]
  /** Whether a sign such as a colon parts it from the word before. */
  readonly isApart: boolean
}

/** The content words of a text, in order; `around` says in which language it is. */
function read(text: string, around: string): Word[] {
  const language = languageOf(around) ?? 'en'
  const small = smallWordsOf(language)
  const plain = text.replace(ELIDED, ' ')
  const all = [...plain.matchAll(/[:;,.!?]|[\p{L}\p{N}]+/gu)].map(([word]) => word)
  const plainAt = (i: number): string => wordsOf(all[i] ?? '')[0] ?? ''
  let isApart = false
  return all.flatMap((own, i) => {
    const lower = own.toLowerCase()
    const before = plainAt(i - 1)
    if (/^[:;,.!?]$/.test(own)) isApart = true
    if (small.has(lower) || (language === 'en' && isStopWord(lower)) || /^\p{Ll}$/u.test(own)) return []
    const isAsked = ASKING.has(before) || (small.has(before) && ASKING.has(plainAt(i - 2)) && before === 'de')
    return wordsOf(own).flatMap((word) => {
      if (QUESTIONS.has(word)) return []
      const one = {
        ...{
          word,
          root: stem(word),
          isNumber: /\p{N}/u.test(word),
          isLight: LIGHT_WORDS.includes(word),
          isApart,
        },
        isOpen: isAsked || (DOERS[language].has(before) && !/^\p{Lu}/u.test(own)),
        things: termsOf(word).flatMap(({ term, kind }) => (kind === 'thing' ? [term] : [])),
      }
      isApart = false
      return [one]
    })
  })
}

/** Whether two words are forms of one, in languages whose endings are not known too. */
function isSame(a: Word, b: Word): boolean {
  if (a.root === b.root) return true
  if (a.isNumber || b.isNumber) return false
  let alike = 0
  while (alike < a.word.length && a.word[alike] === b.word[alike]) alike++
  return alike >= Math.max(LEAST_STEM, STEM_PART * Math.max(a.word.length, b.word.length))
}

const contrasts = ({ root: a }: Word, { root: b }: Word): boolean =>
  CONTRASTS.some((sides) => {
    const own = sides.find((side) => side.has(a))
    return own !== undefined && !own.has(b) && sides.some((side) => side.has(b))
  })

const meansSame = (a: Word, b: Word): boolean =>
  isSame(a, b) || (a.things.some((thing) => b.things.includes(thing)) && !contrasts(a, b))

/** The words on either side of one, where no sign parts them. */
const besideOf = (text: readonly Word[], at: number): Word[] => {
  const [before, own, after] = [text[at - 1], text[at], text[at + 1]]
  return [...(before && own?.isApart === false ? [before] : []), ...(after?.isApart === false ? [after] : [])]
}

/** Words of a text that the other has not, with what stands beside them. */
const ownWords = (text: readonly Word[], other: readonly Word[]) =>
  text.flatMap((word, i) =>
    word.isOpen || other.some((one) => meansSame(word, one)) ? [] : [{ word, beside: besideOf(text, i) }],
  )

/**
 * Whether a text says of another thing what is asked, as "the blue and yellow key" does for "the red and yellow key": each has a word that the other has
 * not, beside a word of both. What is asked for ("which colour") and done ("do I need") may be said otherwise, and so may everyday things.
 */
export function isNeighbour(request: string, text: string): boolean {
  const around = `${request}\n${text}`
  const [a, b] = [read(request, around), read(text, around)]
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return false
  const others = ownWords(b, a)
  return ownWords(a, b).some(({ word, beside }) =>
    others.some(
      (one) =>
        one.word.isNumber === word.isNumber &&
        one.word.isLight === word.isLight &&
        one.beside.some((there) => beside.some((here) => isSame(here, there))),
    ),
  )
}
