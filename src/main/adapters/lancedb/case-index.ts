import { cosine } from '../../../core/memory/retrieval/cosine'
import { createSerial } from '../../../core/ground/serial'
import { newestFirst } from '../../../core/memory/space-state'
import { LoamError } from '../../../shared/errors'
import { openCaseTable, type CaseRow, type CaseTable, type RowFilter } from './case-table'
import { writeIndexNote } from './index-note'
import type {
  CandidateQuery,
  Candidates,
  CaseIndex,
  CaseIndexOptions,
  ScoredId,
  VectorHit,
} from './index-shapes'
import { rowsInMemory, type RowsInMemory } from './rows-in-memory'
import { rename, rm } from '../../ground/steady-files'

export {
  INDEX_TUNING,
  type CandidateQuery,
  type Candidates,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
  type ScoredId,
  type VectorHit,
} from './index-shapes'

/** How much further than K to look for rows that tie with the last one. */
const TIE_MARGIN = 8
/** LanceDB ranks in 32-bit arithmetic; scores closer than this may be in either order there. */
const TIE_WIDTH = 1e-5
/** How long files of older versions stay when others may be reading. */
const GRACE_MS = 60_000
/** Share of a large table that may be beyond its full-text index while rows keep coming; each round reads the whole index. */
const UNINDEXED_SHARE = 0.1

export async function openCaseIndex(options: CaseIndexOptions, create: boolean): Promise<CaseIndex> {
  const { dimension, tuning } = options
  const table = await openCaseTable(options.folder, { ...tuning, dimension, create })
  return caseIndex(table, options)
}

// eslint-disable-next-line max-lines-per-function -- one index: searches and writes share the rows in memory, the table and which of the two is asked
function caseIndex(table: CaseTable, options: CaseIndexOptions): CaseIndex {
  const { tuning } = options
  const serial = createSerial()
  const pending = new Map<string, CaseRow>()
  const marks = new Map<string, boolean>()
  let writes = 0
  /** LanceDB rows not yet in the full-text index; null until asked. */
  let unindexed: number | null = null
  let upkeep: Promise<void> | null = null
  let idle: NodeJS.Timeout | null = null
  let closed = false
  let held: RowsInMemory | null = null
  /** Rows of the table and those that wait; null until asked. */
  let size: number | null = null

  /** All rows in memory, read at the first search; null when there are too many. */
  async function inMemory(): Promise<RowsInMemory | null> {
    size ??= (await table.count()) + pending.size
    if (size > tuning.exactRows) return (held = null)
    if (held) return held
    const rows = rowsInMemory(options.dimension)
    for await (const row of table.rows()) rows.set(row)
    for (const row of pending.values()) rows.set(row)
    for (const [id, deleted] of marks) rows.setDeleted(id, deleted)
    return (held = rows)
  }

  function hold(rows: readonly CaseRow[]): void {
    for (const row of rows) held?.set(row)
    if (size !== null) size += rows.length
  }

  function letGo(ids: readonly string[]): void {
    for (const id of ids) held?.remove(id)
    size = null
  }

  async function flush(): Promise<void> {
    if (pending.size === 0 && marks.size === 0) return
    if (pending.size > 0) await table.add([...pending.values()])
    const written = pending.size + marks.size
    pending.clear()
    for (const deleted of [true, false]) {
      const ids = [...marks].filter(([, mark]) => mark === deleted).map(([id]) => id)
      if (ids.length > 0) await table.setDeleted(ids, deleted)
    }
    marks.clear()
    if (unindexed !== null) unindexed += written
    writes++
    await writeIndexNote(options.folder, options.note())
    const rows = await table.count()
    if (rows <= tuning.exactRows) {
      if (writes >= tuning.writesPerOptimize) await optimize()
    } else if ((await waiting()) > Math.max(tuning.unindexedRows, rows * UNINDEXED_SHARE)) keepUp()
  }

  const waiting = async (): Promise<number> => (unindexed ??= await table.unindexed())

  async function optimize(): Promise<void> {
    await upkeep
    await indexWords()
    await table.optimize(0)
    writes = 0
  }

  async function indexWords(): Promise<void> {
    if ((await waiting()) === 0) return
    await table.indexWords()
    unindexed = 0
  }

  /** Optimizes beside reads and writes. Nothing is lost when LanceDB refuses because of a write: the next occasion asks again. */
  function keepUp(): void {
    upkeep ??= table
      .optimize(GRACE_MS)
      .catch(() => undefined)
      .then(() => {
        unindexed = null
        writes = 0
        upkeep = null
      })
  }

  /** Before words are searched in LanceDB: what is not in its index yet is read row by row, and indexed in the background. */
  async function ready(): Promise<void> {
    await flush()
    if ((await waiting()) > 0 && idle === null) touch()
  }

  function touch(): void {
    if (idle) clearTimeout(idle)
    if (tuning.idleMs === 0 || closed) return
    idle = setTimeout(() => {
      idle = null
      // Nothing is lost when this fails: rows stay pending and the next read or write meets the error.
      serial(async () => {
        if (closed) return
        await flush()
        const isLarge = (await table.count()) > tuning.exactRows
        if (isLarge && (await waiting()) > tuning.unindexedRows) keepUp()
        else if (!isLarge && writes > 0) await optimize()
      }).catch(() => undefined)
    }, tuning.idleMs)
    idle.unref()
  }

  const run = <T>(job: () => Promise<T>): Promise<T> =>
    serial(async () => {
      if (closed) throw new LoamError('CONFLICT', 'The memory is closed.', { suggestion: 'Open it again.' })
      try {
        return await job()
      } catch (error) {
        throw asIndexError(error, options.folder)
      }
    })

  /** Asks for more and more rows until everything that could tie with the k-th is in hand. */
  async function settled(k: number, fetch: (limit: number) => Promise<ScoredId[]>): Promise<ScoredId[]> {
    for (let limit = k + TIE_MARGIN; ; limit *= 2) {
      const ranked = rank(await fetch(limit))
      const last = ranked.at(-1)
      const kth = ranked[k - 1]
      const mayTie = ranked.length >= limit && last && kth && kth.score - last.score <= TIE_WIDTH
      if (!mayTie) return ranked.slice(0, k)
    }
  }

  function rank(hits: readonly ScoredId[]): ScoredId[] {
    return hits
      .map((hit) => ({ ...hit, createdAt: options.createdAt(hit.id) ?? '' }))
      .sort((a, b) => b.score - a.score || newestFirst(a, b))
      .map(({ id, score }) => ({ id, score }))
  }

  async function candidatesOf(
    rows: RowsInMemory,
    { text, vector, depth, filter }: CandidateQuery,
  ): Promise<Candidates> {
    const withVector = ({ id, score }: ScoredId): VectorHit[] => {
      const own = rows.vector(id)
      return own ? [{ id, score, vector: own }] : []
    }
    const near =
      vector === null
        ? []
        : await settled(depth, (limit) => Promise.resolve(rows.nearest(vector, limit, filter)))
    return {
      byWords: text === null ? [] : rank(rows.match(text, filter)).slice(0, depth).flatMap(withVector),
      byMeaning: near.flatMap(withVector),
    }
  }

  return {
    add: (rows) =>
      run(async () => {
        for (const row of rows) pending.set(row.id, row)
        hold(rows)
        touch()
        if (pending.size >= tuning.pendingRows) await flush()
      }),
    remove: (ids) =>
      run(async () => {
        await table.remove(ids.filter((id) => !pending.delete(id)))
        letGo(ids)
        writes++
        touch()
      }),
    replace: (rows) =>
      run(async () => {
        await table.remove(rows.flatMap(({ id }) => (pending.delete(id) ? [] : [id])))
        for (const row of rows) pending.set(row.id, row)
        for (const row of rows) held?.set(row)
        size = null
        writes++
        touch()
      }),
    setDeleted: (ids, deleted) =>
      run(async () => {
        for (const id of typeof ids === 'string' ? [ids] : ids) {
          marks.set(id, deleted)
          held?.setDeleted(id, deleted)
        }
        touch()
        await flush()
      }),
    nearest: (vector, k, filter) =>
      run(async () => {
        const rows = await inMemory()
        if (rows) return settled(k, (limit) => Promise.resolve(rows.nearest(vector, limit, filter)))
        if (marks.size > 0) await flush()
        const best = await settled(k, (limit) =>
          table.nearest(vector, limit, filter).then((rows) => score(rows, vector)),
        )
        const seen = new Set(best.map((hit) => hit.id))
        const fresh = [...pending.values()].filter((row) => !seen.has(row.id) && passes(row, filter))
        return rank([...best, ...score(fresh, vector)]).slice(0, k)
      }),
    match: (text, k, filter) =>
      run(async () => {
        const rows = await inMemory()
        if (rows) return rank(rows.match(text, filter)).slice(0, k)
        await ready()
        return settled(k, (limit) => table.match(text, limit, filter))
      }),
    candidates: ({ text, vector, depth, filter }) =>
      run(async () => {
        const rows = await inMemory()
        if (rows) return candidatesOf(rows, { text, vector, depth, filter })
        await (text === null ? flush() : ready())
        const [byWords, near] = await Promise.all([
          text === null ? [] : table.matchWithVectors(text, depth, filter),
          vector === null ? [] : table.nearest(vector, depth, filter),
        ])
        const vectors = new Map([...byWords, ...near].map((row) => [row.id, row.vector]))
        const withVectors = (hits: readonly ScoredId[]): VectorHit[] =>
          rank(hits).map((hit) => ({ ...hit, vector: vectors.get(hit.id) ?? new Float32Array() }))
        return {
          byWords: withVectors(byWords),
          byMeaning: vector === null ? [] : withVectors(score(near, vector)),
        }
      }),
    vectorsOf: (ids) =>
      run(async () => {
        if (held) {
          const rows = held
          return new Map(
            ids.flatMap((id) => {
              const vector = rows.vector(id)
              return vector ? [[id, vector] as const] : []
            }),
          )
        }
        const written = ids.filter((id) => !pending.has(id))
        const found = written.length > 0 ? await table.vectorsOf(written) : new Map<string, Float32Array>()
        for (const id of ids) {
          const row = pending.get(id)
          if (row) found.set(id, row.vector)
        }
        return found
      }),
    labelsOf: (ids) =>
      run(async () => {
        await flush()
        return table.labelsOf(ids)
      }),
    marks: () => run(() => table.marks()),
    tidy: () =>
      run(async () => {
        await flush()
        await optimize()
      }),
    close: () =>
      serial(async () => {
        if (closed) return
        if (idle) clearTimeout(idle)
        try {
          await flush()
          await upkeep
        } finally {
          closed = true
          table.close()
        }
      }),
  }
}

function passes(row: CaseRow, filter: RowFilter): boolean {
  return (
    (filter.includeDeleted === true || !row.deleted) &&
    (filter.environment === undefined || row.environment === filter.environment) &&
    (filter.reward === undefined || row.reward === filter.reward)
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
    {
      suggestion: 'Rebuild the index. Nothing is lost: it is made from the journal.',
      underlying: error,
    },
  )
}

/** Puts a freshly built index folder in the place of the old one. */
export async function replaceIndexFolder(fresh: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
