import { onScaleOf } from '../retrieval/calibration'
import { cosine } from '../retrieval/cosine'
import type { Embedder } from '../ground/ports'

/** A group of texts. */
export interface Topic {
  /** The words most of its texts share and few others have. */
  readonly title: string
  /** Places of its texts, in order. */
  readonly members: readonly number[]
}

/** Texts whose cosine to a topic's centre is at least this, on a scale where unrelated texts are at 0, belong to it. */
const NEAR = 0.4

/** Adds a vector to the sum that a topic's centre points along. */
const addTo = (sum: Float32Array, vector: Float32Array): Float32Array =>
  sum.map((value, i) => value + (vector[i] ?? 0))

/**
 * Texts by what they are about: each joins the topic whose centre is nearest, or begins one (leader clustering, in the order of the
 * texts), then each is put once more to the nearest of the centres there came to be. Largest topics first.
 */
export async function topicsOf(
  texts: readonly string[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<Topic[]> {
  if (texts.length === 0) return []
  const vectors = await embedder.embed(texts, { signal })
  const near = onScaleOf(embedder, NEAR)
  const centres: Float32Array[] = []
  const place = (vector: Float32Array): number => {
    let best = -1
    let most = near
    for (const [i, centre] of centres.entries()) {
      const score = cosine(vector, centre) ?? -1
      if (score >= most) [best, most] = [i, score]
    }
    return best
  }
  for (const vector of vectors) {
    const at = place(vector)
    const centre = centres[at]
    if (centre) centres[at] = addTo(centre, vector)
    else centres.push(Float32Array.from(vector))
  }
  const members: number[][] = centres.map(() => [])
  const alone: number[][] = []
  for (const [i, vector] of vectors.entries()) {
    const at = place(vector)
    if (at < 0) alone.push([i])
    else members[at]?.push(i)
  }
  return [...members, ...alone]
    .filter((own) => own.length > 0)
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
    .map((own) => ({ members: own, title: titleOf(own, texts) }))
}

const WORDS = 3
const wordsOf = (text: string): string[] => [
  ...new Set((text.toLowerCase().match(/\p{L}[\p{L}\p{N}'’-]{2,}/gu) ?? []).slice(0, 400)),
]
/** Words that say nothing of what a task is about. */
const PLAIN = new Set(
  'the and for with all what which how many much from that this are was were has have can you please into than more less over under not out its your our their when where who why does did should would could them they there about each'.split(
    ' ',
  ),
)

/** The words that most of a topic's texts share, those that few other texts have first; the first text's beginning where there are none. */
function titleOf(members: readonly number[], texts: readonly string[]): string {
  const own = countOf(members.map((i) => texts[i] ?? ''))
  const all = countOf(texts)
  const scored = [...own]
    .filter(([word, count]) => !PLAIN.has(word) && count >= members.length / 2)
    .map(([word, count]) => ({ word, score: (count * count) / (all.get(word) ?? count) }))
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
  const first = texts[members[0] ?? 0] ?? ''
  return scored.length === 0
    ? first.slice(0, 40)
    : scored
        .slice(0, WORDS)
        .map(({ word }) => word)
        .join(', ')
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
