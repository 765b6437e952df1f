import { cosine } from './cosine'
import type { Embedder } from '../ground/ports'

/** Vectors already made, by embedder: notes and lessons are ranked again at every task. */
const float32ArrayMapMap = new WeakMap<Embedder['embed'], Map<string, Float32Array>>()
const MOST_KEPT = 20_000

/** The vectors of texts, made once per text. */
export async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const float32ArrayMap = float32ArrayMapMap.get(embedder.embed) ?? new Map<string, Float32Array>()
  float32ArrayMapMap.set(embedder.embed, float32ArrayMap)
  const gaps = [...new Set(texts.filter((text) => !float32ArrayMap.has(text)))]
  const fresh = new Map<string, Float32Array>()
  if (gaps.length > 0) {
    const vectors = await embedder.embed(gaps, { signal })
    gaps.forEach((text, i) => {
      const vector = vectors[i]
      if (vector) fresh.set(text, vector)
    })
  }
  const float32Arrays = texts.map(
    (text) => fresh.get(text) ?? float32ArrayMap.get(text) ?? new Float32Array(),
  )
  if (float32ArrayMap.size + fresh.size > MOST_KEPT) float32ArrayMap.clear()
  for (const [text, vector] of fresh) float32ArrayMap.set(text, vector)
  return float32Arrays
}

export interface Ranked<T> {
  readonly item: T
  /** Cosine in [-1, 1]. */
  readonly score: number
}

const pins = (item: object): number => ('pinned' in item && item.pinned === true ? 1 : 0)

/** Best first, what a person pinned before all others. */
export const byScore = (a: Ranked<object>, b: Ranked<object>): number =>
  pins(b.item) - pins(a.item) || b.score - a.score

/**
 * Orders items (given oldest first) by cosine of their text to `query`, best first; ties newest first. What a person pinned stands
 * before all others.
 */
export async function rankByCosine<T extends object>(
  embedder: Embedder,
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
  signal?: AbortSignal,
): Promise<Ranked<T>[]> {
  if (items.length === 0) return []
  const [target, ...vectors] = await vectorsOf(embedder, [query, ...items.map(textOf)], signal)
  return items
    .map((item, i) => ({
      item,
      at: i,
      score: cosine(target ?? new Float32Array(), vectors[i] ?? new Float32Array()) ?? 0,
    }))
    .sort((a, b) => byScore(a, b) || b.at - a.at)
    .map(({ item, score }) => ({ item, score }))
}
