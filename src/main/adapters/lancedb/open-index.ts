import { LoamError } from '../../../shared/errors'
import type { CaseRecord } from '../../../shared/domain/case'
import type { CaseEntry } from '../../../core/memory/entries'
import type { Embedder } from '../../../core/ground/ports'
import { indexCases, rebuildIndex, type BuildOptions } from './build-index'
import { openCaseIndex, type CaseIndex, type CaseIndexOptions } from './case-index'
import { readIndexNote } from './index-note'
import { rm } from '../../ground/steady-files'

/** The search index of a memory, up to date with its journal. */
export interface OpenedIndex {
  readonly index: CaseIndex
  /** Why it was made anew; null when it was not. */
  readonly rebuilt: 'missing' | 'damaged' | 'other-embedder' | null
  /** Cases it lacked, or had marked wrongly, and that were brought up to date. */
  readonly caughtUp: number
}

/** What the journal says of a memory's cases. */
export interface KnownCases {
  readonly entries: ReadonlyMap<string, Pick<CaseEntry, 'deletedAt'>>
  /** The cases that were corrected, by id. */
  readonly corrected: ReadonlyMap<string, unknown>
  readonly read: (id: string) => Promise<CaseRecord>
}

/** Opens the index and brings it up to date; a missing, damaged or foreign one is made anew. Throws what the embedder throws. */
export async function openIndex(
  options: CaseIndexOptions,
  cases: KnownCases,
  embedder: Embedder,
  build: BuildOptions,
): Promise<OpenedIndex> {
  const { folder } = options
  await rm(`${folder}.new`, { recursive: true, force: true })
  const note = await readIndexNote(folder)
  let rebuilt: OpenedIndex['rebuilt'] = note ? 'damaged' : 'missing'
  if (note && (note.embedder.id !== embedder.id || note.embedder.dimension !== embedder.dimension))
    rebuilt = 'other-embedder'
  else if (note) {
    const foundIndex = await openCaseIndex(options, false).catch(nullUnlessMissing)
    const caughtUp = foundIndex && (await catchUp(foundIndex, cases, embedder, build).catch(giveUpOnDamage))
    if (foundIndex && caughtUp !== null) return { index: foundIndex, rebuilt: null, caughtUp }
    await foundIndex?.close().catch(() => undefined)
  }
  const ids = [...cases.entries.keys()]
  const index = await rebuildIndex(options, ids, cases.read, embedder, () => Promise.resolve(), build)
  return { index, rebuilt, caughtUp: 0 }
}

/** Brings an index that a crash left behind up to date, case by case; null when it has to be rebuilt. */
async function catchUp(
  index: CaseIndex,
  { entries, corrected, read }: KnownCases,
  embedder: Embedder,
  build: BuildOptions,
): Promise<number | null> {
  const gaps = new Set(entries.keys())
  const wrong = new Map<string, boolean>()
  let isOurs = true
  await index.marks((id, deleted) => {
    const entry = entries.get(id)
    if (!entry) isOurs = false
    else if ((entry.deletedAt !== null) !== deleted) wrong.set(id, !deleted)
    gaps.delete(id)
  })
  if (!isOurs) return null
  await indexCases([...gaps], read, embedder, index.add, build)
  const stale = await withOldText(index, [...corrected.keys()], read)
  await indexCases(stale, read, embedder, index.replace, build)
  for (const [id, isDeleted] of wrong) await index.setDeleted(id, isDeleted)
  return gaps.size + stale.length + wrong.size
}

/** The corrected cases whose rows do not say so yet. */
async function withOldText(
  index: CaseIndex,
  ids: readonly string[],
  read: KnownCases['read'],
): Promise<string[]> {
  if (ids.length === 0) return []
  const labels = await index.labelsOf(ids)
  const stale: string[] = []
  for (const id of ids) {
    const { state, reward } = await read(id)
    const row = labels.get(id)
    if (row?.state !== state || row.reward !== reward) stale.push(id)
  }
  return stale
}

/** What a library that is missing cannot open is not damaged. */
function nullUnlessMissing(error: unknown): null {
  if (error instanceof LoamError && error.code === 'NOT_FOR_THIS_MACHINE') throw error
  return null
}

/** Damage means: rebuild. Anything else (a cancelled opening, a full disk, a faulty encoder) is passed on. */
function giveUpOnDamage(error: unknown): null {
  if (error instanceof LoamError && error.code === 'DATA_CORRUPT') return null
  throw error
}
