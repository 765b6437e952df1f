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
/** Verbs between what a text is about and what it says of it: words on either side of one do not stand beside each other. */
const HINGES: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf('is are was were am do does did has have had can could must should may will would'),
  de: setOf('ist sind war waren bin hat haben habe hatte wird werden kann muss soll'),
  fr: setOf('est sont était étaient suis ai ont avait'),
  es: setOf('es son era eran soy está están tiene tienen tengo debe debo puede puedo'),
}
/** Words before a thing of somebody, or before one that both know. A word right before one is no part of that thing. */
const PARTICULAR: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf('the this my our your his her their'),
  de: setOf('der die das den dem mein meine meinen meiner meinem unser unsere unseren unserer unserem'),
  fr: setOf('le la les mon ma mes notre nos'),
  es: setOf('el la los las mi mis nuestro nuestra'),
}
/** Words between a thing and whose it is; German ones that say so by their ending. */
const GENITIVES = setOf('of von de')
const GENITIVE_ENDINGS = setOf('meiner meines unserer unseres')
const GENITIVE_S = /['’]s(?![\p{L}\p{N}])/gu
const NO_WORD = /[^\p{L}\p{N}]/u
/** Characters of the longest owner. */
const OWNER_LENGTH = 40
/** German prepositions with an article in them. */
const CONTRACTED = setOf('am ans beim im ins vom zum zur')
/** Words before one of a kind, whichever. */
const INDEFINITE: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf('a an any'),
  de: setOf('ein eine einen einem einer'),
  fr: setOf('un une des'),
  es: setOf('un una unos unas'),
}
/** Verbs of a question behind which stands who does, and last what is done. */
const AUXILIARIES: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  en: setOf('do does did'),
  de: setOf('muss kann soll darf will'),
}
/** Those who ask, and what is theirs. */
const OWNERS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: setOf('i me my mine we us our ours'),
  de: setOf('ich mich mir mein meine meinen meiner meinem wir uns unser unsere unseren unserer unserem'),
  fr: setOf('je me moi mon ma mes nous notre nos'),
  es: setOf('yo me mi mis nosotros nos nuestro nuestra'),
}
/** Words that ask for a name or give one. */
const NAMING = setOf(
  'name names named called call heißt heisst heißen heissen genannt nennt nom prenom appelle appelles appellent nombre llama llaman',
)
const ALL_OWNERS: ReadonlySet<string> = new Set(Object.values(OWNERS).flatMap((words) => [...words]))
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
  /** Whether it is the verb that a question ends with, or has before who asks. */
  readonly isAct: boolean
  /** Whether something is theirs, as in "Ana's car" and "the car of my sister". */
  readonly isOwner: boolean
  /** Everyday things it stands for. */
  readonly things: readonly string[]
  /** What parts it from the word before: a sign such as a colon, a verb such as "is", or that something else begins. */
  readonly gap: 'sign' | 'verb' | 'opening' | null
  /** Whether it is of one thing that both know, as in "the key", "my key" and "Tom", or of any of its kind, as in "a key". */
  readonly of: 'one' | 'any' | null
  /** Whether a number stands right behind it, as in "invoice 12". */
  readonly isNumbered: boolean
  /** Whether it stands right behind a word for those who ask, as in "my car". */
  readonly isMine: boolean
  /** Whether it is a noun; null where nothing tells. */
  readonly isNoun: boolean | null
}

const SIGN = /^[:;,.!?]$/

/** Whose something is by an "'s", as "ana" in "Ana's car". */
const ownersIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(GENITIVE_S)].map(({ index }) =>
      (
        text
          .slice(Math.max(0, index - OWNER_LENGTH), index)
          .split(NO_WORD)
          .at(-1) ?? ''
      ).toLowerCase(),
    ),
  )

/** The content words of a text, in order, read as in that language. */
function read(text: string, language: Language): Word[] {
  const small = smallWordsOf(language)
  const all = [...text.replace(ELIDED, ' ').matchAll(/[:;,.!?]|[\p{L}\p{N}]+/gu)].map(([word]) => word)
  const isSmall = (own: string): boolean => {
    const lower = own.toLowerCase()
    if (PARTICULAR[language].has(lower) || (language === 'de' && CONTRACTED.has(lower))) return true
    return small.has(lower) || (language === 'en' && isStopWord(lower)) || /^\p{Ll}$/u.test(own)
  }
  const isContent = (own: string | undefined): boolean =>
    own !== undefined && !SIGN.test(own) && !isSmall(own)
  const plainAt = (i: number): string => wordsOf(all[i] ?? '')[0] ?? ''
  const isCapital = (i: number): boolean => /^\p{Lu}/u.test(all[i] ?? '')
  const capitals = all.some((_, i) => i > 0 && isCapital(i))
  const acts = all.some((own) => AUXILIARIES[language]?.has(own.toLowerCase()))
  const owners = ownersIn(text)
  const isOwned = (i: number): boolean => {
    const [earlier = '', mine = ''] = all.slice(Math.max(0, i - 2), i).map((own) => own.toLowerCase())
    return (
      OWNERS[language].has(mine) &&
      (GENITIVES.has(earlier) || (GENITIVE_ENDINGS.has(mine) && isCapital(i - 2)))
    )
  }
  const last = all.findLastIndex(isContent)
  let gap: Word['gap'] = null
  let of: Word['of'] = null
  return all.flatMap((own, i) => {
    const lower = own.toLowerCase()
    const before = plainAt(i - 1)
    if (SIGN.test(own)) gap = 'sign'
    if (HINGES[language].has(lower)) gap ??= 'verb'
    if (PARTICULAR[language].has(lower) && lower !== 'der' && isContent(all[i - 1])) gap ??= 'opening'
    if (!isContent(own)) {
      of =
        PARTICULAR[language].has(lower) || (language === 'de' && CONTRACTED.has(lower))
          ? 'one'
          : INDEFINITE[language].has(lower)
            ? 'any'
            : null
      return []
    }
    const isAsked = ASKING.has(before) || (isSmall(before) && ASKING.has(plainAt(i - 2)) && before === 'de')
    const isDone = DOERS[language].has(before) && !isCapital(i)
    const isAct =
      (acts && i === last && !isCapital(i) && (language !== 'en' || isContent(all[i - 1]))) ||
      (language !== 'en' && !isCapital(i) && OWNERS[language].has((all[i + 1] ?? '').toLowerCase()))
    return wordsOf(own).flatMap((word) => {
      if (QUESTIONS.has(word)) return []
      const one: Word = {
        ...{ word, root: stem(word), gap },
        isNumber: /\p{N}/u.test(word),
        isLight: LIGHT_WORDS.includes(word),
        isOwner: owners.has(lower) || isOwned(i),
        isOpen: isAsked || isDone,
        isAct,
        things: termsOf(word).flatMap(({ term, kind }) => (kind === 'thing' ? [term] : [])),
        of: language !== 'de' && i > 0 && isCapital(i) ? 'one' : of,
        isNumbered: /^\p{N}/u.test(all[i + 1] ?? ''),
        isMine: OWNERS[language].has((all[i - 1] ?? '').toLowerCase()),
        isNoun: language === 'de' && capitals && i > 0 ? isCapital(i) : null,
      }
      // "Lucy moved", "das Orchester spielt": a verb, and what follows is said with it.
      gap =
        isContent(all[i - 1]) && !QUESTIONS.has(before) && isCapital(i - 1) && !isCapital(i) ? 'verb' : null
      return [one]
    })
  })
}

/** Whether two words begin so much alike that they may be forms of one, as "night" and "nightly" do. */
export function beginAlike(a: string, b: string): boolean {
  let alike = 0
  while (alike < a.length && a[alike] === b[alike]) alike++
  return alike >= Math.max(LEAST_STEM, STEM_PART * Math.max(a.length, b.length))
}

/** Whether two words are forms of one, in languages whose endings are not known too. */
const isSame = (a: Word, b: Word): boolean =>
  a.root === b.root || (!a.isNumber && !b.isNumber && beginAlike(a.word, b.word))

const contrasts = ({ root: a }: Word, { root: b }: Word): boolean =>
  CONTRASTS.some((sides) => {
    const own = sides.find((side) => side.has(a))
    return own !== undefined && !own.has(b) && sides.some((side) => side.has(b))
  })

const meansSame = (a: Word, b: Word): boolean =>
  isSame(a, b) ||
  (NAMING.has(a.word) && NAMING.has(b.word)) ||
  (a.things.some((thing) => b.things.includes(thing)) && !contrasts(a, b))

/** The words on either side of one, where nothing parts them; `closely`: where no sign does. */
const besideOf = (text: readonly Word[], at: number, closely: boolean): Word[] => {
  const [before, own, after] = [text[at - 1], text[at], text[at + 1]]
  const joins = (gap: Word['gap'] | undefined, isAfter: boolean): boolean =>
    closely ? gap !== 'sign' : gap === null || (gap === 'opening' && !isAfter)
  return [
    ...(before && joins(own?.gap, false) ? [before] : []),
    ...(after && joins(after.gap, true) ? [after] : []),
  ]
}

/** Words of a text that the other has not, with what stands beside them. */
const ownWords = (text: readonly Word[], other: readonly Word[], closely: boolean) =>
  text.flatMap((word, i) =>
    word.isOpen || other.some((one) => meansSame(word, one))
      ? []
      : [{ word, beside: besideOf(text, i, closely) }],
  )

/** Whether two words may stand for two things of one sort. */
const compares = (a: Word, b: Word): boolean =>
  a.isAct === b.isAct &&
  // "need" and "take" are said of the same.
  !(a.isAct && a.isLight && b.isLight) &&
  a.isNumber === b.isNumber &&
  a.isLight === b.isLight &&
  (a.isNoun === null || b.isNoun === null || a.isNoun === b.isNoun)

interface Pair {
  readonly request: readonly Word[]
  readonly text: readonly Word[]
  /** Whether the request is of something in general, such as "a gym", and not of one thing that both know. */
  readonly isGeneral: boolean
  /** Whether the request is of a kind, such as "a cat" or "cats", and the text of one of it, such as "our cat". */
  readonly isOfKind: boolean
}

/** Words by which somebody asks for what is theirs: "Do we have a plumber?" */
const HAVING = /(?<!\p{L})(?:have|has|had|got|own|habe|haben|hat|ai|avons|tengo|tenemos)(?!\p{L})/iu

/** A question of what something is, whichever: "What is a caravan?", and not "What is the code?". */
const ASKS_WHAT_IT_IS =
  /^(?:what (?:is|are|does)|was (?:ist|sind|bedeutet|heißt)|qu['’]est-ce qu['’e](?: c['’]est qu['’e])?|qué (?:es|son|significa)) ?(?!(?:the|my|our|your|this|that|der|die|das|mein|unser|le|la|les|mon|ma|el|los|mi)(?!\p{L}))[\p{Ll}'’ -]{2,60}\??$/iu

/** Whether a word of a request is of any of its kind, by its article or as a bare plural, and that of the text of one. */
function isKindOf(request: Word, one: Word, asksWhatItIs: boolean): boolean {
  const isPlural = request.word !== one.word && request.word.startsWith(one.word)
  const isOne = one.isMine || one.isNumbered || one.isOpen || ((asksWhatItIs || isPlural) && one.of === 'one')
  return isOne && (request.of === 'any' || (request.of === null && (asksWhatItIs || isPlural)))
}

/** The words of the request that was read last: one request is held against many texts. */
let requestWords: { readonly of: string; readonly language: Language; readonly words: Word[] } | null = null
/** The pair that was read last, which several questions are asked of. */
let lastPair: { readonly of: readonly [string, string]; readonly pair: Pair } | null = null

function readPair(request: string, text: string): Pair {
  if (lastPair?.of[0] === request && lastPair.of[1] === text) return lastPair.pair
  const language = languageOf(`${request}\n${text}`) ?? 'en'
  if (requestWords?.of !== request || requestWords.language !== language)
    requestWords = { of: request, language, words: read(request, language) }
  const pair = pairOf(request, requestWords.words, read(text, language), language)
  lastPair = { of: [request, text], pair }
  return pair
}

function pairOf(request: string, a: Word[], b: Word[], language: Language): Pair {
  const owners = OWNERS[language]
  const isOwn = (request.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => owners.has(word))
  const shared = a.filter((word) => b.some((one) => meansSame(word, one)))
  const asksWhatItIs = ASKS_WHAT_IT_IS.test(request)
  const asksForOwn = isOwn && HAVING.test(request)
  const pairs = a.flatMap((word) => b.filter((one) => isSame(word, one)).map((one) => [word, one] as const))
  return {
    request: a,
    text: b,
    isOfKind:
      !asksForOwn && pairs.length > 0 && pairs.every(([word, one]) => isKindOf(word, one, asksWhatItIs)),
    isGeneral: !shared.some(({ of }) => of === 'one') && (!isOwn || shared.some(({ of }) => of === 'any')),
  }
}

/** Whether a request has words in common with a text and is of something in general all the same: "Which blood type is rare?" for "My blood type is A". */
export const isGeneral = (request: string, text: string): boolean => readPair(request, text).isGeneral

/** Whether a statement begins with a thing of whoever asks, and the request is of that: "What is wrong with my bicycle?" for "My bike is a green Koga". */
export function asksOfOwn(request: string, statement: string): boolean {
  if (!ALL_OWNERS.has(/^\p{L}+/u.exec(statement)?.[0].toLowerCase() ?? '')) return false
  const { request: a, text: b } = readPair(request, statement)
  const [subject, next] = b
  if (!subject?.isMine || next?.gap !== 'verb') return false
  const isWhole = (at: number): boolean => a[at + 1] === undefined || a[at + 1]?.gap !== null
  return a.some((word, at) => word.isMine && !word.isOwner && isWhole(at) && meansSame(word, subject))
}

/** Whether a request is of a kind of which the text says something of one: "How do cats purr?" for "Our cat is called Biscuit". */
export const isOfKind = (request: string, text: string): boolean => readPair(request, text).isOfKind

/** Whether a request names an everyday thing where the text names another of its sort, such as a dog for a cat. */
export function namesContrast(request: string, text: string): boolean {
  const { request: a, text: b } = readPair(request, text)
  const [own, others] = [ownWords(a, b, true), ownWords(b, a, true)]
  return own.some(({ word }) => others.some((one) => contrasts(word, one.word)))
}

/**
 * Whether a text says of another thing what is asked, as "the blue and yellow key" does for "the red and yellow key": each has a word that the other has
 * not, beside a word of both, or the request names whose it is. What is asked for ("which colour") and done ("do I need") may be said otherwise, and so may everyday things. What a text says of
 * the thing that is asked about is no other thing: "Where in Italy is my dentist?" is not beside "Dr. Ferrari in Milan".
 */
export function isNeighbour(request: string, text: string): boolean {
  const { request: a, text: b, isGeneral: closely } = readPair(request, text)
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return false
  const others = ownWords(b, a, closely)
  const own = ownWords(a, b, closely)
  if (
    own.some(({ word, beside }) => word.isOwner && beside.some((here) => b.some((one) => isSame(here, one))))
  )
    return true
  return own.some(({ word, beside }) =>
    others.some(
      (one) =>
        compares(one.word, word) && one.beside.some((there) => beside.some((here) => isSame(here, there))),
    ),
  )
}
