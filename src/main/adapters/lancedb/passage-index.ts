import type { PassageBase } from '../../../core/ground/ports'
import {
  ALPHA,
  fuse,
  withoutRepeats,
  withPlacesForMeaning,
  type FusedHit,
} from '../../../core/retrieval/fuse'
import { passageText, type Passage } from '../../../core/memory/passages/passage'
import { onScaleOf } from '../../../core/retrieval/calibration'
import { termsOf } from '../../../core/retrieval/terms'
import { textOfRow, type TextIndex, type TextIndexOptions } from './text-index'

const EVERY_ROW = { includeDeleted: true } as const
/** Rows each search looks at per passage that is wanted. */
const DEPTH = 4
/** Cosine from which a passage without a word in common fits, on a scale where texts without relation are at 0. */
const FITS_BY_MEANING = 0.3

export interface PassageIndexOptions extends Pick<TextIndexOptions, 'curated' | 'read' | 'embedder'> {
  readonly index: TextIndex
}

/** The passages of a memory, by words and by meaning. */
export function passageIndex({ index: texts, curated, read, embedder }: PassageIndexOptions): PassageBase {
  const passageOf = async (id: string): Promise<Passage> => (await read(id)) as Passage
  return {
    async search(text, k, { signal, accepts } = {}) {
      if (k <= 0 || text.trim() === '') return []
      const { index } = (await texts.current({ signal })) ?? {}
      if (!index) return []
      const [vector = new Float32Array()] = await embedder().embed([text], { signal })
      const candidates = await index.candidates({
        text,
        vector,
        depth: k * DEPTH,
        filter: { ...EVERY_ROW, accepts: accepts && ((row) => accepts(textOfRow(row))) },
      })
      const isPinned = (id: string): boolean => curated.get(id)?.mark === 'pinned'
      const hits = fuse({ mode: 'hybrid', ...candidates, vector, alpha: ALPHA })
      const matches = await Promise.all(
        hits.map(async (hit) => {
          const id = textOfRow(hit.id)
          return { ...hit, id, passage: await passageOf(id) }
        }),
      )
      const isLike = likeness(text, onScaleOf(embedder(), FITS_BY_MEANING))
      const fitting = matches.filter((one) => isPinned(one.id) || isLike(one))
      return best(withPlacesForMeaning(fitting, k), k, isPinned).map(({ passage, score, cosine }) => ({
        ...{ passage, score, cosine },
        pinned: isPinned(passage.id),
      }))
    },
    ready: async (build) => void (await texts.current(build)),
  }
}

type Hit = FusedHit & { readonly passage: Passage }

/**
 * Whether a passage has to do with a text at all: it has a word of it that says something, or a thing it is about, or is near enough in meaning. The
 * nearest of a few passages are not near by that alone. A text without such words is like everything.
 */
function likeness(text: string, leastCosine: number): (hit: Hit) => boolean {
  const messageSet = new Set(termsOf(text).flatMap(({ term, kind }) => (kind === 'stop' ? [] : [term])))
  return ({ passage, cosine }) =>
    messageSet.size === 0 ||
    (cosine !== null && cosine >= leastCosine) ||
    termsOf(passageText(passage)).some(({ term }) => messageSet.has(term))
}

/** The k best of the hits, pinned ones first, none saying what a better one says. */
const best = (hits: readonly Hit[], k: number, isPinned: (id: string) => boolean): Hit[] => {
  const pinned = hits.filter(({ id }) => isPinned(id))
  return withoutRepeats([...pinned, ...hits.filter(({ id }) => !isPinned(id))], k)
}
