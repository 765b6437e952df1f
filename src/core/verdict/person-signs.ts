import { PERSON_WORDS, type PersonWords } from './words'

/** Words apart at most for one of them to be about the other. */
const WINDOW = 3

type Phrase = readonly string[]
/** Phrases by their first letter, in the order of their list. */
type Phrases = ReadonlyMap<string, readonly Phrase[]>
type Signs = (kind: keyof PersonWords) => Phrases

function byLetter(entries: readonly string[]): Phrases {
  const phrases = new Map<string, Phrase[]>()
  for (const entry of entries) {
    const letter = entry.slice(0, 1)
    phrases.set(letter, [...(phrases.get(letter) ?? []), entry.split(' ')])
  }
  return phrases
}

/** The signs of each language. */
const SIGNS: readonly Signs[] = Object.values(PERSON_WORDS).map((words) => {
  const kinds = new Map(
    Object.entries(words).map(([kind, entries]) => [kind, byLetter(entries as readonly string[])]),
  )
  return (kind) => kinds.get(kind) ?? new Map<string, Phrase[]>()
})

/** The words of a message as `PERSON_WORDS` writes them: lower case, no accents, no apostrophes; "." ends a clause. */
export const messageWords = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .match(/[\p{L}\p{N}]+|[.!?\n,;:]/gu)
    ?.map((word) => (/[.!?\n,;:]/.test(word) ? '.' : word)) ?? []

const isWord = (pattern: string, word: string | undefined): boolean =>
  word !== undefined && (pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern)

const standsAt = (phrase: Phrase, words: readonly string[], at: number): boolean =>
  phrase.every((pattern, i) => isWord(pattern, words[at + i]))

/** The phrases that stand at a place, in the order of their list. */
const phrasesAt = (phrases: Phrases, words: readonly string[], at: number): readonly Phrase[] =>
  phrases.get(words[at]?.slice(0, 1) ?? '')?.filter((phrase) => standsAt(phrase, words, at)) ?? []

/** Where a sign of one language stands, as the first place behind it; -1 for nowhere. */
function placeOf(phrases: Phrases, words: readonly string[], from = 0, to = words.length): number {
  for (let at = from; at < to; at++) {
    const longest = Math.max(0, ...phrasesAt(phrases, words, at).map(({ length }) => length))
    if (longest > 0) return at + longest
  }
  return -1
}

const begins = (name: keyof PersonWords, words: readonly string[], within = 1): boolean =>
  SIGNS.some((signs) => placeOf(signs(name), words, 0, within) >= 0)

const holds = (name: keyof PersonWords, words: readonly string[]): boolean =>
  SIGNS.some((signs) => placeOf(signs(name), words) >= 0)

/** Whether in one language a sign of the one kind and one of the other stand within a few words of one sentence. */
const near = (a: keyof PersonWords, b: keyof PersonWords, words: readonly string[]): boolean =>
  SIGNS.some((signs) =>
    words.some((_, at) => {
      const [first] = phrasesAt(signs(a), words, at)
      if (!first) return false
      const sentence = (from: number, to: number): [number, number] => {
        const stop = words.slice(from, to).indexOf('.')
        return [from, stop < 0 ? to : from + stop]
      }
      const [from, to] = sentence(at + first.length, at + first.length + WINDOW)
      const before = words.slice(Math.max(0, at - WINDOW), at)
      const start = at - before.length + (before.lastIndexOf('.') + 1)
      return placeOf(signs(b), words, from, to) >= 0 || placeOf(signs(b), words, start, at) >= 0
    }),
  )

const praises = (words: readonly string[]): boolean =>
  SIGNS.some((signs) => {
    const end = placeOf(signs('praise'), words, 0, 1)
    return end > 0 && (words[end] ?? '.') === '.'
  })

/** What the words of a message say. */
export const personSigns = {
  /** Thanks at the beginning, praise as a clause of its own, or that it works now. */
  thanks: (words: readonly string[]): boolean =>
    begins('thanks', words, 3) ||
    praises(words) ||
    (holds('works', words) && !near('negations', 'expectations', words)),
  complains: (words: readonly string[]): boolean =>
    near('negations', 'expectations', words) || holds('faults', words) || near('having', 'errors', words),
  repairs: (words: readonly string[]): boolean => begins('repairs', words),
  denies: (words: readonly string[]): boolean => begins('denials', [...words, '.']),
  demandsOther: (words: readonly string[]): boolean => holds('instead', words),
  goesOn: (words: readonly string[]): boolean => {
    const message = words.filter((word) => word !== '.')
    return SIGNS.some((signs) =>
      phrasesAt(signs('goOn'), message, 0).some((phrase) => phrase.length === message.length),
    )
  },
  movesOn: (words: readonly string[]): boolean => begins('next', words),
  pointsBack: (words: readonly string[]): boolean =>
    SIGNS.some((signs) => placeOf(signs('back'), words, 0, Math.min(words.length, 16)) >= 0),
}

/** Whether a message says that what it answers is not so. */
export const isComplaint = (message: string): boolean => {
  const words = messageWords(message)
  return personSigns.complains(words) || personSigns.denies(words)
}
