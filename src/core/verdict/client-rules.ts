import type { EvidenceKind } from '../../shared/domain/verdict'
import { logit, sigmoid } from './verdict'
import { SETTLES_FAILED, SETTLES_SOLVED, WEIGHTS } from './weights'

/** What a model's readings of next messages weigh, as log-odds that an attempt was solved. */
export interface ReaderWeights {
  readonly 'read-right': number
  readonly 'read-wrong': number
}

/** What the rules go by where one program, or one person, asks. */
export interface ClientRules {
  /** Log-odds that an attempt was solved, per kind of evidence. */
  readonly weights: Readonly<Record<EvidenceKind, number>>
  /** The part of its attempts that are solved, in [0, 1]. */
  readonly prior: number
  /** What the readings of a model weigh, by its name; one that is not here weighs nothing. */
  readonly readers: Readonly<Record<string, ReaderWeights>>
  /** The person's verdicts that this was learned from; 0 for what was fitted on other people's attempts. */
  readonly verdicts: number
}

/** A person's own verdict on an attempt, and the signs that the rules saw in it. */
export interface JudgedSigns {
  readonly kinds: readonly EvidenceKind[]
  readonly solved: boolean
  /** Which model read the next message, and what that comes to; null where none did. Default: none. */
  readonly reading?: Reading | null
}

/** A model's reading of a next message. */
export interface Reading {
  readonly model: string
  /** Null: neither a yes nor a no. */
  readonly claim: keyof ReaderWeights | null
}

/** What holds where a person has said too little. */
export const FITTED: ClientRules = { weights: WEIGHTS, prior: 0.5, readers: {}, verdicts: 0 }

/** A person's verdicts from which on rules are theirs. */
export const ENOUGH = 30
/** Attempts that the fitted weight of a kind counts as, and attempts of either end that the prior begins with. */
const START = 8
const EITHER = 2
/** What kinds that may settle a verdict are held below, and the others: as they were fitted. */
const MOST_SETTLING = 3.15
const MOST_OTHER = 0.75
/** How much a model's reading weighs at most. */
const MOST_READING = 1.5

/** How a model's readings compare with the person's own verdicts on the same attempts. */
export interface ReaderStanding {
  /** Verdicts that it was compared with. */
  readonly compared: number
  /** Readings that came to the same as the verdict, to the other, and to neither. */
  readonly agreed: number
  readonly differed: number
  readonly silent: number
  /** 0 each until it was compared with thirty. */
  readonly weights: ReaderWeights
}

/**
 * How far a model's readings are borne out: log(sensitivity / (1 - specificity)) of a yes and of a no, each count with one more, held below 1.5. A
 * reading that speaks for what it denies weighs nothing.
 */
export function readerStanding(verdicts: readonly JudgedSigns[], model: string): ReaderStanding {
  const own = verdicts.filter(({ reading }) => reading?.model === model)
  const countOf = (claim: Reading['claim'], isSolved?: boolean): number =>
    own.filter(({ reading, solved }) => reading?.claim === claim && (isSolved ?? solved) === solved).length
  const solvedCount = own.filter(({ solved }) => solved).length
  const oddsOf = (claim: keyof ReaderWeights): number => {
    const ifSolved = (countOf(claim, true) + 1) / (solvedCount + 2)
    const ifFailed = (countOf(claim, false) + 1) / (own.length - solvedCount + 2)
    return Math.log(ifSolved / ifFailed)
  }
  const isEnough = own.length >= ENOUGH
  return {
    compared: own.length,
    agreed: countOf('read-right', true) + countOf('read-wrong', false),
    differed: countOf('read-right', false) + countOf('read-wrong', true),
    silent: countOf(null),
    weights: {
      'read-right': isEnough ? Math.min(MOST_READING, Math.max(0, oddsOf('read-right'))) : 0,
      'read-wrong': isEnough ? Math.max(-MOST_READING, Math.min(0, oddsOf('read-wrong'))) : 0,
    },
  }
}

/** What signs weigh in an attempt whose next message a model has read; null: none has. */
export const weightsIn = (
  { weights, readers }: ClientRules,
  reader: string | null,
): ClientRules['weights'] => ({ ...weights, ...(reader === null ? null : readers[reader]) })

/** Readings are weighed by model. */
const isReading = (kind: EvidenceKind): boolean => kind === 'read-right' || kind === 'read-wrong'

/**
 * What the rules go by for one client: its person's own verdicts, mixed with the fitted weights, each of which counts as eight attempts. Fewer than thirty
 * verdicts change nothing. What may settle a verdict stays the same: a sign that a person gives another meaning loses its weight and settles nothing.
 */
export function rulesOf(verdicts: readonly JudgedSigns[]): ClientRules {
  if (verdicts.length < ENOUGH) return FITTED
  const solvedCount = verdicts.filter(({ solved }) => solved).length
  const prior = (solvedCount + EITHER) / (verdicts.length + 2 * EITHER)
  const weights = Object.fromEntries(
    (Object.entries(WEIGHTS) as [EvidenceKind, number][]).map(([kind, start]) => {
      const own = isReading(kind) ? [] : verdicts.filter(({ kinds }) => kinds.includes(kind))
      if (own.length === 0) return [kind, start]
      const begin = START * sigmoid(logit(prior) + start)
      const p = (begin + own.filter(({ solved }) => solved).length) / (START + own.length)
      const most = SETTLES_SOLVED.has(kind) || SETTLES_FAILED.has(kind) ? MOST_SETTLING : MOST_OTHER
      return [kind, Math.max(-most, Math.min(most, logit(p) - logit(prior)))]
    }),
  ) as Record<EvidenceKind, number>
  const models = new Set(verdicts.flatMap(({ reading }) => (reading ? [reading.model] : [])))
  const readers = Object.fromEntries(
    [...models].map((model) => [model, readerStanding(verdicts, model).weights]),
  )
  return { weights, prior, readers, verdicts: verdicts.length }
}
