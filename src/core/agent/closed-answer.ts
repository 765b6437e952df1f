import { isStopWord, stem } from '../retrieval/terms'
import { normalizeAnswer } from '../tasks/qa/text-metrics'

/** Words of an answer, beside those of its question, that are still compared word by word. */
const MOST_WORDS = 8
/** Characters of an answer that is still a closed one. */
const LONGEST = 240
/** How many words longer than the reference an answer may be: one that lists everything would hold any reference. */
const MOST_MORE = 40

const wordsOf = (text: string): string[] => normalizeAnswer(text).split(' ').filter(Boolean)

/** "use" and "uses" say the same. */
const stemsOf = (text: string): string[] => wordsOf(text).map(stem)

/** An answer that can be compared by its words, and what of it has to be said. */
export interface ClosedAnswer {
  /** Words that say something beside the question, in order. */
  readonly words: readonly string[]
  /** Whether an answer has to be those words and no others: they stand in the question too, as one of several choices. */
  readonly isWhole: boolean
}

/**
 * What an answer comes down to beside its question: of "The port Vela uses is 7411." to "Which port does Vela use?" it is 7411. Null for what cannot be
 * compared by words: long answers, lists, programs.
 */
export function closedAnswer(question: string, reference: string): ClosedAnswer | null {
  if (reference.length > LONGEST || /\n|```/.test(reference.trim())) return null
  const questionWords = new Set(stemsOf(question))
  const all = wordsOf(reference)
  // A negation is never a mere function word here.
  const own = all.filter((word) => !questionWords.has(stem(word)) && (!isStopWord(word) || isDecisive(word)))
  const words = own.length > 0 ? own : all
  if (words.length === 0 || words.length > MOST_WORDS) return null
  return { words, isWhole: own.length === 0 }
}

const DECISIVE: ReadonlySet<string> = new Set(['yes', 'no', 'not', 'never', 'none', 'nobody', 'nothing'])
const isDecisive = (word: string): boolean => DECISIVE.has(word)

/** Whether an answer says what a closed one says: all its words, no more negation than it has, and not much else. */
export function saysSame(answer: string, { words, isWhole }: ClosedAnswer): boolean {
  const own = wordsOf(answer)
  if (isWhole) return own.join(' ') === words.join(' ')
  if (own.length > words.length + MOST_MORE) return false
  const there = new Set(own.map(stem))
  const negates = (list: Iterable<string>) => [...list].some((word) => word !== 'yes' && isDecisive(word))
  return words.every((word) => there.has(stem(word))) && (negates(words) || !negates(own))
}
