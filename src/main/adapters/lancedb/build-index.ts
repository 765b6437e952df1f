import type { CaseRecord } from '../../../shared/domain/case'
import type { Embedder } from '../../../core/ground/ports'
import { checkVector, type CaseRow } from './case-table'
import {
  openCaseIndex,
  replaceIndexFolder,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
} from './case-index'
import { writeIndexNote } from './index-note'
import { rm } from '../../ground/steady-files'

export interface BuildOptions {
  readonly signal?: AbortSignal
  /** Called after each batch of cases. */
  readonly onProgress?: (doneCount: number, total: number) => void
}

/** What is indexed: a case, or what is searched in the same way. `state` is embedded and full-text searched. */
export type Indexable = Pick<
  CaseRecord,
  'id' | 'state' | 'environment' | 'reward' | 'createdAt' | 'deletedAt'
>

const EMBED_BATCH = 64
/** While an index is being made nobody searches it, so it is optimized once, at the end. */
const BUILDING: Partial<IndexTuning> = {
  idleMs: 0,
  pendingRows: 4096,
  writesPerOptimize: Infinity,
  unindexedRows: Infinity,
}

/** Embeds cases in batches and hands them to `add` as rows. @throws AbortError when `signal` fires */
export async function indexCases(
  ids: readonly string[],
  read: (id: string) => Promise<Indexable>,
  embedder: Embedder,
  add: (rows: readonly CaseRow[]) => Promise<void>,
  { signal, onProgress }: BuildOptions,
): Promise<void> {
  onProgress?.(0, ids.length)
  for (let start = 0; start < ids.length; start += EMBED_BATCH) {
    signal?.throwIfAborted()
    const cases = await Promise.all(ids.slice(start, start + EMBED_BATCH).map(read))
    await add(await toRows(cases, embedder, signal))
    onProgress?.(Math.min(start + EMBED_BATCH, ids.length), ids.length)
  }
}

/** Embeds the states of cases. @throws LoamError `VECTOR_DIMENSION`, `BAD_INPUT` when the embedder answers nonsense */
export async function toRows(
  cases: readonly Indexable[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<CaseRow[]> {
  if (cases.length === 0) return []
  const states = cases.map((item) => item.state)
  const vectors = await embedder.embed(states, { signal })
  return cases.map((item, index) => {
    const vector = vectors[index] ?? new Float32Array()
    checkVector(vector, embedder.dimension, `Case ${item.id}`)
    const { id, state, environment, reward, createdAt, deletedAt } = item
    return { id, vector, state, environment, reward, createdAt, deleted: deletedAt !== null }
  })
}

/**
 * Makes a whole index from the journal's cases beside the old one and puts it in its place.
 * Cancelled or failed, the old one stays. `beforeSwap` has to let go of the old one.
 */
export async function rebuildIndex(
  options: CaseIndexOptions,
  ids: readonly string[],
  read: (id: string) => Promise<Indexable>,
  embedder: Embedder,
  beforeSwap: () => Promise<void>,
  build: BuildOptions,
): Promise<CaseIndex> {
  const fresh = `${options.folder}.new`
  await rm(fresh, { recursive: true, force: true })
  const index = await openCaseIndex(
    { ...options, folder: fresh, tuning: { ...options.tuning, ...BUILDING } },
    true,
  )
  try {
    await indexCases(ids, read, embedder, index.add, build)
    await index.tidy()
    await index.close()
    await writeIndexNote(fresh, options.note())
  } catch (error) {
    await index.close().catch(() => undefined)
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
  await beforeSwap()
  await replaceIndexFolder(fresh, options.folder)
  return openCaseIndex(options, false)
}
