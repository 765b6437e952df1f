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
  readonly entries: ExperienceEntries<unknown>
  readonly embedder: () => Embedder
  readonly appliedSeq: () => number
  readonly tuning: IndexTuning
  /** Whether an experience is to be in it. */
  readonly isLive: (id: string) => boolean
  readonly indexable: (id: string) => Promise<Indexable>
}

/** The search index of a memory's experiences, which follows what the journal says of them. */
export interface ExperienceIndex {
  /** The index, opened at its first use. */
  index(): Promise<CaseIndex>
  /** Makes it anew with the current embedder. */
  reindex(build: BuildOptions): Promise<void>
  tidy(): Promise<void>
  close(): Promise<void>
}

/** Opens lazily: a memory without experiences has no index for them. What is damaged, or made with another embedder, is made anew. */
export function experienceIndex(options: ExperienceIndexOptions): ExperienceIndex {
  const { entries, isLive, indexable, tuning } = options
  let opened: Promise<CaseIndex> | null = null

  const indexOptions = (): CaseIndexOptions => {
    const { id, dimension } = options.embedder()
    return {
      folder: join(options.folder, 'lance-experiences'),
      dimension,
      createdAt: (wanted) => entries.get(wanted)?.createdAt ?? null,
      note: () => ({
        format: 2,
        embedder: { id, dimension },
        appliedSeq: options.appliedSeq(),
        cases: entries.size,
        trajectories: 0,
      }),
      tuning,
    }
  }

  const liveIds = (): string[] => [...entries.keys()].filter(isLive)

  const rebuild = (build: BuildOptions, beforeSwap = () => Promise.resolve()): Promise<CaseIndex> =>
    rebuildIndex(indexOptions(), liveIds(), indexable, options.embedder(), beforeSwap, build)

  async function open(): Promise<CaseIndex> {
    const { folder, note } = indexOptions()
    await rm(`${folder}.new`, { recursive: true, force: true })
    const made = await readIndexNote(folder)
    const { embedder } = note()
    if (made?.embedder.id !== embedder.id || made.embedder.dimension !== embedder.dimension)
      return rebuild({})
    const found = await openCaseIndex(indexOptions(), false).catch(() => null)
    if (found && (await catchUp(found).catch(giveUpOnDamage))) return found
    await found?.close().catch(() => undefined)
    return rebuild({})
  }

  /** Brings an index that a crash left behind up to date; false when it has to be rebuilt. */
  async function catchUp(found: CaseIndex): Promise<boolean> {
    const marks = await found.marks()
    for (const id of marks.keys()) if (!entries.has(id)) return false
    // Indexes of earlier versions marked rows instead of taking them out.
    const left = [...marks].filter(([id, marked]) => marked || !isLive(id)).map(([id]) => id)
    if (left.length > 0) await found.remove(left)
    for (const id of left) marks.delete(id)
    const missing = liveIds().filter((id) => !marks.has(id))
    await indexCases(missing, indexable, options.embedder(), found.add, {})
    return true
  }

  const index = (): Promise<CaseIndex> => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }

  return {
    index,
    async reindex(build) {
      if (entries.size === 0) {
        await (await opened)?.close()
        opened = null
        return
      }
      let settle: ((next: Promise<CaseIndex>) => void) | null = null
      const next = rebuild(build, async () => {
        const old = opened
        // From here on readers wait for the new index.
        opened = new Promise((resolve) => (settle = resolve))
        await (await old?.catch(() => null))?.close().catch(() => undefined)
      })
      try {
        const made = await next
        opened = Promise.resolve(made)
      } finally {
        ;(settle as ((next: Promise<CaseIndex>) => void) | null)?.(next)
      }
    },
    tidy: async () => (await opened)?.tidy(),
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}

function giveUpOnDamage(error: unknown): boolean {
  if (error instanceof LoamError && error.code === 'DATA_CORRUPT') return false
  throw error
}
