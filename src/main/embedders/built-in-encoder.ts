import { existsSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Embedder } from '../../core/ground/ports'
import { openTelling, type Tells } from '../../core/memory/facts/telling'
import { BUILT_IN_ENCODER } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { SAME_TONGUE, StaticEncoder } from '../../core/retrieval/static-encoder'

export const BUILT_IN_DIMENSION = 256
/** Texts after which others get their turn: about 20 ms. */
const TEXTS_AT_ONCE = 64

/** Read once per process, at the first text. */
const encoders = new Map<string, StaticEncoder>()
/** One for each file, so that vectors which are held for an embedder are found again. */
const embedders = new Map<string, Embedder>()

function encoderOf(file: string): StaticEncoder {
  const encoder = encoders.get(file) ?? new StaticEncoder(readFileSync(file))
  encoders.set(file, encoder)
  return encoder
}

/** How usual words are, as the built-in encoder has it, for any embedder. */
export const wordRankOf =
  (file: string) =>
  (word: string): number | null =>
    encoderOf(file).rank(word)

/** Whether a sentence tells something to keep, by the weights in `file`, read at the first sentence. */
export function tellsBy(file: string, encoderFile: string): Tells {
  let tells: Tells | null = null
  return (sentence, sentenceCount) =>
    (tells ??= openTelling(readFileSync(file), encoderOf(encoderFile)))(sentence, sentenceCount)
}

/**
 * The embedding model that comes with Loam, made in this process: English, German, French and Spanish, 256 numbers, no network. `file` is what
 * models/training/encoder wrote. Throws `EMBEDDER_MISSING` where it is not there or damaged.
 */
export function builtInEncoder(file: string): Embedder {
  const before = embedders.get(file)
  if (before) return before
  if (!existsSync(file))
    throw new LoamError('EMBEDDER_MISSING', `The built-in embedding model is not at ${file}.`, {
      suggestion: 'Install Loam again, or choose the built-in word matcher.',
    })
  const embedder: Embedder = {
    id: BUILT_IN_ENCODER,
    dimension: BUILT_IN_DIMENSION,
    unrelated: SAME_TONGUE,
    wordRank: wordRankOf(file),
    async embed(texts, { signal } = {}) {
      const encoder = encoderOf(file)
      const vectors: Float32Array[] = []
      for (const [i, text] of texts.entries()) {
        if (i > 0 && i % TEXTS_AT_ONCE === 0) {
          await setImmediate()
          signal?.throwIfAborted()
        }
        vectors.push(encoder.embed(text))
      }
      return vectors
    },
  }
  embedders.set(file, embedder)
  return embedder
}
