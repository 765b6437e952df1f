import type { Embedder } from '../ground/ports'
import type { Language } from '../../shared/domain/language'
import { BUILT_IN_ENCODER } from '../../shared/domain/model'
import { languageOf, smallWordsOf } from '../ground/language'
import { COHORTS } from './cohort'
import { cosine } from './cosine'
import { LIGHT_WORDS } from './everyday-asks'
import { LEXICAL_ID } from './lexical-embedder'
import { namesSubject, namesThing, namesWithin, sharesSort } from './named-subject'
import { isNeighbour, isOfKind } from './neighbours'
import { vectorsOf } from './rank'
import { isStopWord, stem, termsOf, wordsOf } from './terms'

/** How ready memory is to speak. `off`: whatever is nearest is recalled, as papers do. */
export type RecallReadiness = 'off' | 'readily' | 'usual' | 'sure'

/** What is added to the floor for each. */
const READINESS: Readonly<Record<Exclude<RecallReadiness, 'off'>, number>> = {
  readily: -0.5,
  usual: 0,
  sure: 0.5,
}

/** What the best accident of N items comes to: `at1 + perLogItems ln N` up to `MANY` items, `perLogMore` a unit of ln N beyond. */
interface Line {
  readonly at1: number
  readonly perLogItems: number
  readonly perLogMore: number
}

interface Constants {
  readonly base: number
  readonly words: number
  readonly meaning: number
  readonly cover: number
  readonly floor: Line
  /** The floor of meaning alone; null where meaning alone is never enough. */
  readonly meaningFloor: Line | null
}

/** Items from which more of them raise the floor by less: they are like those before. */
const MANY = 150

/**
 * The weights of the built-in encoder and of the word matcher are of models/training/encoder/fit_floor.py, the floors of meaning of the choosing halves of
 * `npm run bench floor` (docs/search-quality.md).
 */
const CONSTANTS: Readonly<Record<string, Constants>> = {
  [BUILT_IN_ENCODER]: {
    base: -4.109,
    words: 1.416,
    meaning: 1.365,
    cover: 0,
    floor: { at1: -1, perLogItems: 1.45, perLogMore: 0.3 },
    meaningFloor: { at1: 2.48, perLogItems: 0.79, perLogMore: 0 },
  },
  [LEXICAL_ID]: {
    base: -4.671,
    words: 2.12,
    meaning: 0.538,
    cover: 5.568,
    floor: { at1: 0.618, perLogItems: 0.682, perLogMore: 0.682 },
    meaningFloor: null,
  },
}
/** Whether the floor's weights were fitted for an encoder. */
export const isFittedFor = ({ id }: Pick<Embedder, 'id'>): boolean => id in CONSTANTS
/** Of every other encoder: words apart from meaning, which is brought to the scale of all-MiniLM-L6-v2, by which they were chosen. */
const OTHERS: Constants = {
  base: -4.671,
  words: 2.12,
  meaning: 0,
  cover: 5.568,
  floor: { at1: -3.37, perLogItems: 1.01, perLogMore: 0.36 },
  meaningFloor: { at1: 2.1, perLogItems: 0.72, perLogMore: 0.27 },
}
/** What a unit of meaning alone above its floor counts as. */
const PER_MEANING = 1.365
/** The best meaning that 19 in 20 texts of the English cohort have with another of them, by all-MiniLM-L6-v2. */
const USUAL_ACCIDENT = 6.22
/** How much nearer than English ones texts of a language may be to each other that an encoder has learned, as a share of what is left to 1. */
const MOST_CROWDED = 0.12

/** Variance that every count of shared words has, and how words that come together count: long texts would match long texts. */
const VARIANCE = 2
const BURST = 0.5
/** Keeps a greeting of one word from being met by that word. */
const COVER_PRIOR = 10
/** Least spread of a text's cosines to the cohort. */
const LEAST_SPREAD = 0.03
/** What an item of another environment loses. */
const ELSEWHERE = 1
/** How far below the floor an item may be that comes along with one above it. */
const ALONG = 1
/** Rarity from which a shared word is called rare: one text of that length in 150. */
const RARE = 5
const MOST_WORDS_NAMED = 3

/** Something that may be recalled, with the words it is about: the ask of an attempt, the text of a note. */
export interface FloorItem {
  readonly text: string
  readonly pinned?: boolean | undefined
  /** Of a named environment, in a request of another one or in an ask. Default false. */
  readonly elsewhere?: boolean
}

/** Items of one kind of which the best were found, best first or not, and how many there are of that kind. */
export interface FloorKind<Item extends FloorItem> {
  readonly items: readonly Item[]
  readonly total: number
  /** Whether each states something of one thing, and is no use for another, as attempts may be. Default false. */
  readonly isStated?: boolean
  /** Whether the request is a task, to which all is of use that it names with another of its words. Default false. */
  readonly isForTask?: boolean
}

export interface Verdict<Item extends FloorItem> {
  readonly item: Item
  readonly passes: boolean
  /** Evidence above what the best accident of as many items would have. */
  readonly margin: number
  /** One true sentence why it was recalled. */
  readonly because: string
}

/** What the evidence of an item is made of: all grow with likeness. */
export interface Evidence {
  readonly words: number
  readonly meaning: number
  readonly cover: number
  readonly shared: readonly { readonly word: string; readonly rarity: number }[]
}

const light: ReadonlySet<string> = new Set(LIGHT_WORDS.trim().split(/\s+/).map(stem))
const NUMBERS = [0.01, 0.004, 0.001, 1e-4, 1e-5]
const YEAR = /^(19|20)\d\d$/

/** The chance that a content word taken at random is this one; `rank` is its place among the words of its language, null where it is not there. */
function chanceOf(term: string, rank: number | null): number {
  if (/^\d+$/.test(term)) return YEAR.test(term) ? 0.002 : (NUMBERS[Math.min(term.length, 5) - 1] ?? 1e-5)
  if (light.has(term)) return 0.01
  if (rank === null) return /^[a-z0-9]+$/.test(term) ? 7e-6 : 5e-4
  return Math.min(0.02, 0.2 / (rank + 10))
}

/** The small words of each language, as terms have them: without accents. */
const smallWords = new Map<Language, ReadonlySet<string>>()

function isSmallIn(language: Language): (word: string) => boolean {
  const small = smallWords.get(language) ?? new Set([...smallWordsOf(language)].flatMap(wordsOf))
  smallWords.set(language, small)
  return (word) => small.has(word) || isStopWord(word)
}

/** Words that say something by themselves; the small ones of the text's language do not. */
function contentWords(text: string, language: Language): ReadonlyMap<string, string> {
  const isSmall = isSmallIn(language)
  return new Map(
    termsOf(text).flatMap(({ term, kind, word }) =>
      kind === 'word' && !isSmall(word) ? [[term, word] as const] : [],
    ),
  )
}

interface Standing {
  readonly words: ReadonlyMap<string, string>
  readonly vector: Float32Array
  /** Mean and spread of its cosines to the cohort. */
  readonly mean: number
  readonly spread: number
  /** What its meaning counts: 0 in a language that the encoder has not learned, 1 by an encoder that constants were fitted for. */
  readonly weight: number
}

/** Mean and spread of cosines; the spread is never less than the least. */
export const spreadAbout = (cosines: readonly number[]): { mean: number; spread: number } => {
  const mean = cosines.reduce((sum, c) => sum + c, 0) / cosines.length
  const spread = Math.sqrt(cosines.reduce((sum, c) => sum + (c - mean) ** 2, 0) / cosines.length)
  return { mean, spread: Math.max(LEAST_SPREAD, spread) }
}
const meaningOf = (near: number, a: Pick<Standing, 'mean' | 'spread'>, b: typeof a): number =>
  ((near - a.mean) / a.spread + (near - b.mean) / b.spread) / 2

/** How an encoder sees a cohort. */
interface View {
  /** How near its texts are to each other, mean cosine. */
  readonly crowd: number
  /** The best meaning that 19 in 20 of its texts have with another. */
  readonly accident: number
}

const views = new WeakMap<Embedder['embed'], Map<Language, Promise<View>>>()

/** Seen once by each encoder; one that fails is asked anew the next time. */
function viewOf(embedder: Embedder, language: Language): Promise<View> {
  const own = views.get(embedder.embed) ?? new Map<Language, Promise<View>>()
  views.set(embedder.embed, own)
  const view = own.get(language) ?? measureView(embedder, COHORTS[language])
  own.set(language, view)
  view.catch(() => own.delete(language))
  return view
}

async function measureView(embedder: Embedder, texts: readonly string[]): Promise<View> {
  const vectors = await vectorsOf(embedder, texts)
  const rows = vectors.map((a, i) => vectors.slice(0, i).map((b) => cosine(a, b) ?? 0))
  const near = (i: number, j: number): number => rows[Math.max(i, j)]?.[Math.min(i, j)] ?? 0
  const others = [...vectors.keys()].map((i) => [...vectors.keys()].filter((j) => j !== i))
  const places = others.map((of, i) => spreadAbout(of.map((j) => near(i, j))))
  const best = places.map((own, i) =>
    Math.max(...places.map((other, j) => (i === j ? -Infinity : meaningOf(near(i, j), own, other)))),
  )
  best.sort((a, b) => a - b)
  return {
    crowd: places.reduce((sum, { mean }) => sum + mean, 0) / places.length,
    accident: best[Math.floor(0.95 * best.length)] ?? 0,
  }
}

/** What meaning counts in a language by an encoder. */
async function weightOf(embedder: Embedder, language: Language): Promise<number> {
  if (isFittedFor(embedder)) return 1
  const [english, own] = await Promise.all([viewOf(embedder, 'en'), viewOf(embedder, language)])
  if (own.crowd > english.crowd + MOST_CROWDED * (1 - english.crowd)) return 0
  // One tail says little of another: of the ratio and its root the smaller.
  const ratio = USUAL_ACCIDENT / Math.max(1, english.accident)
  return Math.min(ratio, Math.sqrt(ratio))
}

/** What a text is measured against. Encoders that constants were fitted for were measured against English texts. */
const cohortOf = (embedder: Embedder, language: Language): readonly string[] =>
  COHORTS[isFittedFor(embedder) ? 'en' : language]

/** By encoder, then by text. */
const standings = new WeakMap<Embedder['embed'], Map<string, Standing>>()
const MOST_KEPT = 20_000

async function standingsOf(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Standing[]> {
  const standingMap = standings.get(embedder.embed) ?? new Map<string, Standing>()
  standings.set(embedder.embed, standingMap)
  if (standingMap.size > MOST_KEPT) standingMap.clear()
  // Others may clear the map while an encoder works.
  const own = new Map([...new Set(texts)].map((text) => [text, standingMap.get(text)]))
  const fresh = [...own.keys()].filter((text) => own.get(text) === undefined)
  const vectors = await vectorsOf(embedder, fresh, signal)
  const languages = fresh.map((text) => languageOf(text) ?? 'en')
  const measures = new Map<Language, { cohort: readonly Float32Array[]; weight: number }>()
  for (const language of new Set(languages)) {
    const cohort = await vectorsOf(embedder, cohortOf(embedder, language), signal)
    measures.set(language, { cohort, weight: await weightOf(embedder, language) })
  }
  for (const [i, text] of fresh.entries()) {
    const vector = vectors[i] ?? new Float32Array()
    const language = languages[i] ?? 'en'
    const { cohort = [], weight = 0 } = measures.get(language) ?? {}
    const others = cohortOf(embedder, language)
    const cosines = cohort.flatMap((other, j) => (others[j] === text ? [] : [cosine(other, vector) ?? 0]))
    const standing = { words: contentWords(text, language), vector, weight, ...spreadAbout(cosines) }
    own.set(text, standing)
    standingMap.set(text, standing)
  }
  return texts.flatMap((text) => own.get(text) ?? [])
}

/** Words: more and rarer ones than chance would have; cover: the share of the request that is met; meaning: the cosine on the scale of the cohort. */
function evidenceOf(request: Standing, item: Standing, rankOf: (word: string) => number | null): Evidence {
  let [sum, expectation, variance, all] = [0, 0, 0, 0]
  const shared: { word: string; rarity: number }[] = []
  for (const [term, word] of request.words) {
    const chance = 1 - Math.exp(-item.words.size * chanceOf(term, rankOf(word)))
    const p = Math.min(0.95, Math.max(1e-6, chance))
    const rarity = -Math.log(p)
    all += rarity
    expectation += p * rarity
    variance += p * (1 - p) * rarity * rarity
    if (!item.words.has(term)) continue
    sum += rarity
    shared.push({ word, rarity })
  }
  const z = (sum - expectation) / Math.sqrt(variance + VARIANCE + (BURST * expectation) ** 2)
  const near = cosine(request.vector, item.vector) ?? 0
  return {
    words: Math.log1p(Math.max(0, z)),
    meaning: Math.min(request.weight, item.weight) * meaningOf(near, request, item),
    cover: sum / (all + COVER_PRIOR),
    shared: shared.sort((a, b) => b.rarity - a.rarity),
  }
}

/** The evidence of each item that a request is about it. Null where the encoder cannot tell how usual a word is. */
export async function gatherEvidence(
  embedder: Embedder,
  request: string,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Evidence[] | null> {
  const { wordRank } = embedder
  if (!wordRank) return null
  const [own, ...others] = await standingsOf(embedder, [request, ...texts], signal)
  return own ? others.map((other) => evidenceOf(own, other, wordRank)) : []
}

const valueOf = ({ at1, perLogItems, perLogMore }: Line, total: number): number =>
  at1 +
  perLogItems * Math.log(Math.min(MANY, Math.max(1, total))) +
  perLogMore * Math.log(Math.max(1, total / MANY))

/** By how much there is more evidence than the best accident of `total` items would have: of all together, or of meaning alone. */
function marginOf({ id }: Embedder, { words, meaning, cover }: Evidence, total: number): number {
  const of = CONSTANTS[id] ?? OTHERS
  const all = of.base + of.words * words + of.meaning * meaning + of.cover * cover
  const alone = of.meaningFloor ? PER_MEANING * (meaning - valueOf(of.meaningFloor, total)) : -Infinity
  return Math.max(all - valueOf(of.floor, total), alone)
}

/** The margin of each text among `total` items. Null where `gatherEvidence` has none. */
export async function marginsOf(
  embedder: Embedder,
  request: string,
  texts: readonly string[],
  total: number,
  signal?: AbortSignal,
): Promise<number[] | null> {
  const evidence = await gatherEvidence(embedder, request, texts, signal)
  return evidence?.map((own) => marginOf(embedder, own, total)) ?? null
}

/**
 * Which of what was found a request is about. A kind speaks when its best item has more evidence than the best accident of as many items of as many
 * kinds would have; then its weaker items may come along. What states the same of another thing does not. Pinned items always pass; so does everything where nothing is known of how usual words are.
 *
 * e = base + words * ln(1 + z+) + meaning * S-norm + cover * share; the margin is the larger of e - t(N) and that of the S-norm alone (design: recall).
 */
export async function sift<Item extends FloorItem>(
  embedder: Embedder,
  request: string,
  kinds: readonly FloorKind<Item>[],
  readiness: RecallReadiness,
  signal?: AbortSignal,
): Promise<Verdict<Item>[]> {
  const items = kinds.flatMap((kind) => kind.items)
  const evidence =
    readiness === 'off'
      ? null
      : await gatherEvidence(
          embedder,
          request,
          items.map(({ text }) => text),
          signal,
        )
  if (readiness === 'off' || !evidence)
    return items.map((item) => ({ item, passes: true, margin: 0, because: becauseOf(item, null) }))
  const { wordRank } = embedder
  const isNamed = wordRank ? namesSubject(request, wordRank) : () => false
  const isWithin = wordRank ? namesWithin(request, wordRank) : () => false
  const isThing = wordRank ? namesThing(request, wordRank) : () => false
  const isOfSort = wordRank ? sharesSort(request, wordRank) : () => false
  const searched = kinds.filter(({ total }) => total > 0).length
  let at = 0
  return kinds.flatMap((kind) => {
    const scored = kind.items.map((item) => {
      const own = evidence[at++] ?? null
      const isOther =
        own === null ||
        (kind.isStated === true &&
          (isNeighbour(request, item.text) || isOfKind(request, item.text)) &&
          !(kind.isForTask === true && isOfSort(item.text)))
      const margin = isOther ? -Infinity : marginOf(embedder, own, kind.total * searched)
      return { item, own, margin: margin - (item.elsewhere === true ? ELSEWHERE : 0) - READINESS[readiness] }
    })
    const speaks = scored.some(({ margin }) => margin >= 0)
    return scored.map(({ item, own, margin }) => ({
      item,
      passes:
        item.pinned === true ||
        (speaks && margin >= -ALONG) ||
        (kind.isStated === true && isNamed(item.text)) ||
        (kind.isForTask === true && (isWithin(item.text) || isThing(item.text))),
      margin,
      because: becauseOf(item, own),
    }))
  })
}

function becauseOf({ pinned }: FloorItem, evidence: Evidence | null): string {
  if (pinned === true) return 'You pinned it.'
  if (evidence === null) return 'It is among the nearest.'
  const words = evidence.shared.slice(0, MOST_WORDS_NAMED).map(({ word }) => `"${word}"`)
  if (words.length === 0) return 'It says something like it in other words.'
  return `It shares ${words.join(', ')}${(evidence.shared[0]?.rarity ?? 0) > RARE ? ', rare elsewhere' : ''}.`
}
