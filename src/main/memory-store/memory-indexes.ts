import { join } from 'node:path'
import type { Embedder } from '../../core/ground/ports'
import type { MemoryEvent } from '../../core/memory/events'
import { keptItems } from '../../core/memory/kept-items'
import { EXPERIENCE_KIND } from '../../core/memory/experiences/fold'
import { curatedOf } from '../../core/memory/items/curated'
import { PASSAGE_KIND } from '../../core/memory/passages/passage'
import { rebuildIndex, toRows, type BuildOptions } from '../adapters/lancedb/build-index'
import {
  INDEX_TUNING,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
} from '../adapters/lancedb/case-index'
import { experienceStore } from './experience-store'
import { openIndex } from '../adapters/lancedb/open-index'
import { passageIndex } from '../adapters/lancedb/passage-index'
import { textIndexes } from '../adapters/lancedb/text-indexes'
import type { MemoryJournal } from './memory-journal'

export interface MemoryIndexesOptions extends BuildOptions {
  /** The memory's folder. */
  readonly folder: string
  readonly embedder: Embedder
  readonly tuning?: Partial<IndexTuning>
  /** Hears of everything that is asked of one of them. */
  readonly onUse?: () => void
}

/** Whether an event may change what learned texts say, or which there are. */
const concernsTexts = ({ kind }: MemoryEvent): boolean =>
  /^(?:memory|item|note)-/.test(kind) && kind !== 'item-reported'

/** Opens the index of cases, brought up to date; the others are opened when they are first asked. */
export async function openMemoryIndexes(message: MemoryJournal, options: MemoryIndexesOptions) {
  const { state, caseById } = message
  const { folder, onUse } = options
  const tuning = { ...INDEX_TUNING, ...options.tuning }
  let embedder = options.embedder
  const common = { folder, embedder: () => embedder, appliedSeq: () => message.appliedSeq, tuning, onUse }
  const experiences = experienceStore({
    ...common,
    entries: state.experiences,
    curated: curatedOf(state.curated, EXPERIENCE_KIND),
    read: ({ at }) => message.readAt(at),
  })
  const read = (id: string) => message.items.byId(id)
  const texts = textIndexes({ ...common, entries: state.items, curated: state.curated, read })
  const passages = passageIndex({
    ...{ index: texts.of(PASSAGE_KIND), curated: curatedOf(state.curated, PASSAGE_KIND), read },
    embedder: common.embedder,
  })

  const indexOptions = (): CaseIndexOptions => ({
    folder: join(folder, 'lance'),
    dimension: embedder.dimension,
    createdAt: (id) => state.cases.get(id)?.createdAt ?? null,
    note: () => ({
      format: 4,
      embedder: { id: embedder.id, dimension: embedder.dimension },
      appliedSeq: message.appliedSeq,
      cases: state.live,
      items: keptItems(state),
      trajectories: state.trajectories.size,
    }),
    tuning,
    onUse,
  })
  const cases = { entries: state.cases, corrected: state.curation.corrections, read: caseById }
  const openedIndex = await openIndex(indexOptions(), cases, embedder, options)
  let index: Promise<CaseIndex> = Promise.resolve(openedIndex.index)

  return {
    get embedder(): Embedder {
      return embedder
    },
    rebuilt: openedIndex.rebuilt,
    caughtUp: openedIndex.caughtUp,
    experiences,
    passages,
    texts,
    /** The one of the cases. */
    index: (): Promise<CaseIndex> => index,
    /**
     * Embeds what a commit brings, before it is journaled: a faulty encoder must leave no half-made commit. Call what comes back once
     * the commit is journaled and folded.
     */
    async prepare(events: readonly MemoryEvent[]): Promise<() => Promise<void>> {
      const additions = events.flatMap((event) => (event.kind === 'case-added' ? [event.case] : []))
      const rows = await toRows(additions, embedder)
      const corrected = await toRows(await message.cases.corrected(events), embedder)
      const indexExperiences = await experiences.prepare(events)
      return async () => {
        const target = await index
        if (rows.length > 0) await target.add(rows)
        if (corrected.length > 0) await target.replace(corrected)
        for (const event of events) {
          if (event.kind === 'case-deleted') await target.setDeleted(event.caseId, true)
          if (event.kind === 'case-restored') await target.setDeleted(event.caseId, false)
        }
        await indexExperiences()
        if (events.some(concernsTexts)) texts.touch()
      }
    },
    /** Makes them anew, with another embedder when one is given. Cancelled, the old ones stay. */
    async reindex(build: BuildOptions & { readonly embedder?: Embedder }): Promise<void> {
      const before = embedder
      const old = await index
      embedder = build.embedder ?? embedder
      let next: Promise<CaseIndex> | null = null
      let settle: (value: Promise<CaseIndex>) => void = () => undefined
      const swap = async (): Promise<void> => {
        // From here on readers wait for the new index.
        index = new Promise((resolveIndex) => (settle = resolveIndex))
        await old.close().catch(() => undefined)
      }
      try {
        next = rebuildIndex(indexOptions(), [...state.cases.keys()], caseById, embedder, swap, build)
        await next
        index = next
        await experiences.reindex(build)
        await texts.reindex(build)
      } catch (error) {
        embedder = before
        throw error
      } finally {
        if (next) settle(next)
      }
    },
    async tidy(): Promise<void> {
      await (await index).tidy()
      await experiences.tidy()
      await texts.tidy()
    },
    /** Lets them close their tables until they are asked again. */
    async rest(): Promise<void> {
      await (await index).rest()
      await experiences.rest()
      await texts.rest()
    },
    /** How each of them is closed; one that fails keeps none of the others open. */
    closing: [
      async () => (await index).close(),
      () => experiences.close(),
      () => texts.close(),
    ] as const satisfies readonly (() => Promise<unknown>)[],
  }
}
