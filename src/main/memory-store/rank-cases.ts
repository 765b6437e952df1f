import type { CaseQuery } from '../../shared/domain/case'
import type { CaseEntry } from '../../core/memory/entries'
import { newestFirst } from '../../core/memory/memory-state'
import type { Embedder } from '../../core/ground/ports'
import type { CaseIndex } from '../adapters/lancedb/case-index'
import type { RowFilter } from '../adapters/lancedb/case-table'

/** A query for people, with the contract's defaults: text mode, no filter, the first 100. */
export type CasePageQuery = Partial<Omit<CaseQuery, 'memoryId'>>

export interface RankedCases {
  /** The page asked for. */
  readonly ids: readonly { readonly id: string; readonly score: number | null }[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Ranks what a query finds: newest first without text (score null), best first with it. */
export async function rankCases(
  query: CasePageQuery,
  entries: readonly Omit<CaseEntry<unknown>, 'at' | 'part'>[],
  index: CaseIndex,
  embedder: Embedder,
): Promise<RankedCases> {
  const { text = '', mode = 'text', reward = null, includeDeleted = false, limit = 100, offset = 0 } = query
  const fitting = entries.filter(
    (entry) => (includeDeleted || entry.deletedAt === null) && (reward === null || entry.reward === reward),
  )
  const page = <T>(items: readonly T[]): T[] => items.slice(offset, offset + limit)
  if (text.trim() === '') {
    const newest = fitting.sort(newestFirst).map(({ id }) => ({ id, score: null }))
    return { ids: page(newest), total: fitting.length }
  }
  const filter: RowFilter = { includeDeleted, ...(reward === null ? {} : { reward }) }
  if (mode === 'text') {
    const ids = await index.match(text, entries.length, filter)
    return { ids: page(ids), total: ids.length }
  }
  const [vector = new Float32Array()] = await embedder.embed([text])
  return { ids: page(await index.nearest(vector, offset + limit, filter)), total: fitting.length }
}
