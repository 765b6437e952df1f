import type { Candidate } from './candidates'
import { itemKey, type RecallPolicy } from './policy'
import type { Features } from './value-model'
import { cosine } from '../retrieval/cosine'

/** Groups of features, each of which can be left out. */
export const FEATURE_GROUPS = {
  meaning: ['meaning'],
  words: ['words'],
  says: ['says', 'doubtful', 'aside'],
  history: ['helped', 'pair'],
  age: ['age'],
  trust: ['trust', 'byPerson', 'elsewhere', 'otherEnvironment'],
  outcome: ['outcome', 'contradicted'],
  redundancy: ['redundancy', 'redundancySquared'],
} as const
export type FeatureGroup = keyof typeof FEATURE_GROUPS

/** What is known of a task before anything is chosen. */
export interface TaskView {
  /** What the task needs to be told of: words without endings, with how much each counts, in (0, 1]. */
  readonly needs: ReadonlyMap<string, number>
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
  /** Words that the task needs to be told of and that it speaks of, with how much each counts and how far what it says there is believed. */
  readonly says: readonly { readonly word: string; readonly need: number; readonly p: number }[]
  /** Features that do not depend on what else is chosen. */
  readonly features: Features
}

/** What is believed less than this is rather wrong than right. */
const DOUBT = 0.5
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

/** How far another agent is trusted. */
const NEW_TRUST = 0.75

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

/** What a candidate says of what a task needs: of each word the sentence that is believed most. */
function saysOf(sayings: Candidate['sayings'], needs: TaskView['needs']): Prepared['says'] {
  const best = new Map<string, number>()
  for (const { words, p } of sayings)
    for (const word of words) if (needs.has(word)) best.set(word, Math.max(p, best.get(word) ?? 0))
  return [...best].map(([word, p]) => ({ word, need: needs.get(word) ?? 0, p }))
}

/** The candidates with all that can be said of each by itself. What one from another place says holds there, so it does not count. */
export function prepare(
  candidates: readonly Candidate[],
  { needs, terms, vector, place, environment, base, times }: TaskView,
  policy: Pick<RecallPolicy, 'pairValue' | 'worldOf' | 'outcomeWeight'>,
  off: ReadonlySet<string>,
): Prepared[] {
  return candidates.map((candidate) => {
    const key = itemKey(candidate.kind, candidate.id)
    const isByPerson = candidate.origin.from === 'person'
    // What a person keeps is not of one place unless it says so.
    const isHere = isByPerson || isOfPlace(candidate, place, policy.worldOf)
    const says = isHere ? saysOf(candidate.sayings, needs) : []
    const all: Record<string, number> = {
      item: 1,
      [`kind:${candidate.kind}`]: 1,
      meaning: candidate.meaning,
      words: covered(terms, candidate.terms),
      outcome: outcomeOf(candidate, policy),
      helped: (candidate.helped + PRIOR_USES * base) / (candidate.judged + PRIOR_USES) - base,
      pair: policy.pairValue(key, vector),
      age: Math.min(1, (times.length - earlierThan(times, candidate.createdAt)) / OLD),
      trust: isOwn(candidate) ? 0 : NEW_TRUST - 1,
      aside: !isByPerson && candidate.sayings.length > 0 && says.length === 0 ? 1 : 0,
      elsewhere: isHere ? 0 : 1,
      otherEnvironment: candidate.environment === environment ? 0 : 1,
      byPerson: candidate.byPerson ? 1 : 0,
      contradicted: isContradicted(candidate, candidates) ? 1 : 0,
    }
    return { candidate, key, says, features: getSelection(all, off) }
  })
}

/** 1 for solved, -1 for failed, nearer to 0 while nobody has confirmed it, 0 where it is not known. */
function outcomeOf(
  { reward, trajectoryId }: Candidate,
  { outcomeWeight }: Pick<RecallPolicy, 'outcomeWeight'>,
): number {
  if (reward === null) return 0
  const weight = trajectoryId === null ? 1 : outcomeWeight(trajectoryId)
  return reward === 1 ? weight : -weight
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

/** What was spoken of by what is chosen so far. */
export interface Chosen {
  readonly said: ReadonlySet<string>
  /** Of that, what a solved attempt among it acts on. */
  readonly acted: ReadonlySet<string>
  readonly items: readonly Pick<Candidate, 'terms' | 'vector'>[]
}

/** Whether an item shows how to act on what it says, where others only say it. */
export const isWorked = ({ place, reward }: Pick<Candidate, 'place' | 'reward'>): boolean =>
  place === 'attempt' && reward === 1

/**
 * All features of a candidate beside what is chosen: what it newly speaks of, how far that is in doubt, and how much of it is spoken of already,
 * which does not count. A solved attempt repeats only what another solved one acts on.
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
  for (const { word, need, p } of says) {
    if (repeats.has(word)) again++
    const isNew = !choice.said.has(word)
    if (isNew) fresh += need * p
    // What is wrong misleads beside what is right, too.
    if (isNew || p < DOUBT) doubtful += need * (1 - p)
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
