import type { CaseQuery } from '../../../shared/domain/case'
import { newestFirst, type CaseEntry } from '../../../core/memory/space-state'
import type { Embedder } from '../../../core/ports'
import type { CaseIndex } from './case-index'
import type { RowFilter } from './case-table'

/** A query for people, with the contract's defaults: text mode, no filter, the first 100. */
export type CasePageQuery = Partial<Omit<CaseQuery, 'spaceId'>>

/** Every case a query finds: newest first without text (score null), best first with it. */
export async function rankCases(
  query: CasePageQuery,
  entries: readonly Omit<CaseEntry<unknown>, 'at' | 'part'>[],
  index: CaseIndex,
  embedder: Embedder,
): Promise<{ id: string; score: number | null }[]> {
  const { text = '', mode = 'text', reward = null, includeDeleted = false } = query
  if (text.trim() === '') {
    return entries
      .filter(
        (entry) =>
          (includeDeleted || entry.deletedAt === null) && (reward === null || entry.reward === reward),
      )
      .sort(newestFirst)
      .map(({ id }) => ({ id, score: null }))
  }
  const filter: RowFilter = { includeDeleted, ...(reward === null ? {} : { reward }) }
  if (mode === 'text') return index.match(text, entries.length, filter)
  const [vector = new Float32Array()] = await embedder.embed([text])
  return index.nearest(vector, entries.length, filter)
}
