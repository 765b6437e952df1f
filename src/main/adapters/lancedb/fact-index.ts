import type { FactBase } from '../../../core/ground/ports'
import { FACT_KIND, type Fact } from '../../../core/memory/facts/fact'
import { liveTexts } from '../../../core/memory/items/live-items'
import { fuse, withPlacesForMeaning } from '../../../core/retrieval/fuse'
import type { ItemHit, ItemSearch } from '../../../core/memory/items/kind'
import type { LearnedText } from '../../../shared/domain/memory'
import { isKeyRow, textIndex, textOfRow, type TextIndex, type TextIndexOptions } from './text-index'

/** The facts of a memory: an index of their own, from so many on that it is quicker than to compare each. */
export interface FactIndex extends FactBase, Omit<TextIndex, 'current'> {
  /** Facts for people, by what they say; null where all of them are compared. */
  search(query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[] | null>
}

/** Facts up to which each is compared with a text. */
const FEW = 200

export function factIndex(options: Omit<TextIndexOptions, 'kind' | 'keyOf' | 'otherKeyOf'>): FactIndex {
  const { entries, embedder } = options
  const { current, ...texts } = textIndex({
    ...options,
    kind: FACT_KIND,
    keyOf: (text: LearnedText) => (text as Fact).statement,
    otherKeyOf: (text: LearnedText) => (text as Fact).question ?? '',
  })
  const isOtherRow = (row: string): boolean => !isKeyRow(row)
  const areFew = (): boolean => liveTexts(entries, FACT_KIND) <= FEW
  return {
    ...texts,
    async near(text, k, { signal, accepts } = {}) {
      const index = areFew() ? null : await current({ signal })
      if (!index) return null
      const [vector = null] = await embedder().embed([text], { signal })
      const ids = new Set<string>()
      // What facts say and what they answer are compared apart.
      for (const isAsked of [isKeyRow, isOtherRow]) {
        const filter = { accepts: (row: string) => isAsked(row) && (accepts?.(textOfRow(row)) ?? true) }
        const { byWords, byMeaning } = await index.candidates({ text, vector, depth: k, filter })
        for (const { id } of [...byWords, ...byMeaning]) ids.add(textOfRow(id))
      }
      return ids
    },
    async search({ text, mode, alpha, k }, signal) {
      const index = mode === 'text' || areFew() ? null : await current({ signal })
      if (!index) return null
      const [vector = null] = await embedder().embed([text], { signal })
      const candidates = await index.candidates({
        ...{ text: mode === 'semantic' ? null : text, vector, depth: k },
        filter: { accepts: isKeyRow },
      })
      const hits = fuse({ mode, ...candidates, vector, alpha })
      return (mode === 'hybrid' ? withPlacesForMeaning(hits, k) : hits)
        .slice(0, k)
        .map(({ vector: _, id, ...hit }) => ({ ...hit, id: textOfRow(id), utilityPart: 0 }))
    },
  }
}
