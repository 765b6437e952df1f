import { verbOf } from '../../core/memory/experiences/actions'
import { standingOf, type ExperienceEntries, type ExperienceEntry } from '../../core/memory/experiences/fold'
import { isCompatible, LEAST_DEPTH, SEARCH_DEPTH, TOP_K } from '../../core/memory/experiences/retrieve'
import { ALPHA, fuse, withoutRepeats, withPlacesForMeaning, type FusedHit } from '../../core/retrieval/fuse'
import { isHidden, type Curated } from '../../core/memory/items/curated'
import { cosine } from '../../core/retrieval/cosine'
import { isExperienceEvent, type ExperienceEvent } from '../../core/memory/experiences/events'
import type {
  Embedder,
  ExperienceBase,
  ExperienceHit,
  ExperienceQuery,
  MemoryEvent,
} from '../../core/ground/ports'
import type { Experience, StoredExperience } from '../../shared/domain/experience'
import { toRows, type Indexable } from '../adapters/lancedb/build-index'
import type { IndexTuning } from '../adapters/lancedb/case-index'
import { experienceIndex, type ExperienceIndex } from '../adapters/lancedb/experience-index'

export interface ExperienceStoreOptions {
  /** The memory's folder. */
  readonly folder: string
  readonly entries: ExperienceEntries
  /** What people decided about them. */
  readonly curated: ReadonlyMap<string, Curated>
  readonly read: (entry: ExperienceEntry) => Promise<MemoryEvent | null>
  readonly embedder: () => Embedder
  readonly appliedSeq: () => number
  readonly tuning: IndexTuning
  /** Hears of everything that is asked of the index. */
  readonly onUse?: (() => void) | undefined
}

/** The experiences of a memory: their search index, beside the one of the cases, and what is asked of it. */
export interface ExperienceStore
  extends ExperienceBase, Pick<ExperienceIndex, 'reindex' | 'tidy' | 'rest' | 'close'> {
  /**
   * Makes ready what a commit brings, before it is journaled: a faulty encoder must leave no half-made commit. Call what comes
   * back once the commit is journaled and folded.
   */
  prepare(events: readonly MemoryEvent[]): Promise<() => Promise<void>>
  read(entry: ExperienceEntry): Promise<StoredExperience>
}

/** Only live experiences are indexed. */
const EVERY_ROW = { includeDeleted: true } as const
/** Texts held ready: the same experiences are found again and again. */
const KEPT_TEXTS = 2_000

/** The experiences of a memory. The index holds the live ones only, so that searches need no filter; what is restored is added again. */
export function experienceStore(options: ExperienceStoreOptions): ExperienceStore {
  const { entries } = options
  const read = readerOf(options.read)
  const standsAside = (id: string): boolean => (entries.get(id)?.gone ?? null) !== null

  const indexable = async (id: string): Promise<Indexable> => {
    const entry = entries.get(id)
    if (!entry) throw new Error(`Experience ${id} is not in the journal`)
    return rowOf((await read(entry)).experience, entry.gone?.at ?? null)
  }

  const isLive = (id: string): boolean => entries.has(id) && !standsAside(id)
  const keptIndex = experienceIndex({ ...options, isLive, indexable })
  const { index } = keptIndex

  async function fused(query: ExperienceQuery, vector: Float32Array | null): Promise<FusedHit[]> {
    const { mode, k = TOP_K, alpha = ALPHA } = query
    const fits = ({ id }: FusedHit): boolean => {
      const entry = entries.get(id)
      if (entry?.gone !== null || query.except?.has(id) === true) return false
      return (
        (query.muted === true || !isHidden(options.curated.get(id))) && isCompatible(entry, query, verbOf)
      )
    }
    const filter = { ...EVERY_ROW, accepts: (id: string) => query.except?.has(id) !== true }
    // Looks further as long as too few of what was found fits and there is more.
    for (let depth = Math.max(LEAST_DEPTH, k * SEARCH_DEPTH); ; depth *= 4) {
      const text = mode === 'semantic' ? null : query.text
      const candidates = await (await index()).candidates({ text, vector, depth, filter })
      const { byWords, byMeaning } = candidates
      const utility = (id: string): number => entries.get(id)?.utility ?? 0
      const isFitting = (id: string): boolean => {
        const entry = entries.get(id)
        return entry !== undefined && query.fits !== undefined && isCompatible(entry, query.fits, verbOf)
      }
      const all = fuse({ mode, ...candidates, vector, alpha, utility, fits: isFitting })
      const fitting = all.filter(fits)
      const ordered = mode === 'hybrid' ? withPlacesForMeaning(fitting, k) : fitting
      const best = withoutRepeats([...(await pinnedHits(all, query, fits, vector)), ...ordered], k)
      const exhausted = Math.max(byWords.length, byMeaning.length) < depth
      if (best.length >= k || exhausted) return best
    }
  }

  /** The pinned ones that fit, best first, whatever their score. */
  async function pinnedHits(
    hits: readonly FusedHit[],
    query: ExperienceQuery,
    fits: (hit: FusedHit) => boolean,
    vector: Float32Array | null,
  ): Promise<FusedHit[]> {
    if (query.muted === true) return []
    const ids = [...options.curated].flatMap(([id, { mark }]) =>
      mark === 'pinned' && isLive(id) ? [id] : [],
    )
    if (ids.length === 0) return []
    const hitMap = new Map(hits.map((hit) => [hit.id, hit]))
    const vectors = await (await index()).vectorsOf(ids.filter((id) => !hitMap.has(id)))
    return ids
      .flatMap((id) => {
        const own = vectors.get(id)
        const near = own && vector ? cosine(own, vector) : null
        const hit = hitMap.get(id) ?? (own && unscored(id, own, near))
        return hit && fits(hit) ? [hit] : []
      })
      .sort((a, b) => b.score - a.score)
  }

  async function search(query: ExperienceQuery, signal?: AbortSignal): Promise<ExperienceHit[]> {
    if (entries.size === 0 || query.text.trim() === '') return []
    const vector = query.mode === 'text' ? null : (query.vector ?? (await embed(query.text, signal)))
    const hits = await fused(query, vector)
    return Promise.all(
      hits.map(async ({ id, score, textScore, semanticScore, bm25, cosine }) => {
        const entry = entries.get(id)
        if (!entry) throw new Error(`Experience ${id} is not in the journal`)
        return { ...(await read(entry)), score, textScore, semanticScore, bm25, cosine }
      }),
    )
  }

  async function embed(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector = new Float32Array()] = await options.embedder().embed([text], { signal })
    return vector
  }

  return {
    search: (query, { signal } = {}) => search(query, signal),
    async nearest(vector, k) {
      if (entries.size === 0) return []
      return (await index()).nearest(vector, k, EVERY_ROW)
    },
    async get(id) {
      const entry = entries.get(id)
      return entry ? read(entry) : null
    },
    entries: () => entries.values(),
    read,
    async prepare(events) {
      const changes = events.filter(isExperienceEvent)
      if (changes.length === 0) return () => Promise.resolve()
      const coming = new Map<string, Experience>()
      for (const event of changes) {
        if (event.kind === 'experience-added') coming.set(event.experience.id, event.experience)
        const entry = event.kind === 'experience-restored' ? entries.get(event.experienceId) : undefined
        if (entry) coming.set(entry.id, (await read(entry)).experience)
      }
      const caseRows = await toRows(
        [...coming.values()].map((experience) => rowOf(experience, null)),
        options.embedder(),
      )
      const target = await index()
      const before = new Set([...idsOf(changes)].filter(isLive))
      return async () => {
        const rows = caseRows.filter(({ id }) => isLive(id) && !before.has(id))
        if (rows.length > 0) await target.add(rows)
        const removals = [...before].filter((id) => !isLive(id))
        if (removals.length > 0) await target.remove(removals)
      }
    },
    reindex: keptIndex.reindex,
    tidy: keptIndex.tidy,
    rest: keptIndex.rest,
    close: keptIndex.close,
  }
}

/** Reads experiences where the journal has them, and holds some texts ready. */
function readerOf(readEvent: ExperienceStoreOptions['read']): ExperienceStore['read'] {
  const texts = new Map<string, Experience>()
  return async (entry) => {
    let experience = texts.get(entry.id)
    if (!experience) {
      const event = await readEvent(entry)
      if (event?.kind !== 'experience-added')
        throw new Error(`Experience ${entry.id} is not where the journal had it`)
      experience = event.experience
      if (texts.size >= KEPT_TEXTS) texts.clear()
      texts.set(entry.id, experience)
    }
    return { experience, standing: standingOf(entry) }
  }
}

/** A pinned experience that no search found near. */
const unscored = (id: string, vector: Float32Array, near: number | null): FusedHit => ({
  id,
  score: 0,
  textScore: null,
  semanticScore: null,
  bm25: null,
  cosine: near,
  vector,
})

/** The part of an experience that is searched: pi is the embedding of its question. */
const rowOf = (experience: Experience, goneAt: string | null): Indexable => ({
  id: experience.id,
  state: experience.question,
  environment: experience.meta.domain,
  reward: experience.meta.outcome === 'success' ? 1 : 0,
  createdAt: experience.createdAt,
  deletedAt: goneAt,
})

/** The experiences that events speak of. */
const idsOf = (events: readonly ExperienceEvent[]): Set<string> =>
  new Set(
    events.map((event) => (event.kind === 'experience-added' ? event.experience.id : event.experienceId)),
  )
