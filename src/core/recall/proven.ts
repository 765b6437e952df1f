import { stem, wordsOf } from '../retrieval/terms'
import type { Lived } from './acts'
import { wordsBeforeAction, type Quotation } from './quotations'
import type { Witness } from './refusals'

/** Words that an agent went by where it was right. */
export interface Proven {
  readonly id: string
  /** As the agent wrote them. */
  readonly text: string
  /** Without their endings. */
  readonly words: ReadonlySet<string>
  /** Whether this memory's own agent went by them; else another agent told of it. */
  readonly isOwn: boolean
  /** That all they say is right, when `attempt` of their place (from 1) spoke for or against them, and that one's end as an ISO time. */
  readonly p: number
  readonly attempt: number
  readonly at: string
  readonly witness: Witness
}
type HeldProven = { -readonly [K in keyof Proven]: Proven[K] }

/** What was gone by where the agent was right, what it came to say of what it looked up and nobody judged, and what another agent told. */
const WORKED = 0.97
const READ = 0.95
const OF_OTHERS = 0.75
/** That an attempt succeeds where all is right that it went by, and although something is wrong. */
const READING = 0.9
const LUCK = 0.08
const SUREST = 0.99
/** Share of a belief above doubt that is lost at every further attempt of its place: things change. */
const HAZARD = 0.0015
const DOUBT = 0.5
/** Part of the tasks that have a word from which on it is common, and tasks that count as if they had been seen without it. */
const COMMON = 0.5
const FEW = 4

/** The words of a text, without their endings. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stem))

/** What was believed fades towards doubt; what was disbelieved stays so. */
const faded = ({ p, attempt }: Pick<Proven, 'p' | 'attempt'>, now: number): number =>
  p <= DOUBT ? p : DOUBT + (p - DOUBT) * (1 - HAZARD) ** Math.max(0, now - attempt)

/** The words that attempts of one place went by, as a fold over them. */
export function followProven() {
  const byText = new Map<string, HeldProven>()
  const ofAttempt = new Map<string, HeldProven[]>()
  /** In how many attempts' tasks each word stood. */
  const counts = new Map<string, number>()
  let attemptCount = 0

  /**
   * A judged attempt speaks for or against all the words known before that it went by, against each as far as it is doubtful and the others are
   * not (noisy AND): P(solved) = reading * all right + luck * not all right.
   */
  function judge(message: ReadonlySet<string>, reward: 0 | 1, at: string): void {
    const relied = [...byText.values()].filter(({ words }) => [...words].every((word) => message.has(word)))
    const before = relied.map((one) => faded(one, attemptCount))
    const all = before.reduce((product, p) => product * p, 1)
    const likelihood = (right: number): number => {
      const solved = READING * right + LUCK * (1 - right)
      return reward === 1 ? solved : 1 - solved
    }
    for (const [i, one] of relied.entries()) {
      const p = before[i] ?? DOUBT
      one.p = Math.min(SUREST, Math.max(1 - SUREST, (p * likelihood(all / p)) / likelihood(all)))
      one.attempt = attemptCount
      if (reward === 1) one.at = at
    }
  }

  function keep(quote: Quotation, n: number, { id, isOwn, reward, at }: Lived): void {
    const { text } = quote
    const name = wordsOf(text).join(' ')
    const p = !isOwn ? OF_OTHERS : reward === null ? READ : WORKED
    const now = { p, attempt: attemptCount, at }
    const one: HeldProven = byText.get(name) ?? {
      ...{ id: `${id}-${n}`, text, words: stemsOf(text), isOwn },
      ...{ ...now, witness: { attempt: id, quotes: [quote] } },
    }
    if (isOwn && (!one.isOwn || p > one.p)) Object.assign(one, now, { isOwn })
    byText.set(name, one)
    ofAttempt.set(id, [...(ofAttempt.get(id) ?? []), one])
  }

  const asOfNow = (one: HeldProven): Proven => ({ ...one, p: faded(one, attemptCount) })
  return {
    take(lived: Lived): void {
      attemptCount++
      for (const word of stemsOf(lived.told)) counts.set(word, (counts.get(word) ?? 0) + 1)
      const words = wordsBeforeAction(lived)
      if (!words) return
      const { isOwn, reward, at } = lived
      if (isOwn && reward !== null)
        judge(stemsOf(words.quotes.map(({ text }) => text).join('\n')), reward, at)
      if (reward === 0) return
      for (const [n, quote] of words.quotes.entries())
        if (reward === 1 || words.read.has(quote.text)) keep(quote, n, lived)
    },
    /** As far as they are believed now, oldest first. */
    all: (): Proven[] => [...byText.values()].map(asOfNow),
    of: (attempt: string): Proven[] => (ofAttempt.get(attempt) ?? []).map(asOfNow),
    rarity: (word: string): number =>
      Math.max(0, 1 - (counts.get(word) ?? 0) / (attemptCount + FEW) / COMMON),
  }
}
