import { lexicalVector } from '../../../core/retrieval/lexical-embedder'

type Vector = ArrayLike<number>

/** Cosine of two vectors; 0 where one has no direction. */
function cosine(a: Vector, b: Vector): number {
  let [product, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    product += x * y
    ofA += x * x
    ofB += y * y
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0
}

/**
 * Orders what a search engine gave by how near it is to the query (Memento, section 4.3): the cosine of their vectors plus 0.5 / (1 + rank) for
 * the order the engine gave.
 *
 * @param vectors by an encoder, of the query first and then of every hit; null compares words
 */
export function rankByQuery<T>(
  query: string,
  hits: readonly T[],
  textOf: (hit: T) => string,
  vectors: readonly Vector[] | null = null,
): T[] {
  const [vector = [], ...own] = vectors ?? [
    lexicalVector(query),
    ...hits.map((hit) => lexicalVector(textOf(hit))),
  ]
  return hits
    .map((hit, rank) => ({ hit, score: cosine(own[rank] ?? [], vector) + 0.5 / (1 + rank) }))
    .sort((a, b) => b.score - a.score)
    .map(({ hit }) => hit)
}
