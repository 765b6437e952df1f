import { join } from 'node:path'
import { kindOf } from '../../../core/memory'
import { curatedOf, type CuratedItems } from '../../../core/memory/items/curated'
import type { ItemHit, ItemSearch } from '../../../core/memory/items/kind'
import { PASSAGE_KIND } from '../../../core/memory/passages/passage'
import { fuse, withPlacesForMeaning } from '../../../core/retrieval/fuse'
import type { TextBase } from '../../../core/ground/ports'
import { PASSAGES_FOLDER, TEXTS_FOLDER } from '../../ground/index-folders'
import type { BuildOptions } from './build-index'
import { textIndex, textOfRow, type TextIndex, type TextIndexOptions } from './text-index'

export interface TextIndexesOptions extends Omit<TextIndexOptions, 'kind' | 'curated' | 'keysOf'> {
  readonly curated: CuratedItems
}

/** The indexes of learned texts, one a kind, each made when it is first asked. */
export interface TextIndexes extends TextBase {
  of(kind: string): TextIndex
  /** Has to hear of every change of a text. */
  touch(): void
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
  const currentOf = async (kind: string, build: BuildOptions) =>
    kindOf(kind)?.learned?.keys === undefined || of(kind).count() <= FEW ? null : of(kind).current(build)
  const each = async (work: (index: TextIndex) => Promise<void>): Promise<void> => {
    for (const index of indexMap.values()) await work(index)
  }
  const kinds = (): Set<string> => new Set([...entries.values()].map(({ kind }) => kind))
  return {
    of,
    async near(kind, text, k, { signal, accepts } = {}) {
      const current = await currentOf(kind, { signal })
      if (!current) return null
      const [vector = null] = await embedder().embed([text], { signal })
      const ids = new Set<string>()
      // What texts say and what they answer are compared apart.
      const { index, own, other } = current
      const isSeen = accepts && ((row: string) => accepts(textOfRow(row)))
      for (const rows of other ? [own, other] : [own]) {
        const filter = { ...rows, accepts: isSeen }
        const { byWords, byMeaning } = await index.candidates({ text, vector, depth: k, filter })
        for (const { id } of [...byWords, ...byMeaning]) ids.add(textOfRow(id))
      }
      return { ids, total: of(kind).count() }
    },
    async search(kind, { text, mode, alpha, k }, signal) {
      const current = mode === 'text' ? null : await currentOf(kind, { signal })
      if (!current) return null
      const [vector = null] = await embedder().embed([text], { signal })
      const candidates = await current.index.candidates({
        ...{ text: mode === 'semantic' ? null : text, vector, depth: k },
        filter: current.own,
      })
      const hits = fuse({ mode, ...candidates, vector, alpha })
      return (mode === 'hybrid' ? withPlacesForMeaning(hits, k) : hits)
        .slice(0, k)
        .map(({ vector: _, id, ...hit }) => ({ ...hit, id: textOfRow(id), utilityPart: 0 }))
    },
    touch() {
      for (const index of indexMap.values()) index.touch()
    },
    async ready(build = {}) {
      for (const kind of kinds()) await currentOf(kind, build)
    },
    async reindex(build) {
      // Passages have an index however few they are.
      for (const kind of kinds())
        if (kind === PASSAGE_KIND || of(kind).count() > FEW) await of(kind).reindex(build)
    },
    tidy: () => each((index) => index.tidy()),
    rest: () => each((index) => index.rest()),
    close: () => each((index) => index.close()),
  }
}
