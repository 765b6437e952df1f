import type { Beliefs } from './beliefs'
import { CASE_KIND } from '../memory/cases/kind'
import type { Candidate } from './candidates'
import { NEW_TRUST, type RecallPolicy } from './policy'
import { lastStatements, type Statement, type TaskThings } from './statements'
import type { Features } from './value-model'
import { itemKey } from './attempt-statements'
import { cosine } from '../retrieval/cosine'

/** Groups of features, each of which can be left out. */
export const FEATURE_GROUPS = {
  meaning: ['meaning'],
  words: ['words'],
  statements: ['says', 'doubtful', 'aside'],
  history: ['helped', 'pair'],
  age: ['age'],
  trust: ['trust', 'byPerson', 'elsewhere', 'otherEnvironment'],
  outcome: ['outcome', 'contradicted'],
  redundancy: ['redundancy', 'redundancySquared'],
} as const
export type FeatureGroup = keyof typeof FEATURE_GROUPS

/** What is known of a task before anything is chosen. */
export interface TaskView {
  readonly things: TaskThings
  readonly terms: ReadonlyMap<string, number>
  readonly vector: Float32Array
  readonly place: string
  readonly environment: string
  /** Share of the memory's attempts that were solved. */
  readonly base: number
  /** Attempts of the memory, and when each was written, oldest first. */
  readonly times: readonly string[]
}

/** A candidate as it stands before anything is chosen. */
export interface Prepared {
  readonly candidate: Candidate
  readonly key: string
  /** What it says of the task's things, with what the task cares for that thing and how far it is believed. */
  readonly says: readonly { readonly statement: Statement; readonly need: number; readonly p: number }[]
  /** Features that do not depend on what else is chosen. */
  readonly features: Features
}

/** What a thing counts that only the surroundings of a task name; one that the task itself says counts 1. */
const NAMED = 0.5
/** Judged uses that a rate counts as if they had been seen already. */
const PRIOR_USES = 4
/** Attempts from which on an item is as old as can be. */
const OLD = 200
/** Share of words from which two keys name the same task. */
const SAME_TASK = 0.95

const covered = (wantedMap: ReadonlyMap<string, number>, foundMap: ReadonlyMap<string, number>): number => {
  let all = 0
  let there = 0
  for (const [term, weight] of wantedMap) {
    all += weight
    if (foundMap.has(term)) there += weight
  }
  return all === 0 ? 0 : there / all
}

/** Statements of an item from elsewhere are believed as far as others of its origin agree with what was seen. */
function trustOf(
  candidates: readonly Candidate[],
  place: string,
  beliefs: Beliefs,
): (of: Candidate) => number {
  const counts = new Map<string, { agree: number; all: number }>()
  const nameOf = ({ origin: { from, by } }: Candidate): string => `${from} ${by ?? ''}`
  for (const candidate of candidates) {
    if (isOwn(candidate)) continue
    const count = counts.get(nameOf(candidate)) ?? { agree: 0, all: 0 }
    counts.set(nameOf(candidate), count)
    for (const { subject, value } of candidate.statements) {
      const best = beliefs.best(place, subject)
      if (!best || best.p < 0.9) continue
      count.all++
      if (best.value === value) count.agree++
    }
  }
  return (candidate) => {
    if (isOwn(candidate)) return 1
    const { agree, all } = counts.get(nameOf(candidate)) ?? { agree: 0, all: 0 }
    return (agree + PRIOR_USES * NEW_TRUST) / (all + PRIOR_USES)
  }
}

/** What own items say that no attempt has relied on yet. */
const OWN_TRUST = 0.9

const isOwn = ({ origin: { from } }: Candidate): boolean => from === 'attempt' || from === 'person'

/** Whether an item is of the task's place: the attempt behind it was there, or it names it. */
const isOfPlace = (
  { trajectoryId, title, text }: Candidate,
  place: string,
  worldOf: RecallPolicy['worldOf'],
): boolean => {
  if (place === '') return true
  const world = trajectoryId === null ? null : worldOf(trajectoryId)
  return world === null ? text.includes(place) || title.includes(place) : world === place
}

/** The candidates with all that can be said of each by itself. What one from another place says holds there, so it does not count. */
export function prepare(
  candidates: readonly Candidate[],
  { things, terms, vector, place, environment, base, times }: TaskView,
  policy: Pick<RecallPolicy, 'beliefs' | 'pairValue' | 'worldOf'>,
  off: ReadonlySet<string>,
): Prepared[] {
  const trust = trustOf(candidates, place, policy.beliefs)
  return candidates.map((candidate) => {
    const key = itemKey(candidate.kind, candidate.id)
    const trusted = trust(candidate)
    const isByPerson = candidate.origin.from === 'person'
    // What a person keeps is not of one place unless it says so.
    const isHere = isByPerson || isOfPlace(candidate, place, policy.worldOf)
    const report = isHere ? lastStatements(candidate.statements, things.all).values() : []
    const says = [...report].map((statement) => ({
      statement,
      need: things.said.has(statement.subject) ? 1 : NAMED,
      p: policy.beliefs.of(
        place,
        statement.subject,
        statement.value,
        isOwn(candidate) ? OWN_TRUST : trusted,
        candidate.origin.from === 'attempt' && candidate.kind !== CASE_KIND ? candidate.createdAt : undefined,
      ),
    }))
    const all: Record<string, number> = {
      item: 1,
      [`kind:${candidate.kind}`]: 1,
      meaning: candidate.meaning,
      words: covered(terms, candidate.terms),
      outcome: candidate.reward === null ? 0 : candidate.reward === 1 ? 1 : -1,
      helped: (candidate.helped + PRIOR_USES * base) / (candidate.judged + PRIOR_USES) - base,
      pair: policy.pairValue(key, vector),
      age: Math.min(1, (times.length - earlierThan(times, candidate.createdAt)) / OLD),
      trust: trusted - 1,
      aside: !isByPerson && candidate.statements.length > 0 && says.length === 0 ? 1 : 0,
      elsewhere: isHere ? 0 : 1,
      otherEnvironment: candidate.environment === environment ? 0 : 1,
      byPerson: candidate.byPerson ? 1 : 0,
      contradicted: isContradicted(candidate, candidates) ? 1 : 0,
    }
    return { candidate, key, says, features: getSelection(all, off) }
  })
}

const getSelection = (all: Readonly<Record<string, number>>, off: ReadonlySet<string>): Features =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, x]) =>
      x === 0 || off.has(name) ? [] : [[name, Math.round(x * 1e4) / 1e4]],
    ),
  )

/** Of ISO times in order, how many are before one. */
function earlierThan(times: readonly string[], at: string): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? '') < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a newer candidate about the same task ended the other way. */
function isContradicted(one: Candidate, all: readonly Candidate[]): boolean {
  if (one.reward === null) return false
  return all.some(
    (other) =>
      other.reward === (one.reward === 1 ? 0 : 1) &&
      other.kind === one.kind &&
      other.createdAt > one.createdAt &&
      (cosine(one.vector, other.vector) ?? 0) >= SAME_TASK,
  )
}

/** What was said by what is chosen so far. */
export interface Chosen {
  readonly said: ReadonlyMap<string, string>
  /** Of that, what a solved attempt among it acts on. */
  readonly acted: ReadonlyMap<string, string>
  readonly items: readonly Pick<Candidate, 'terms' | 'vector'>[]
}

/** Whether an item shows how to act on what it says, where others only say it. */
export const isWorked = ({ place, reward }: Pick<Candidate, 'place' | 'reward'>): boolean =>
  place === 'attempt' && reward === 1

/**
 * All features of a candidate beside what is chosen: what it newly says, how far that is in doubt, and how much of it is said already. What
 * it says again does not count; what it says otherwise is in doubt. A solved attempt repeats only what another solved one acts on.
 */
export function featuresBeside(
  { candidate, says, features }: Prepared,
  choice: Chosen,
  off: ReadonlySet<string>,
): Features {
  let fresh = 0
  let doubtful = 0
  let again = 0
  const repeats = isWorked(candidate) ? choice.acted : choice.said
  for (const { statement, need, p } of says) {
    const before = choice.said.get(statement.subject)
    if (repeats.get(statement.subject) === statement.value) again++
    if (before === statement.value) continue
    if (before === undefined) {
      fresh += need * p
      doubtful += need * (1 - p)
    } else doubtful += need
  }
  const redundancy =
    says.length > 0
      ? again / says.length
      : choice.items.reduce(
          (most, one) =>
            Math.max(most, covered(candidate.terms, one.terms), cosine(candidate.vector, one.vector) ?? 0),
          0,
        )
  return {
    ...features,
    ...getSelection(
      {
        says: fresh,
        doubtful,
        redundancy,
        redundancySquared: redundancy ** 2,
      },
      off,
    ),
  }
}
