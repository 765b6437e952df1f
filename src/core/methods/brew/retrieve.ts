import MiniSearch from 'minisearch'
import { ALPHA, fuse, type FoundRow } from '../../retrieval/fuse'
import { cosine } from '../../retrieval/cosine'
import { byScore, vectorsOf } from '../../retrieval/rank'
import type { GuideText } from '../../../shared/domain/guide'
import type { Embedder } from '../../ground/ports'
import type { RecalledPart } from '../../ground/method'
import { guideText } from '../../memory/guides/guide'

/** A document of a knowledge base. */
export interface KbDocument {
  /** The version's id. */
  readonly id: string
  readonly conceptId: string
  readonly concept: string
  readonly text: GuideText
  /** A person wants it found before others. */
  readonly pinned?: true | undefined
}

export interface RankedGuide {
  readonly document: KbDocument
  readonly score: number
}

/** All documents of a knowledge base in the order in which a query finds them: words (BM25) and meaning, as for experiences. */
export async function rankGuides(
  embedder: Embedder,
  query: string,
  documents: readonly KbDocument[],
  signal?: AbortSignal,
): Promise<RankedGuide[]> {
  if (documents.length === 0) return []
  const texts = documents.map(({ concept, text }) => guideText(concept, text))
  const [vector = new Float32Array(), ...vectors] = await vectorsOf(embedder, [query, ...texts], signal)
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] })
  index.addAll(texts.map((text, id) => ({ id, text })))
  const rowOf = (i: number, score: number): FoundRow => ({
    id: String(i),
    score,
    vector: vectors[i] ?? new Float32Array(),
  })
  const byWords = index.search(query).map(({ id, score }) => rowOf(id as number, score))
  const byMeaning = documents
    .map((_, i) => rowOf(i, cosine(vectors[i] ?? new Float32Array(), vector) ?? -1))
    .sort((a, b) => b.score - a.score)
  return fuse({ mode: 'hybrid', byWords, byMeaning, vector, alpha: ALPHA })
    .sort((a, b) => Number(a.id) - Number(b.id))
    .flatMap(({ id, score }) => {
      const item = documents[Number(id)]
      return item ? [{ item, score }] : []
    })
    .sort(byScore)
    .map(({ item: document, score }) => ({ document, score }))
}

/** A document as it stands in the prompt, and why. */
export const guidePart = ({ document, score }: RankedGuide): RecalledPart => ({
  text: guideText(document.concept, document.text),
  item: {
    kind: 'document',
    id: document.id,
    trajectoryId: null,
    title: document.concept,
    score,
    scoreKind: 'hybrid',
    reward: null,
  },
})
