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

/**
 * One text's vector: every feature f adds sign(f) * weight(f) * (1 + ln count(f)) at hash(f) mod 384, then the whole is
 * scaled to unit length. A text without words gets the neutral vector.
 */
export function lexicalVector(text: string): Float32Array {
  const features = new Map<string, { weight: number; count: number }>()
  const add = (feature: string, weight: number) => {
    const record = features.get(feature)
    if (record) record.count++
    else features.set(feature, { weight, count: 1 })
  }
  let previous: Term | null = null
  for (const foundTerm of termsOf(text)) {
    const { term, kind, word } = foundTerm
    add(`w ${term}`, WORDS[kind])
    if (kind === 'thing') continue
    if (previous !== null) {
      const stops = Number(kind === 'stop') + Number(previous.kind === 'stop')
      add(`p ${previous.term} ${term}`, WORD_PAIR * Math.sqrt(STOP_DAMPING ** stops))
    }
    if (kind === 'word') for (const gram of characterGrams(word)) add(`c ${gram}`, CHARACTERS)
    previous = foundTerm
  }
  const vector = new Float32Array(LEXICAL_DIMENSION)
  for (const [feature, { weight, count }] of features) {
    const hash = hash32(feature)
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

function* characterGrams(word: string): Generator<string> {
  const marked = [...`<${word}>`]
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
    for (let from = 0; from + size <= marked.length; from++) yield marked.slice(from, from + size).join('')
}
