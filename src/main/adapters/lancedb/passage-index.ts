import type { PassageBase } from '../../../core/ground/ports'
import {
  ALPHA,
  fuse,
  withoutRepeats,
  withPlacesForMeaning,
  type FusedHit,
} from '../../../core/retrieval/fuse'
import { PASSAGE_KIND, passageText, type Passage } from '../../../core/memory/passages/passage'
import { onScaleOf } from '../../../core/retrieval/calibration'
import { termsOf } from '../../../core/retrieval/terms'
import type { LearnedText } from '../../../shared/domain/memory'
import { textIndex, textOfRow, type TextIndex, type TextIndexOptions } from './text-index'

/** The passages of a memory: an index of their own beside those of cases and experiences. */
export interface PassageIndex extends PassageBase, Omit<TextIndex, 'current'> {}

const EVERY_ROW = { includeDeleted: true } as const
/** Rows each search looks at per passage that is wanted. */
const DEPTH = 4
/** Cosine from which a passage without a word in common fits, on a scale where texts without relation are at 0. */
const FITS_BY_MEANING = 0.3

/** Passages by words and by meaning. */
export function passageIndex(options: Omit<TextIndexOptions, 'kind' | 'keyOf' | 'otherKeyOf'>): PassageIndex {
  const { curated } = options
  const keyOf = (text: LearnedText): string => passageText(text as Passage)
  const { current, ...texts } = textIndex({ ...options, kind: PASSAGE_KIND, keyOf })
  const passageOf = async (id: string): Promise<Passage> => (await options.read(id)) as Passage

  return {
    ...texts,
    async search(text, k, { signal, accepts } = {}) {
      if (k <= 0 || text.trim() === '') return []
      const index = await current({ signal })
      if (!index) return []
      const [vector = new Float32Array()] = await options.embedder().embed([text], { signal })
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
      const isLike = likeness(text, onScaleOf(options.embedder(), FITS_BY_MEANING))
      const fitting = matches.filter((one) => isPinned(one.id) || isLike(one))
      return best(withPlacesForMeaning(fitting, k), k, isPinned).map(({ passage, score, cosine }) => ({
        ...{ passage, score, cosine },
        pinned: isPinned(passage.id),
      }))
    },
    ready: async (build) => void (await current(build)),
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
