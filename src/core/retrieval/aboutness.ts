import type { Embedder } from '../ground/ports'
import { onScaleOf } from './calibration'
import { cosine } from './cosine'
import { LEXICAL_ID } from './lexical-embedder'
import { asksOfAnother, LEAST_LIKENESS, likeness } from './likeness'
import { vectorsOf } from './rank'

/** How near a key is at least to be about a request by its meaning alone, on a scale where texts without relation are at 0. */
const LEAST_MEANING = 0.6

/** Whether a key that came to this is about the request. */
export const isAbout = (aboutness: number): boolean => aboutness >= LEAST_LIKENESS

/**
 * How far each key is about a request, in [0, 1]: by the words they share or, where those are few, by their meaning where that is beyond doubt.
 * 0 where they ask the same of something else each.
 */
export async function aboutness(
  request: string,
  keys: readonly string[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<number[]> {
  const byWords = keys.map((key) => likeness(request, key))
  if (embedder.id === LEXICAL_ID || keys.length === 0) return byWords
  const [target = new Float32Array(), ...vectors] = await vectorsOf(embedder, [request, ...keys], signal)
  const floor = onScaleOf(embedder, LEAST_MEANING)
  return byWords.map((score, i) => {
    const near = cosine(target, vectors[i] ?? new Float32Array()) ?? 0
    if (near < floor || asksOfAnother(request, keys[i] ?? '')) return score
    return Math.max(score, Math.min(1, LEAST_LIKENESS + near - floor))
  })
}
