import { join } from 'node:path'
import { kindOf } from '../../../core/memory'
import { curatedOf, type CuratedItems } from '../../../core/memory/items/curated'
import type { ItemHit, ItemSearch } from '../../../core/memory/items/kind'
import { liveTexts } from '../../../core/memory/items/live-items'
import { PASSAGE_KIND } from '../../../core/memory/passages/passage'
import { fuse, withPlacesForMeaning } from '../../../core/retrieval/fuse'
import type { TextBase } from '../../../core/ground/ports'
import { PASSAGES_FOLDER, TEXTS_FOLDER } from '../../ground/index-folders'
import type { BuildOptions } from './build-index'
import { isKeyRow, textIndex, textOfRow, type TextIndex, type TextIndexOptions } from './text-index'

export interface TextIndexesOptions extends Omit<TextIndexOptions, 'kind' | 'curated' | 'keysOf'> {
  readonly curated: CuratedItems
}

/** The indexes of learned texts, one a kind, each made when it is first asked. */
export interface TextIndexes extends TextBase {
  of(kind: string): TextIndex
  /** Texts of a kind for people; null where each is compared. */
  search(kind: string, query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[] | null>
  reindex(build: BuildOptions): Promise<void>
  tidy(): Promise<void>
  rest(): Promise<void>
  close(): Promise<void>
}

/** Texts of a kind up to which each is compared. */
const FEW = 200

export function textIndexes(options: TextIndexesOptions): TextIndexes {
  const { entries, embedder, folder } = options
  const indexMap = new Map<string, TextIndex>()
  const of = (kind: string): TextIndex => {
    const index = indexMap.get(kind) ?? openOf(kind)
    indexMap.set(kind, index)
    return index
  }
  const openOf = (kind: string): TextIndex =>
    textIndex({
      ...options,
      kind,
      folder: kind === PASSAGE_KIND ? join(folder, PASSAGES_FOLDER) : join(folder, TEXTS_FOLDER, kind),
      curated: curatedOf(options.curated, kind),
      keysOf: (text) => kindOf(kind)?.learned?.keys?.(text) ?? ['', ''],
    })
  const currentOf = async (kind: string, signal: AbortSignal | undefined) =>
    kindOf(kind)?.learned?.keys === undefined || liveTexts(entries, kind) <= FEW
      ? null
      : of(kind).current({ signal })
  const each = async (work: (index: TextIndex) => Promise<void>): Promise<void> => {
    for (const index of indexMap.values()) await work(index)
  }
  return {
    of,
    async near(kind, text, k, { signal, accepts } = {}) {
      const index = await currentOf(kind, signal)
      if (!index) return null
      const [vector = null] = await embedder().embed([text], { signal })
      const ids = new Set<string>()
      // What texts say and what they answer are compared apart.
      for (const isOwn of [true, false]) {
        const filter = {
          accepts: (row: string) => isKeyRow(row) === isOwn && (accepts?.(textOfRow(row)) ?? true),
        }
        const { byWords, byMeaning } = await index.candidates({ text, vector, depth: k, filter })
        for (const { id } of [...byWords, ...byMeaning]) ids.add(textOfRow(id))
      }
      return ids
    },
    async search(kind, { text, mode, alpha, k }, signal) {
      const index = mode === 'text' ? null : await currentOf(kind, signal)
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
    reindex: (build) => each((index) => index.reindex(build)),
    tidy: () => each((index) => index.tidy()),
    rest: () => each((index) => index.rest()),
    close: () => each((index) => index.close()),
  }
}
