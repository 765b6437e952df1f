import { BUILT_IN_ENCODER } from '../../shared/domain/model'
import { languageOf } from '../ground/language'
import type { Embedder } from '../ground/ports'
import { COHORTS } from './cohort'
import { cosine } from './cosine'
import { marginsOf, spreadAbout } from './floor'
import { isGeneral, isOfKind } from './neighbours'
import { asksOfOwnLife } from './own-question'
import { LEXICAL_ID } from './lexical-embedder'
import { asksOfAnother, LEAST_LIKENESS, likeness } from './likeness'
import { vectorsOf } from './rank'

/**
 * Evidence above the floor from which a key is about a request: of something in general, of 1, 1.5 and 2 the least at which no everyday ask recalled one of
 * 210 facts; of one thing that both know, .5, where as many asks recall their fact among 200 others as ever; of whoever asks, below the floor, since next to no
 * everyday ask is such a question.
 */
const LEAST_MARGIN = { general: 1.5, particular: 0.5, own: -1.5 } as const
/** Keys of which the evidence is gathered: those nearest in meaning. */
const LOOKED_AT = 12

/**
 * What a question of one's own life is about whatever the evidence: the nearest key, where it stands out by this much. Chosen with the least of `own` on 421 asks of which the fact is known and then is not: of four
 * pairs the one at which most recall their fact while fewer recall another than before. Among fewer keys, to stand out is chance.
 */
const STANDING_OUT = { least: 6.5, perLead: 2, fewestKeys: 15 } as const

/** Characters of a request that are held against keys, half from its beginning and half from its end: what is asked stands there. */
const READ_CHARACTERS = 2000

/** A request as far as it is held against keys: each is read beside the whole of it. */
export const shortened = (request: string): string =>
  request.length <= READ_CHARACTERS
    ? request
    : `${request.slice(0, READ_CHARACTERS / 2)}\n${request.slice(-READ_CHARACTERS / 2)}`

/** Whether a key that came to this is about the request. */
export const isAbout = (aboutness: number): boolean => aboutness >= LEAST_LIKENESS

/** How far a key is about a request that has that much more than the least. */
const shareOf = (beyond: number): number =>
  Math.min(1, LEAST_LIKENESS + (1 - LEAST_LIKENESS) * (1 - Math.exp(-beyond)))

/** How far the nearest key stands out, in spreads of the request's cosines to texts about nothing: from their mean, and from all other keys; -Infinity where that tells nothing. */
async function standingOut(
  embedder: Embedder,
  request: string,
  cosines: readonly number[],
  signal?: AbortSignal,
): Promise<number> {
  if (embedder.id !== BUILT_IN_ENCODER || cosines.length < STANDING_OUT.fewestKeys) return -Infinity
  const cohort = COHORTS[languageOf(request) ?? 'en'].filter((text) => text !== request)
  const [target = new Float32Array(), ...others] = await vectorsOf(embedder, [request, ...cohort], signal)
  const { mean, spread } = spreadAbout(others.map((other) => cosine(target, other) ?? 0))
  const [first = 0, second = 0] = cosines.toSorted((a, b) => b - a)
  return (first - mean + STANDING_OUT.perLead * (first - second)) / spread
}

/**
 * How far each key is about a request, in [0, 1]: by the words they share or, where those are few, by their meaning or all
 * the evidence where that is more than the best accident of `total` items would have; of a question of one's own life also the key that stands out from all others.
 * 0 where they ask the same of something else each, or of a kind and of one of it. An empty key is about nothing.
 */
export async function aboutness(
  whole: string,
  keys: readonly string[],
  embedder: Embedder,
  total: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const request = shortened(whole)
  const byWords = keys.map((key) => likeness(request, key))
  if (embedder.id === LEXICAL_ID || keys.length === 0) return byWords
  const [target = new Float32Array(), ...vectors] = await vectorsOf(embedder, [request, ...keys], signal)
  const cosines = vectors.map((vector) => cosine(target, vector) ?? 0)
  const nearest = [...cosines.keys()]
    .sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
    .slice(0, LOOKED_AT)
  const texts = nearest.map((at) => keys[at] ?? '')
  const margins = await marginsOf(embedder, request, texts, total, signal)
  const marginMap = new Map(nearest.map((at, i) => [at, margins?.[i]]))
  const isOwn = asksOfOwnLife(request)
  const filled = cosines.filter((_, at) => keys[at] !== '')
  const outstanding = isOwn ? await standingOut(embedder, request, filled, signal) : -Infinity
  return byWords.map((score, at) => {
    const margin = marginMap.get(at)
    const isAhead = at === nearest[0] && outstanding >= STANDING_OUT.least
    const isLikely = margin !== undefined && margin >= (isOwn ? LEAST_MARGIN.own : LEAST_MARGIN.particular)
    if (!isAhead && !isLikely) return score
    const key = keys[at] ?? ''
    const least = LEAST_MARGIN[isOwn ? 'own' : isGeneral(request, key) ? 'general' : 'particular']
    const beyond = Math.max(
      (margin ?? -Infinity) - least,
      isAhead ? outstanding - STANDING_OUT.least : -Infinity,
    )
    if (beyond < 0 || asksOfAnother(request, key) || isOfKind(request, key)) return score
    return Math.max(score, shareOf(beyond))
  })
}
