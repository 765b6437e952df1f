import { hash32 } from '../ground/random'
import { isStopWord, stem, wordsOf } from '../retrieval/terms'
import type { Lived } from './acts'
import { linesBeforeAction, type Clause, type WrittenLine } from './quotations'
import type { Witness } from './refusals'

/** A clause of a line, and how far it is believed. */
export interface Saying {
  /** Without their endings. */
  readonly words: ReadonlySet<string>
  /** That it is right, in [0, 1]. */
  readonly p: number
  /** When it was last borne out, as an ISO time. */
  readonly at: string
  /** Attempts that went by it and were solved, and those that failed. */
  readonly solved: number
  readonly failed: number
}

/** A line that an agent wrote before it acted, in an attempt that bore it out. */
export interface Proven {
  readonly id: string
  /** As the agent wrote it. */
  readonly text: string
  readonly sayings: readonly Saying[]
  /** Whether this memory's own agent wrote it; else another agent told of it. */
  readonly isOwn: boolean
  /** When it was first and last written, as ISO times. */
  readonly since: string
  readonly at: string
  readonly witness: Witness
  /** The attempts that wrote it and were kept for it, oldest first. */
  readonly writtenBy: readonly string[]
}

interface HeldSaying extends Saying {
  p: number
  at: string
  solved: number
  failed: number
  /** Which attempt of its place last spoke for or against it, from 1. */
  attempt: number
}
interface HeldLine extends Omit<Proven, 'sayings'> {
  readonly sayings: readonly HeldSaying[]
  readonly writtenBy: string[]
  isOwn: boolean
  at: string
}

/** How far a clause is believed that was read off an answer, that another agent told, and that is a guess. */
const READ = 0.95
const OF_OTHERS = 0.75
const GUESS = 0.6
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

/** The same line of the same place has the same id in every memory. */
function lineId(environment: string, place: string, key: string): string {
  const name = `${environment}\n${place}\n${key}`
  return `line-${[name, `${name}\n`].map((one) => hash32(one).toString(16).padStart(8, '0')).join('')}`
}

const keyOf = (text: string): string => wordsOf(text).join(' ')

/** What was believed fades towards doubt; what was disbelieved stays so. */
const faded = ({ p, attempt }: Pick<HeldSaying, 'p' | 'attempt'>, now: number): number =>
  p <= DOUBT ? p : DOUBT + (p - DOUBT) * (1 - HAZARD) ** Math.max(0, now - attempt)

/** What agents wrote before they acted in one place, as a fold over its attempts. */
export function followProven() {
  const lines = new Map<string, HeldLine>()
  const sayings = new Map<string, HeldSaying>()
  const ofAttempt = new Map<string, HeldLine[]>()
  /** What solved attempts that went by no words of their own took from their task into what they did. */
  const acted = new Map<string, HeldSaying>()
  /** In how many attempts' tasks each word stood. */
  const counts = new Map<string, number>()
  let attemptCount = 0

  /** The clause as it is believed before the attempt is judged. */
  function sayingOf({ text, isRead }: Clause, { isOwn, at }: Lived): HeldSaying {
    const key = keyOf(text)
    const before = sayings.get(key)
    const p = !isOwn ? OF_OTHERS : isRead ? READ : GUESS
    const one = before ?? { words: stemsOf(text), p, at, solved: 0, failed: 0, attempt: attemptCount }
    sayings.set(key, one)
    if (before && isRead && isOwn)
      Object.assign(one, { p: Math.max(READ, faded(one, attemptCount)), at, attempt: attemptCount })
    return one
  }

  /**
   * A judged attempt speaks for or against all that it went by, against each as far as it is doubtful and the others are not (noisy AND):
   * P(solved) = reading * all right + luck * not all right.
   */
  function judge(relied: readonly HeldSaying[], reward: 0 | 1, at: string): void {
    const before = relied.map((one) => faded(one, attemptCount))
    const all = before.reduce((product, p) => product * p, 1)
    const likelihood = (right: number): number => {
      const solved = READING * right + LUCK * (1 - right)
      return reward === 1 ? solved : 1 - solved
    }
    for (const [i, one] of relied.entries()) {
      const p = before[i] ?? DOUBT
      const after = Math.min(SUREST, Math.max(1 - SUREST, (p * likelihood(all / p)) / likelihood(all)))
      one.p = after
      if (reward === 1) one.solved++
      else one.failed++
      one.attempt = attemptCount
      if (reward === 1) one.at = at
    }
  }

  function keep(
    { quote }: WrittenLine,
    parts: readonly HeldSaying[],
    { id, isOwn, at, environment, place }: Lived,
  ): void {
    const key = keyOf(quote.text)
    const one: HeldLine = lines.get(key) ?? {
      ...{ id: lineId(environment, place, key), text: quote.text, sayings: parts, isOwn, since: at, at },
      ...{ witness: { attempt: id, quotes: [quote] }, writtenBy: [] },
    }
    one.writtenBy.push(id)
    if (isOwn) Object.assign(one, { isOwn, at })
    lines.set(key, one)
    ofAttempt.set(id, [...(ofAttempt.get(id) ?? []), one])
  }

  const asOfNow = (one: HeldLine): Proven => ({
    ...one,
    sayings: one.sayings.map(({ words, at, solved, failed, ...saying }) => ({
      words,
      at,
      solved,
      failed,
      p: faded(saying, attemptCount),
    })),
  })
  return {
    take(lived: Lived): void {
      attemptCount++
      const ofTask = stemsOf(lived.told)
      for (const word of ofTask) counts.set(word, (counts.get(word) ?? 0) + 1)
      const { isOwn, reward, at } = lived
      const linesNow = linesBeforeAction(lived).map((line) => ({
        line,
        parts: line.clauses.map((clause) => sayingOf(clause, lived)),
      }))
      if (isOwn && reward !== null) judge([...new Set(linesNow.flatMap(({ parts }) => parts))], reward, at)
      for (const { line, parts } of linesNow)
        if (reward === 1 || line.clauses.some(({ isRead }) => isRead)) keep(line, parts, lived)
      if (reward === 1 && !ofAttempt.has(lived.id)) {
        const all = lived.acts.flatMap(({ action }) => [...stemsOf(action)])
        // Those that it took from its task: few, since they are held for every attempt.
        const words = new Set(
          all.filter((word) => ofTask.has(word) && !isStopWord(word) && !/^\d+$/.test(word)),
        )
        acted.set(lived.id, {
          words,
          p: isOwn ? READ : OF_OTHERS,
          at,
          solved: 1,
          failed: 0,
          attempt: attemptCount,
        })
      }
    },
    /** As far as they are believed now, oldest first. */
    all: (): Proven[] => [...lines.values()].map(asOfNow),
    of: (attempt: string): Proven[] => (ofAttempt.get(attempt) ?? []).map(asOfNow),
    actedIn: (attempt: string): Saying | null => {
      const one = acted.get(attempt)
      return one === undefined ? null : { ...one, p: faded(one, attemptCount) }
    },
    rarity: (word: string): number =>
      Math.max(0, 1 - (counts.get(word) ?? 0) / (attemptCount + FEW) / COMMON),
  }
}
