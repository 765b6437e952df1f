import type { Embedder } from '../ground/ports'
import { hash32 } from './hash32'
import { termsOf, type Term, type TermKind } from './terms'

export const LEXICAL_DIMENSION = 384
export const LEXICAL_ID = 'lexical-384'

/** Weight of each kind of feature before the sub-linear count; chosen on the tuning sets of docs/search-quality.md. */
const WORDS: Readonly<Record<TermKind, number>> = { word: 1, stop: 0.1, thing: 0.8 }
const WORD_PAIR = 0.5
const CHARACTERS = 0.2
const SHORTEST_GRAM = 3
const LONGEST_GRAM = 5
/** What is left of the weight of a pair for each stop word in it. */
const STOP_DAMPING = 0.2

/**
 * The embedder that is always there: hashed words without endings, word pairs and character n-grams, no weights, no model. Texts are near
 * when they share words, everyday things (a short list of words that stand for the same), word pairs and parts of words; beyond that list
 * it does not know that different words can mean the same. Deterministic, the same on every machine; vectors have unit length and 384
 * dimensions.
 */
export const lexicalEmbedder: Embedder = {
  id: LEXICAL_ID,
  dimension: LEXICAL_DIMENSION,
  embed: async (texts) => texts.map(lexicalVector),
}

/** What texts are compared by: where it counts, and how often it is in the text that is read now. */
interface Feature {
  readonly hash: number
  readonly weight: number
  count: number
}

const featureOf = (name: string, weight: number): Feature => ({ hash: hash32(name), weight, count: 0 })

/** Parts of words that came lately, and of which words they are: texts repeat their words. */
const GRAMS = new Map<string, Feature>()
const GRAMS_OF = new Map<string, readonly Feature[]>()
const MOST_GRAMS = 20_000
const MOST_WORDS = 10_000
/** A longer one may be a part of a text that it would keep in memory. */
const LONGEST_KEPT = 13

function gramsOf(word: string): readonly Feature[] {
  const before = GRAMS_OF.get(word)
  if (before) return before
  const grams = characterGrams(word).map((gram) => {
    const feature = GRAMS.get(gram) ?? featureOf(`c ${gram}`, CHARACTERS)
    GRAMS.set(gram, feature)
    return feature
  })
  if (word.length < LONGEST_KEPT) GRAMS_OF.set(word, grams)
  return grams
}

/** Between texts alone: within one, a part of a word is one feature. */
function forgetGrams(): void {
  if (GRAMS.size < MOST_GRAMS && GRAMS_OF.size < MOST_WORDS) return
  GRAMS.clear()
  GRAMS_OF.clear()
}

/**
 * One text's vector: every feature f adds sign(f) * weight(f) * (1 + ln count(f)) at hash(f) mod 384, then the whole is
 * scaled to unit length. A text without words gets the neutral vector.
 */
export function lexicalVector(text: string): Float32Array {
  forgetGrams()
  const terms = new Map<string, Feature>()
  const features: Feature[] = []
  const add = (feature: Feature): void => {
    if (feature.count++ === 0) features.push(feature)
  }
  const addTerm = (name: string, weight: number): void => {
    const feature = terms.get(name) ?? featureOf(name, weight)
    if (feature.count === 0) terms.set(name, feature)
    add(feature)
  }
  let previous: Term | null = null
  for (const match of termsOf(text)) {
    const { term, kind, word } = match
    addTerm(`w ${term}`, WORDS[kind])
    if (kind === 'thing') continue
    if (previous !== null) {
      const stops = Number(kind === 'stop') + Number(previous.kind === 'stop')
      addTerm(`p ${previous.term} ${term}`, WORD_PAIR * Math.sqrt(STOP_DAMPING ** stops))
    }
    if (kind === 'word') for (const gram of gramsOf(word)) add(gram)
    previous = match
  }
  const vector = new Float32Array(LEXICAL_DIMENSION)
  for (const feature of features) {
    const { hash, weight, count } = feature
    feature.count = 0
    const value = weight * (1 + Math.log(count))
    const index = (hash >>> 1) % LEXICAL_DIMENSION
    vector[index] = (vector[index] ?? 0) + (hash & 1 ? value : -value)
  }
  return toUnitLength(vector)
}

/** Scales to length 1 in place. A vector without direction becomes the neutral one: all components equal. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0
  for (const value of vector) square += value * value
  if (!(square > 0) || !Number.isFinite(square)) return vector.fill(1 / Math.sqrt(vector.length))
  const scale = 1 / Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale
  return vector
}

function characterGrams(word: string): string[] {
  const marked = [...`<${word}>`]
  const grams: string[] = []
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let from = 0; from + size <= marked.length; from++)
      grams.push(marked.slice(from, from + size).join(''))
  return grams
}
