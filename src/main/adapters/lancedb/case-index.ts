import { cosine } from '../../../core/retrieval/cosine'
import type { CoreHit, SearchCore } from '../../../core/retrieval/search-core'
import { termsOf, TERM_WEIGHTS } from '../../../core/retrieval/terms'
import { createSerial } from '../../../shared/serial'
import { newestFirst } from '../../../core/memory/memory-state'
import { LoamError } from '../../../shared/errors'
import { checkVector, openCaseTable, type CaseRow, type CaseTable } from './case-table'
import type {
  CandidateQuery,
  Candidates,
  CaseIndex,
  CaseIndexOptions,
  RowFilter,
  ScoredId,
  VectorHit,
} from './index-shapes'
import { indexUpkeep } from './index-upkeep'
import { memoryClosed, restingIndex, type AwakeIndex } from './resting-index'
import { tableCore } from './table-core'
import { rename, rm } from '../../ground/steady-files'

export {
  INDEX_TUNING,
  type CandidateQuery,
  type Candidates,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
  type RowFilter,
  type ScoredId,
  type VectorHit,
} from './index-shapes'

/** How much further than K to look for rows that tie with the last one. */
const TIE_MARGIN = 8
/** LanceDB ranks in 32-bit arithmetic; scores closer than this may be in either order there. */
const TIE_WIDTH = 1e-5

/** Opens the index of a folder, or makes it. It can rest: what is asked of it next opens its table again. */
export async function openCaseIndex(options: CaseIndexOptions, create: boolean): Promise<CaseIndex> {
  const { dimension, folder, tuning } = options
  const open = async (isNew: boolean): Promise<AwakeIndex> =>
    caseIndex(await openCaseTable(folder, { ...tuning, dimension, create: isNew }), options)
  const reopen = (): Promise<AwakeIndex> =>
    open(false).catch((error: unknown) => {
      throw asIndexError(error, folder)
    })
  return restingIndex(await open(create), reopen, options.onUse)
}

function caseIndex(table: CaseTable, options: CaseIndexOptions): AwakeIndex {
  const { rank, settled } = ranking(options.createdAt)
  const serial = createSerial()
  const upkeep = indexUpkeep(table, options, serial, async () => void (await core.save('idle')))
  const { pending, marks, flush } = upkeep
  const core = tableCore(table, options, upkeep)

  const run = <T>(job: () => Promise<T>): Promise<T> =>
    serial(async () => {
      if (upkeep.ended) throw memoryClosed()
      try {
        return await job()
      } catch (error) {
        throw asIndexError(error, options.folder)
      }
    })

  return {
    add: (rows) =>
      run(async () => {
        for (const row of rows) pending.set(row.id, row)
        core.add(rows)
        upkeep.touch()
        if (upkeep.full) await flush()
      }),
    remove: (ids) =>
      run(async () => {
        await core.removeFile()
        await table.remove(ids.filter((id) => !pending.delete(id)))
        core.remove(ids)
        upkeep.wrote()
        upkeep.touch()
      }),
    replace: (rows) =>
      run(async () => {
        await core.removeFile()
        await table.remove(rows.flatMap(({ id }) => (pending.delete(id) ? [] : [id])))
        for (const row of rows) pending.set(row.id, row)
        core.replace(rows)
        upkeep.wrote()
        upkeep.touch()
      }),
    setDeleted: (ids, deleted) =>
      run(async () => {
        for (const id of typeof ids === 'string' ? [ids] : ids) {
          marks.set(id, deleted)
          core.setDeleted(id, deleted)
        }
        upkeep.touch()
        await flush()
      }),
    nearest: (vector, k, filter) =>
      run(async () => {
        const hits = await core.search((rows) => nearestOf(rows, vector, k, filter))
        if (hits) return scoresOf(rank(hits).slice(0, k))
        if (marks.size > 0) await flush()
        const best = await settled(k, filter, (limit) =>
          table.nearest(vector, limit, filter).then((rows) => score(rows, vector)),
        )
        const seenSet = new Set(best.map((hit) => hit.id))
        const fresh = [...pending.values()].filter((row) => !seenSet.has(row.id) && passes(row, filter))
        return rank([...best, ...score(fresh, vector)]).slice(0, k)
      }),
    match: (text, k, filter) =>
      run(async () => {
        const hits = await core.search((rows) => rows.match(text, k, filter))
        if (hits) return scoresOf(rank(hits).slice(0, k))
        await upkeep.ready()
        return settled(k, filter, (limit) => table.match(text, limit, filter))
      }),
    candidates: (query) =>
      run(async () => {
        const hits = await core.search((rows) => candidatesOf(rows, query, rank))
        if (hits) return hits
        await (query.text === null ? flush() : upkeep.ready())
        return candidatesInTable(table, query, rank)
      }),
    vectorsOf: (ids) =>
      run(async () => {
        const vectors = core.isOpen ? await core.search((rows) => vectorsHeld(rows, ids)) : undefined
        return vectors ?? vectorsWritten(table, pending, ids)
      }),
    labelsOf: (ids) =>
      run(async () => {
        await flush()
        return table.labelsOf(ids)
      }),
    marks: (each) => run(() => table.marks(each)),
    tidy: () =>
      run(async () => {
        await flush()
        await upkeep.optimize()
        const { end } = await core.save('idle')
        await end
      }),
    flush: () => run(flush),
    close: () =>
      serial(async () => {
        if (upkeep.ended) return
        try {
          await upkeep.end()
          const { end } = await core.save('close')
          await end
        } finally {
          await core.close()
          table.close()
        }
      }),
  }
}

type Rank = ReturnType<typeof ranking>['rank']

/** Orders what was found: best first, of equal ones the newest. */
function ranking(createdAt: CaseIndexOptions['createdAt']) {
  /** Asks for more and more rows until k that the filter accepts, and everything that could tie with the last of them, are in hand. */
  async function settled(
    k: number,
    filter: RowFilter,
    fetch: (limit: number) => Promise<ScoredId[]>,
  ): Promise<ScoredId[]> {
    for (let limit = k + TIE_MARGIN; ; limit *= 2) {
      const rows = await fetch(limit)
      const ranked = rank(acceptable(rows, filter))
      const last = ranked.at(-1)
      const kth = ranked[k - 1]
      const mayTie = !kth || (last !== undefined && kth.score - last.score <= TIE_WIDTH)
      if (rows.length < limit || !mayTie) return ranked.slice(0, k)
    }
  }

  const labelOf = (id: string) => ({ id, createdAt: createdAt(id) ?? '' })
  const rank = <Hit extends ScoredId>(hits: readonly Hit[]): Hit[] =>
    hits.toSorted((a, b) => b.score - a.score || newestFirst(labelOf(a.id), labelOf(b.id)))

  return { rank, settled }
}

/** What words and meaning find among rows in memory. */
function candidatesOf(
  core: SearchCore,
  { text, vector, depth, filter }: CandidateQuery,
  rank: Rank,
): Candidates {
  const vectors = new Map<number, Float32Array>()
  const best = (hits: readonly CoreHit[]): VectorHit[] =>
    rank(hits)
      .slice(0, depth)
      .map((hit) => {
        const own = vectors.get(hit.row) ?? core.vectorOf(hit)
        vectors.set(hit.row, own)
        return { id: hit.id, score: hit.score, vector: own }
      })
  return {
    byWords: text === null ? [] : best(core.match(text, depth, filter)),
    byMeaning: vector === null ? [] : best(nearestOf(core, vector, depth, filter)),
    fullBm25: text === null ? 0 : core.full(text),
  }
}

const scoresOf = (hits: readonly CoreHit[]): ScoredId[] => hits.map(({ id, score }) => ({ id, score }))

function nearestOf(core: SearchCore, vector: Float32Array, k: number, filter: RowFilter): CoreHit[] {
  checkVector(vector, core.dimension, 'The query')
  return core.nearest(vector, k, filter)
}

/** The same, asked of the table. What waits has been written. */
async function candidatesInTable(
  table: CaseTable,
  { text, vector, depth, filter }: CandidateQuery,
  rank: Rank,
): Promise<Candidates> {
  const [byWords, near] = await Promise.all([
    text === null ? [] : deepEnough(depth, filter, (limit) => table.matchWithVectors(text, limit, filter)),
    vector === null ? [] : deepEnough(depth, filter, (limit) => table.nearest(vector, limit, filter)),
  ])
  const vectors = new Map([...byWords, ...near].map((row) => [row.id, row.vector]))
  const withVectors = (hits: readonly ScoredId[]): VectorHit[] =>
    rank(hits).map((hit) => ({ ...hit, vector: vectors.get(hit.id) ?? new Float32Array() }))
  return {
    byWords: withVectors(byWords),
    byMeaning: vector === null ? [] : withVectors(score(near, vector)),
    fullBm25: text === null ? 0 : await fullInTable(table, text, rank(byWords)[0]),
  }
}

const acceptable = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  { accepts }: RowFilter,
): Row[] => rows.filter(({ id }) => accepts?.(id) ?? true)

/** The first `depth` rows that the filter accepts, of more and more rows. */
async function deepEnough<Row extends { readonly id: string }>(
  depth: number,
  filter: RowFilter,
  fetch: (limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  for (let limit = depth; ; limit *= 4) {
    const rows = await fetch(limit)
    const fitting = acceptable(rows, filter)
    if (fitting.length >= depth || rows.length < limit) return fitting.slice(0, depth)
  }
}

/** LanceDB does not tell how rare a word is: the best row's BM25 over the share of the asked words that it has, all as rare as each other. */
async function fullInTable(table: CaseTable, text: string, best: ScoredId | undefined): Promise<number> {
  const state = best && (await table.labelsOf([best.id])).get(best.id)?.state
  if (best === undefined || state === undefined) return 0
  const terms = new Set(termsOf(state).map(({ term }) => term))
  const weights = new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]]))
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const shared = [...weights].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0)
  return shared > 0 ? (best.score * all) / shared : best.score
}

const vectorsHeld = (rows: SearchCore, ids: readonly string[]): Map<string, Float32Array> =>
  new Map(
    ids.flatMap((id) => {
      const vector = rows.vector(id)
      return vector ? [[id, vector] as const] : []
    }),
  )

async function vectorsWritten(
  table: CaseTable,
  caseRowMap: ReadonlyMap<string, CaseRow>,
  ids: readonly string[],
): Promise<Map<string, Float32Array>> {
  const outputs = ids.filter((id) => !caseRowMap.has(id))
  const float32ArrayMap =
    outputs.length > 0 ? await table.vectorsOf(outputs) : new Map<string, Float32Array>()
  for (const id of ids) {
    const row = caseRowMap.get(id)
    if (row) float32ArrayMap.set(id, row.vector)
  }
  return float32ArrayMap
}

function passes(row: CaseRow, filter: RowFilter): boolean {
  return (
    (filter.includeDeleted === true || !row.deleted) &&
    (filter.environment === undefined || row.environment === filter.environment) &&
    (filter.reward === undefined || row.reward === filter.reward) &&
    (filter.accepts?.(row.id) ?? true)
  )
}

/** Rows from LanceDB and from memory are scored alike; a row without a direction is never near. */
const score = (rows: readonly { id: string; vector: Float32Array }[], query: Float32Array): ScoredId[] =>
  rows.flatMap(({ id, vector }) => {
    const near = cosine(vector, query)
    return near === null ? [] : [{ id, score: near }]
  })

function asIndexError(error: unknown, folder: string): unknown {
  if (error instanceof LoamError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/no space left/i.test(message)) {
    return new LoamError('DISK_FULL', `There is no room left for ${folder}.`, {
      suggestion: 'Free some space on that disk and try again. What was learned so far is safe.',
      retryable: true,
      underlying: error,
    })
  }
  return new LoamError(
    'DATA_CORRUPT',
    `The search index in ${folder} failed: ${message.split('\n')[0] ?? ''}`,
    { suggestion: 'Rebuild the index. Nothing is lost: it is made from the journal.', underlying: error },
  )
}

/** Puts a freshly built index folder in the place of the old one. */
export async function replaceIndexFolder(fresh: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
