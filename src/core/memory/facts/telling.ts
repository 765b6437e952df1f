const MAGIC = 'LOAMTEL1'
/** Vectors and other signs that a score is made of. */
const VECTORS = 3
const SIGNS = 7
/** Words of a sentence that is too short to be sure of. */
const SHORT = 5
/** How much surer one must be of a short sentence. */
const DOUBT_OF_SHORT = 1.5
/** Words without which nothing is told. */
const FEWEST_WORDS = 3
/** By how much a sentence must be surer than even, and for each sentence beside it (its logarithm). */
const SURE = 1.35
const DOUBT_OF_MANY = 0.7

/** What is quoted is told to nobody. */
const QUOTATION = /["“”„«»]|(?<!\p{L})['‘]/u

/** What makes a vector of a sentence. */
interface SentenceEncoder {
  readonly dimension: number
  embed(text: string): Float32Array
}

/** What the weights are of: the sentence, its first two words, and signs that know no language. `ofWord`: the vector of one word. */
export function tellingFeatures(
  sentence: string,
  encoder: SentenceEncoder,
  ofWord: (word: string) => Float32Array = (word) => encoder.embed(word),
): Float32Array {
  const words = sentence.split(' ')
  return Float32Array.of(
    ...encoder.embed(sentence),
    ...ofWord(words[0] ?? ''),
    ...ofWord(words[1] ?? ''),
    1,
    Number(sentence.endsWith('?')),
    Number(/\d/.test(sentence)),
    Math.min(words.length, 30) / 10,
    Number(/[^.?!] \p{Lu}/u.test(sentence)),
    Number(sentence.includes(',')),
    Number(QUOTATION.test(sentence)),
  )
}

/** First words whose vectors are held: sentences begin with the same few. */
const MOST_VECTORS = 1000
const LONGEST_WORD = 20

/** Vectors of single words, each made once. */
function wordVectors(encoder: SentenceEncoder): (word: string) => Float32Array {
  const vectors = new Map<string, Float32Array>()
  return (word) => {
    const before = vectors.get(word)
    if (before) return before
    const vector = encoder.embed(word)
    if (vectors.size >= MOST_VECTORS) vectors.clear()
    // A longer one may be a part of a text that it would keep in memory.
    if (word.length <= LONGEST_WORD) vectors.set(word, vector)
    return vector
  }
}

/** The features times their weights. */
export const tellingScore = (features: Float32Array, weights: Float32Array): number =>
  features.reduce((sum, value, i) => sum + value * (weights[i] as number), 0)

/** The weights as a file: "LOAMTEL1", then float32, little-endian. */
export function packTelling(weights: Float32Array): Uint8Array {
  const bytes = new Uint8Array(MAGIC.length + 4 * weights.length)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(MAGIC))
  for (const [i, weight] of weights.entries()) view.setFloat32(MAGIC.length + 4 * i, weight, true)
  return bytes
}

/** Whether a sentence tells something that lasts, and asks or orders nothing, in a message of so many sentences. */
export type Tells = (sentence: string, sentenceCount: number) => boolean

/**
 * What `models/training/telling` learned, over an encoder's vectors of `dimension` numbers: logistic regression. It guesses, so that nothing of it is
 * kept before the person has said so. @throws Error when the bytes are no such weights
 */
export function openTelling(bytes: Uint8Array, encoder: SentenceEncoder): Tells {
  const weights = new Float32Array(VECTORS * encoder.dimension + SIGNS)
  if (
    new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC ||
    bytes.length !== MAGIC.length + 4 * weights.length
  )
    throw new Error('The weights that tell what a message tells do not fit the built-in embedding model.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const i of weights.keys()) weights[i] = view.getFloat32(MAGIC.length + 4 * i, true)
  const ofWord = wordVectors(encoder)
  return (sentence, sentenceCount) => {
    const words = sentence.split(' ').length
    if (words < FEWEST_WORDS || QUOTATION.test(sentence)) return false
    const bar = SURE + DOUBT_OF_MANY * Math.log(sentenceCount) + (words < SHORT ? DOUBT_OF_SHORT : 0)
    return tellingScore(tellingFeatures(sentence, encoder, ofWord), weights) > bar
  }
}
