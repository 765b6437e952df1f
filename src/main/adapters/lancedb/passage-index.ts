import { join } from 'node:path'
import { createSerial } from '../../../shared/serial'
import type { Embedder, PassageBase } from '../../../core/ground/ports'
import type { LearnedEntry } from '../../../core/memory/entries'
import {
  ALPHA,
  fuse,
  withoutRepeats,
  withPlacesForMeaning,
  type FusedHit,
} from '../../../core/retrieval/fuse'
import { isHidden, type Curated } from '../../../core/memory/items/curated'
import {
  PASSAGE_ENVIRONMENT,
  PASSAGE_KIND,
  passageText,
  type Passage,
} from '../../../core/memory/passages/passage'
import { onScaleOf } from '../../../core/retrieval/calibration'
import { termsOf } from '../../../core/retrieval/terms'
import type { LearnedText } from '../../../shared/domain/memory'
import { rm } from '../../ground/steady-files'
import { indexCases, rebuildIndex, type BuildOptions, type Indexable } from './build-index'
import { openCaseIndex, type CaseIndex, type CaseIndexOptions, type IndexTuning } from './case-index'
import { readIndexNote } from './index-note'

export interface PassageIndexOptions {
  /** The memory's folder. */
  readonly folder: string
  readonly entries: ReadonlyMap<string, LearnedEntry>
  /** What people decided about passages. */
  readonly curated: ReadonlyMap<string, Curated>
  /** A passage as it is now. */
  readonly read: (id: string) => Promise<LearnedText | null>
  readonly embedder: () => Embedder
  readonly appliedSeq: () => number
  readonly tuning: IndexTuning
  /** Hears of everything that is asked of it. */
  readonly onUse?: (() => void) | undefined
}

/** The passages of a memory: an index of their own beside those of cases and experiences. */
export interface PassageIndex extends PassageBase {
  /** Makes the index anew with the current embedder. */
  reindex(build: BuildOptions): Promise<void>
  tidy(): Promise<void>
  rest(): Promise<void>
  close(): Promise<void>
}

const EVERY_ROW = { includeDeleted: true } as const
/** Rows each search looks at per passage that is wanted. */
const DEPTH = 4
/** Cosine from which a passage without a word in common fits, on a scale where texts without relation are at 0. */
const FITS_BY_MEANING = 0.3

/**
 * Opens lazily: a memory without passages has no index for them. It follows the fold: before a search, what came is embedded and added, what
 * left is taken out. So an index that a crash left behind, or that is gone, is made good at the next search.
 */
export function passageIndex(options: PassageIndexOptions): PassageIndex {
  const { entries, curated } = options
  const serial = createSerial()
  let handle: { readonly index: CaseIndex; readonly ids: Set<string>; readonly embedder: string } | null =
    null

  const isLive = ({ id, kind, droppedAt }: LearnedEntry): boolean =>
    kind === PASSAGE_KIND && droppedAt === null && !isHidden(curated.get(id))
  const liveIds = (): string[] => [...entries.values()].filter(isLive).map(({ id }) => id)

  const passageOf = async (id: string): Promise<Passage> => {
    const text = await options.read(id)
    if (text?.kind !== PASSAGE_KIND) throw new Error(`Passage ${id} is not where the journal had it`)
    return text as Passage
  }
  const indexable = async (id: string): Promise<Indexable> => {
    const passage = await passageOf(id)
    const { createdAt } = passage
    const state = passageText(passage)
    return { id, state, environment: PASSAGE_ENVIRONMENT, reward: 1, createdAt, deletedAt: null }
  }

  const indexOptions = (): CaseIndexOptions => indexOptionsOf(options, liveIds)

  const rebuilt = (build: BuildOptions): Promise<CaseIndex> =>
    rebuildIndex(
      indexOptions(),
      liveIds(),
      indexable,
      options.embedder(),
      async () => {
        const old = handle
        handle = null
        await old?.index.close().catch(() => undefined)
      },
      build,
    )

  async function open(build: BuildOptions): Promise<CaseIndex> {
    const { folder, note } = indexOptions()
    await rm(`${folder}.new`, { recursive: true, force: true })
    const product = await readIndexNote(folder)
    const { embedder } = note()
    if (product?.embedder.id !== embedder.id || product.embedder.dimension !== embedder.dimension)
      return rebuilt(build)
    return (await openCaseIndex(indexOptions(), false).catch(() => null)) ?? rebuilt(build)
  }

  /** The index as the fold is now. Null while there is nothing to be in it. */
  const current = (build: BuildOptions = {}): Promise<CaseIndex | null> =>
    serial(async () => {
      const targets = liveIds()
      const { id: embedder } = options.embedder()
      if (handle && handle.embedder !== embedder) {
        await handle.index.close().catch(() => undefined)
        handle = null
      }
      if (!handle) {
        if (targets.length === 0) return null
        const index = await open(build)
        handle = { index, ids: await idsIn(index), embedder }
      }
      const { index, ids } = handle
      const live = new Set(targets)
      const removals = [...ids].filter((id) => !live.has(id))
      if (removals.length > 0) await index.remove(removals)
      for (const id of removals) ids.delete(id)
      await indexCases(
        targets.filter((id) => !ids.has(id)),
        indexable,
        options.embedder(),
        async (rows) => {
          await index.add(rows)
          for (const { id } of rows) ids.add(id)
        },
        build,
      )
      return index
    })

  return {
    async search(text, k, { signal, accepts } = {}) {
      if (k <= 0 || text.trim() === '') return []
      const index = await current({ signal })
      if (!index) return []
      const [vector = new Float32Array()] = await options.embedder().embed([text], { signal })
      const candidates = await index.candidates({
        text,
        vector,
        depth: k * DEPTH,
        filter: { ...EVERY_ROW, accepts },
      })
      const isPinned = (id: string): boolean => curated.get(id)?.mark === 'pinned'
      const hits = fuse({ mode: 'hybrid', ...candidates, vector, alpha: ALPHA })
      const matches = await Promise.all(
        hits.map(async (hit) => ({ ...hit, passage: await passageOf(hit.id) })),
      )
      const isLike = likeness(text, onScaleOf(options.embedder(), FITS_BY_MEANING))
      const fitting = matches.filter((one) => isPinned(one.id) || isLike(one))
      return best(withPlacesForMeaning(fitting, k), k, isPinned).map(({ passage, score, cosine }) => ({
        ...{ passage, score, cosine },
        pinned: isPinned(passage.id),
      }))
    },
    ready: async (build) => void (await current(build)),
    reindex: (build) =>
      serial(async () => {
        if (liveIds().length === 0) {
          await handle?.index.close()
          handle = null
          return
        }
        const index = await rebuilt(build)
        handle = { index, ids: await idsIn(index), embedder: options.embedder().id }
      }),
    tidy: async () => handle?.index.tidy(),
    rest: async () => handle?.index.rest(),
    close: () =>
      serial(async () => {
        await handle?.index.close()
        handle = null
      }),
  }
}

type Hit = FusedHit & { readonly passage: Passage }

/**
 * Whether a passage has to do with a text at all: it has a word of it that says something, or a thing it is about, or is near enough in meaning. The
 * nearest of a few passages are not near by that alone. A text without such words is like everything.
 */
function likeness(text: string, leastCosine: number): (hit: Hit) => boolean {
  const messageSet = new Set(termsOf(text).flatMap(({ term, kind }) => (kind === 'stop' ? [] : [term])))
  return ({ passage, cosine }) =>
    messageSet.size === 0 ||
    (cosine !== null && cosine >= leastCosine) ||
    termsOf(passageText(passage)).some(({ term }) => messageSet.has(term))
}

/** The k best of the hits, pinned ones first, none saying what a better one says. */
const best = (hits: readonly Hit[], k: number, isPinned: (id: string) => boolean): Hit[] => {
  const pinned = hits.filter(({ id }) => isPinned(id))
  return withoutRepeats([...pinned, ...hits.filter(({ id }) => !isPinned(id))], k)
}

/** How the index is opened, with the encoder of now. */
function indexOptionsOf(options: PassageIndexOptions, liveIds: () => readonly string[]): CaseIndexOptions {
  const { id, dimension } = options.embedder()
  return {
    folder: join(options.folder, 'lance-passages'),
    dimension,
    createdAt: (target) => options.entries.get(target)?.createdAt ?? null,
    note: () => ({
      format: 4,
      embedder: { id, dimension },
      appliedSeq: options.appliedSeq(),
      cases: liveIds().length,
      trajectories: 0,
    }),
    tuning: options.tuning,
    onUse: options.onUse,
  }
}

/** The ids of all rows of an index. */
async function idsIn(index: CaseIndex): Promise<Set<string>> {
  const ids = new Set<string>()
  await index.marks((id) => ids.add(id))
  return ids
}
