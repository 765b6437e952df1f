import { dot } from '../../retrieval/cosine'
import { hash32 } from '../../ground/random'

/** What a state, or the state of a case, is compared by. Made once, so that comparing thousands of pairs stays quick. */
export interface Traits {
  /** The state in words. */
  readonly text: string
  /** Its embedding by the frozen encoder, and the sum of its squares. */
  readonly vector: Float32Array
  readonly square: number
  /** The first word, hashed. */
  readonly opening: number
  /** Its different words, hashed, in ascending order. */
  readonly words: Uint32Array
  /** The same of what the environment showed with it (a database's tables); empty when that is unknown. */
  readonly context: Uint32Array
}

const wordsOf = (text: string): number[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  ).map((word) => hash32(word))

export function traitsOf(state: string, context: string, vector: Float32Array): Traits {
  const words = wordsOf(state)
  return {
    text: state,
    vector,
    square: dot(vector, 0, vector),
    opening: words[0] ?? 0,
    words: Uint32Array.from(new Set(words)).sort(),
    context: Uint32Array.from(new Set(wordsOf(context))).sort(),
  }
}

/** Cosine of the embeddings in [-1, 1]; null when one has no direction. Equal vectors tie exactly. */
export function similarityOf(a: Traits, b: Traits): number | null {
  if (!(a.square > 0) || !(b.square > 0)) return null
  return dot(a.vector, 0, b.vector) / Math.sqrt(a.square * b.square)
}

/** What `relate` answers, in this order. Each is 1 for equal states; all but the cosine lie in [0, 1]. */
export const RELATIONS = ['cosine', 'opening', 'words', 'context'] as const

/** An unknown context is neither like nor unlike another. */
const UNKNOWN = 0.5

/** How alike two states are, part by part: a learner can weigh the parts, which a single cosine has already mixed. */
export function relate(a: Traits, b: Traits): Float64Array {
  const relations = new Float64Array(RELATIONS.length)
  relations[0] = similarityOf(a, b) ?? 0
  relations[1] = a.opening === b.opening ? 1 : 0
  relations[2] = overlap(a.words, b.words)
  relations[3] = a.context.length > 0 && b.context.length > 0 ? overlap(a.context, b.context) : UNKNOWN
  return relations
}

/** Jaccard's index of two ascending lists: of all different words, the share that both have. */
function overlap(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const x = a[i] as number
    const y = b[j] as number
    if (x === y) common++
    if (x <= y) i++
    if (y <= x) j++
  }
  const all = a.length + b.length - common
  return all > 0 ? common / all : 0
}
