import { join } from 'node:path'
import type { ExperienceEntries } from '../../../core/memory/experiences/fold'
import type { Embedder } from '../../../core/ground/ports'
import { LoamError } from '../../../shared/errors'
import { rm } from '../../ground/steady-files'
import { indexCases, rebuildIndex, type BuildOptions, type Indexable } from './build-index'
import { openCaseIndex, type CaseIndex, type CaseIndexOptions, type IndexTuning } from './case-index'
import { readIndexNote } from './index-note'

export interface ExperienceIndexOptions {
  /** The memory's folder. */
  readonly folder: string
  readonly entries: ExperienceEntries
  readonly embedder: () => Embedder
  readonly appliedSeq: () => number
  readonly tuning: IndexTuning
  /** Hears of everything that is asked of it. */
  readonly onUse?: (() => void) | undefined
  /** Whether an experience is to be in it. */
  readonly isLive: (id: string) => boolean
  readonly indexable: (id: string) => Promise<Indexable>
}

/** The search index of a memory's experiences, which follows what the journal says of them. */
export type ExperienceIndex = ReturnType<typeof experienceIndex>

/** Opens lazily: a memory without experiences has no index for them. What is damaged, or made with another embedder, is made anew. */
export function experienceIndex(options: ExperienceIndexOptions) {
  const { entries, isLive, indexable, tuning } = options
  let indexPromise: Promise<CaseIndex> | null = null

  const indexOptions = (): CaseIndexOptions => {
    const { id, dimension } = options.embedder()
    return {
      folder: join(options.folder, 'lance-experiences'),
      dimension,
      createdAt: (target) => entries.get(target)?.createdAt ?? null,
      note: () => ({
        format: 4,
        embedder: { id, dimension },
        appliedSeq: options.appliedSeq(),
        cases: entries.size,
        trajectories: 0,
      }),
      tuning,
      onUse: options.onUse,
    }
  }

  const liveIds = (): string[] => [...entries.keys()].filter(isLive)

  const rebuild = (build: BuildOptions, beforeSwap = () => Promise.resolve()): Promise<CaseIndex> =>
    rebuildIndex(indexOptions(), liveIds(), indexable, options.embedder(), beforeSwap, build)

  async function open(): Promise<CaseIndex> {
    const { folder, note } = indexOptions()
    await rm(`${folder}.new`, { recursive: true, force: true })
    const product = await readIndexNote(folder)
    const { embedder } = note()
    if (product?.embedder.id !== embedder.id || product.embedder.dimension !== embedder.dimension)
      return rebuild({})
    const foundIndex = await openCaseIndex(indexOptions(), false).catch(() => null)
    if (foundIndex && (await catchUp(foundIndex).catch(giveUpOnDamage))) return foundIndex
    await foundIndex?.close().catch(() => undefined)
    return rebuild({})
  }

  /** Brings an index that a crash left behind up to date; false when it has to be rebuilt. */
  async function catchUp(foundIndex: CaseIndex): Promise<boolean> {
    const marks = new Map<string, boolean>()
    await foundIndex.marks((id, deleted) => marks.set(id, deleted))
    for (const id of marks.keys()) if (!entries.has(id)) return false
    // Indexes of earlier versions marked rows instead of taking them out.
    const rest = [...marks].filter(([id, marked]) => marked || !isLive(id)).map(([id]) => id)
    if (rest.length > 0) await foundIndex.remove(rest)
    for (const id of rest) marks.delete(id)
    const gaps = liveIds().filter((id) => !marks.has(id))
    await indexCases(gaps, indexable, options.embedder(), foundIndex.add, {})
    return true
  }

  const index = (): Promise<CaseIndex> => {
    indexPromise ??= open().catch((error: unknown) => {
      indexPromise = null
      throw error
    })
    return indexPromise
  }

  return {
    /** The index, opened at its first use. */
    index,
    /** Makes it anew with the current embedder. */
    async reindex(build: BuildOptions): Promise<void> {
      if (entries.size === 0) {
        await (await indexPromise)?.close()
        indexPromise = null
        return
      }
      let settle: ((next: Promise<CaseIndex>) => void) | null = null
      const next = rebuild(build, async () => {
        const old = indexPromise
        // From here on readers wait for the new index.
        indexPromise = new Promise((resolve) => (settle = resolve))
        await (await old?.catch(() => null))?.close().catch(() => undefined)
      })
      try {
        const madeIndex = await next
        indexPromise = Promise.resolve(madeIndex)
      } finally {
        ;(settle as ((next: Promise<CaseIndex>) => void) | null)?.(next)
      }
    },
    tidy: async (): Promise<void> => (await indexPromise)?.tidy(),
    rest: async (): Promise<void> => (await indexPromise?.catch(() => null))?.rest(),
    close: async (): Promise<void> => (await indexPromise?.catch(() => null))?.close(),
  }
}

function giveUpOnDamage(error: unknown): boolean {
  if (error instanceof LoamError && error.code === 'DATA_CORRUPT') return false
  throw error
}
