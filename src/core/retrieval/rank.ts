import { cosine } from './cosine'
import type { Embedder } from '../ground/ports'

/** Vectors already made, by embedder: notes and lessons are ranked again at every task. */
const made = new WeakMap<Embedder, Map<string, Float32Array>>()
const MOST_KEPT = 20_000

/** The vectors of texts, made once per text. */
export async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const kept = made.get(embedder) ?? new Map<string, Float32Array>()
  made.set(embedder, kept)
  const missing = [...new Set(texts.filter((text) => !kept.has(text)))]
  const fresh = new Map<string, Float32Array>()
  if (missing.length > 0) {
    const vectors = await embedder.embed(missing, { signal })
    missing.forEach((text, i) => {
      const vector = vectors[i]
      if (vector) fresh.set(text, vector)
    })
  }
  const found = texts.map((text) => fresh.get(text) ?? kept.get(text) ?? new Float32Array())
  if (kept.size + fresh.size > MOST_KEPT) kept.clear()
  for (const [text, vector] of fresh) kept.set(text, vector)
  return found
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
