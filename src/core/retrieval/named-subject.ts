import { languageOf, smallWordsOf } from '../ground/language'
import { beginAlike } from './neighbours'
import { stem, wordsOf } from './terms'

/** Place among the words of its language from which a word is rare enough to be a name. */
const RARE_RANK = 10_000
/** The same for a word that is written as a name where others have no capital, and has another word beside it to tell what it is about. */
const NAME_RANK = 2_000
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const TITLES = setOf('mr mrs ms dr prof herr herrn mme mlle')
/** Words behind which stands which of several a statement is about, as in "the course on Monday". */
const PREPOSITIONS = setOf(
  'of on in at for with from by von vom am im in auf bei mit für aus an de du des à au avec pour del en con',
)
/** A number behind a word is part of its name, as in "node-02". */
const TOKEN = /[\p{L}\p{N}]+(?:[-_.]\p{N}+)*/gu
const CAPITAL_OR_NUMBER = /^\p{Lu}|\p{N}/u

type RankOf = (word: string) => number | null

interface Token {
  readonly word: string
  /** As it is written. */
  readonly own: string
  readonly isSmall: boolean
  /** Whether it is written as names are. */
  readonly isMarked: boolean
  /** Whether no other word is written so. */
  readonly isUnknown: boolean
  readonly isRare: boolean
  /** Words that are written as names are right before and behind it. */
  readonly beside: readonly [before: string | null, behind: string | null]
}

function tokensOf(text: string, rankOf: RankOf, least = RARE_RANK): Token[] {
  const all = [...text.matchAll(TOKEN)].map((match) => {
    const lower = match[0].toLowerCase()
    const isSmall = (['en', 'de', 'fr', 'es'] as const).some((language) => smallWordsOf(language).has(lower))
    return { own: match[0], lower, isSmall, start: match.index, end: match.index + match[0].length }
  })
  const besideAt = (from: number, index: number): string | null => {
    const [first, last, other] = [all[Math.min(from, index)], all[Math.max(from, index)], all[index]]
    if (!first || !last || !other || other.isSmall || !CAPITAL_OR_NUMBER.test(other.own)) return null
    return /^[\s-]*$/.test(text.slice(first.end, last.start)) ? other.lower : null
  }
  return all.map(({ own, lower, isSmall }, index) => {
    const rank = rankOf(wordsOf(own).join(' '))
    const isName = !isSmall && !TITLES.has(lower) && own.length > 1 && /\p{L}/u.test(own)
    return {
      ...{ word: lower, own, isSmall },
      isMarked: CAPITAL_OR_NUMBER.test(own),
      isUnknown: rank === null,
      isRare: isName && (rank === null || rank >= least),
      beside: [besideAt(index, index - 1), besideAt(index, index + 1)],
    }
  })
}

/** The rare name that a statement is about: the first there, with at most what it is before it ("Firma", "atelier") and its second word. */
function subjectOf(statement: string, rankOf: RankOf): Token[] {
  const tokens = tokensOf(statement, rankOf)
  const at = tokens.findIndex(({ isRare, isMarked }) => isRare && isMarked)
  const [first, second] = tokens.slice(at)
  const before = tokens.slice(0, Math.max(0, at)).filter(({ isSmall }) => !isSmall)
  // A German noun has a capital as well: "die grüne Tonne" is one of several.
  const isOneOfMany =
    before.length > 1 || (before[0]?.isMarked === false && (languageOf(statement) ?? 'de') === 'de')
  if (at < 0 || !first || isOneOfMany) return []
  const subject = second?.isRare && first.beside[1] === second.word ? [first, second] : [first]
  return PREPOSITIONS.has(tokens[at + subject.length]?.word ?? '') ? [] : subject
}

interface Name {
  readonly word: string
  readonly beside: Token['beside']
}

/** The rare names in a request. */
const namesIn = (tokens: readonly Token[]): Name[] =>
  tokens.flatMap((token, index) => {
    // A request begins with a capital in any case.
    const beside = index === 1 ? ([null, token.beside[1]] as const) : token.beside
    return token.isRare && (token.isMarked || token.isUnknown) ? [{ word: token.word, beside }] : []
  })

const isNamedBy =
  (names: readonly Name[]) =>
  (own: Token): boolean =>
    names.some(
      ({ word, beside }) =>
        own.word === word &&
        own.beside.every((name, side) => {
          const other = beside[side]
          return name === null || !other || name === other || beginAlike(name, other)
        }),
    )

/**
 * Whether a request names what a statement is about, by a rare name: "Bring a parcel to the Alma" for "The Alma lies at berth 7", and not for what is said
 * of an Alma with another surname.
 */
export function namesSubject(request: string, rankOf: RankOf): (statement: string) => boolean {
  const names = namesIn(tokensOf(request, rankOf))
  return (statement) => names.length > 0 && subjectOf(statement, rankOf).some(isNamedBy(names))
}

/** Whether a statement holds a rare name of a request and another word of it: "Deploy Vela to staging" for "The staging host of Vela is ...". */
export function namesWithin(request: string, rankOf: RankOf): (statement: string) => boolean {
  const least = languageOf(request) === 'de' ? RARE_RANK : NAME_RANK
  const own = tokensOf(request, rankOf, least)
  const names = namesIn(own)
  const isName = isNamedBy(names)
  const roots = new Set(own.flatMap((token) => (token.isSmall || isName(token) ? [] : [stem(token.word)])))
  return (statement) => {
    if (names.length === 0) return false
    const tokens = tokensOf(statement, rankOf)
    return tokens.some(isName) && tokens.some(({ word, isSmall }) => !isSmall && roots.has(stem(word)))
  }
}

/** Words before one thing that both know; "the" and what stands for it, or whose it is. */
const DEFINITE = setOf(
  'the this our my your der die das den dem des unser unsere unserem unseren mein meine meinem meinen im am zum zur ' +
    'le la les l notre nos mon ma mes du au el los las nuestro nuestra mi mis del al',
)
/** Words before any of a kind. */
const INDEFINITE = setOf('a an any ein eine einen einem einer un une des una unos unas')

/**
 * Whether a request names what a statement begins with, however usual its words: a name ("Format the code of Ana" for "Ana wants two spaces"), or one thing by two
 * words ("the office printer"). Enough for a task, to which it is of use what is known of its things; a question may ask something else of them.
 */
export function namesThing(request: string, rankOf: RankOf): (statement: string) => boolean {
  const isGerman = languageOf(request) === 'de'
  const own = tokensOf(request, rankOf)
  const namedAt = (index: number): boolean => {
    const token = own[index]
    if (!token || index === 0 || token.isSmall || TITLES.has(token.word) || !/^\p{Lu}/u.test(token.own))
      return false
    // German nouns have a capital as well; before a name stands no article, and names are no everyday words.
    const before = own[index - 1]?.word ?? ''
    return !isGerman || !(DEFINITE.has(before) || INDEFINITE.has(before) || isUsual(token.word, rankOf))
  }
  const names = own.filter((_, index) => namedAt(index))
  const isSameWord = (a: string, b: string): boolean => a === b || (isGerman && beginAlike(a, b))
  return (statement) => {
    const tokens = tokensOf(statement, rankOf)
    const isPointedAt = DEFINITE.has(tokens[0]?.word ?? '')
    const [first, second] = tokens.slice(isPointedAt || TITLES.has(tokens[0]?.word ?? '') ? 1 : 0)
    if (!first || first.isSmall) return false
    if (!isPointedAt && names.some(({ word, beside }) => word === first.word && agree(beside, first.beside)))
      return true
    if (!isPointedAt || !second || second.isSmall) return false
    return own.some(
      ({ word }, index) =>
        isSameWord(word, first.word) &&
        isSameWord(own[index + 1]?.word ?? '', second.word) &&
        !INDEFINITE.has(own[index - 1]?.word ?? ''),
    )
  }
}

/**
 * Whether a request has a rare word that is no name, and what a statement is about begins with it: "Deploy the build to staging" for "Our staging server is called Brackwater".
 * Where either names or numbers something besides, it may be another of its sort.
 */
export function sharesSort(request: string, rankOf: RankOf): (statement: string) => boolean {
  const own = tokensOf(request, rankOf)
  const sorts = new Set(
    own.flatMap((token) => (token.isRare && !token.isMarked && !token.isSmall ? [token.word] : [])),
  )
  const isPlain = !own.slice(1).some(({ isMarked }) => isMarked)
  return (statement) => {
    const [first, second] = isPlain && sorts.size > 0 ? tokensOf(statement, rankOf) : []
    return DEFINITE.has(first?.word ?? '') && second?.isMarked === false && sorts.has(second.word)
  }
}

const isUsual = (word: string, rankOf: RankOf): boolean => (rankOf(word) ?? Infinity) < NAME_RANK

/** Whether what stands beside a name on both sides, where something does on both, is the same: not another Ana. */
const agree = (a: Token['beside'], b: Token['beside']): boolean =>
  a.every((name, side) => name === null || !b[side] || name === b[side])
