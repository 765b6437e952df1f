import type { CaseFilter, MemoryStore } from '../../ground/ports'
import { CASE_KIND } from '../cases/kind'
import { DOCUMENT_KIND } from '../guides/fold'
import { EXPERIENCE_KIND } from '../experiences/fold'
import { PASSAGE_KIND } from '../passages/passage'
import { ATTEMPT, idsOutside, intoProject, isHeld, isOutside, itemAdded } from './projects'

/** By memory, then by project: learners hold on to the bank they follow. */
const scoped = new WeakMap<MemoryStore, Map<string | null, MemoryStore>>()

/**
 * A memory as a project sees it (null: what is of no project): it recalls the items of the project and those that all projects share, never
 * another project's, and what is committed through it belongs to the project. What is learned about recall itself (values, calibration)
 * is the whole memory's.
 */
export function scopedBank<B extends MemoryStore>(bank: B, project: string | null): B {
  const storeMap = scoped.get(bank) ?? new Map<string | null, MemoryStore>()
  scoped.set(bank, storeMap)
  const before = storeMap.get(project)
  if (before) return before as B
  // The rest, and what changes with time such as the embedder, is the memory's own.
  const product = Object.assign(Object.create(bank) as B, partsOf(bank, project))
  Object.defineProperty(product, 'concepts', { get: () => conceptsOf(bank, project) })
  storeMap.set(project, product)
  return product
}

function partsOf(bank: MemoryStore, project: string | null): Partial<MemoryStore> {
  const { state } = bank.memorySource ?? {}
  if (!state) throw new Error('Only a memory whose items are at hand has projects.')
  const { curated } = state
  return {
    ...narrowedParts(bank, {
      has: (kind, id) => !isOutside(curated, kind, id, project),
      outside: (kind) => idsOutside(curated, kind, project),
    }),
    async commit(events) {
      const additions = events.flatMap((event) => itemAdded(event) ?? [])
      const fresh = project === null ? [] : additions.filter((item) => !isHeld(state, item))
      await bank.commit([...events, ...fresh.flatMap((item) => intoProject([item], project, item.at))])
    },
  }
}

/** Which items of a memory a part of it has. */
export interface PartOfMemory {
  has(kind: string, id: string): boolean
  /** Ids of the items of a kind that it does not have. */
  outside(kind: string): ReadonlySet<string>
}

/** A memory that recalls the items of a part of it alone; it is read only. */
export const narrowedBank = <B extends MemoryStore>(bank: B, part: PartOfMemory): B =>
  Object.assign(Object.create(bank) as B, narrowedParts(bank, part), {
    commit: () => Promise.reject(new Error('A part of a memory that is looked at is not written to.')),
  })

function narrowedParts(bank: MemoryStore, part: PartOfMemory): Partial<MemoryStore> {
  const isIn = (kind: string, id: string): boolean => part.has(kind, id)
  const outside = (kind: string): ReadonlySet<string> => part.outside(kind)
  const { experiences, passages, texts } = bank
  const own = (filter: CaseFilter = {}): CaseFilter => ({
    ...filter,
    accepts: (id) => isIn(CASE_KIND, id) && (filter.accepts?.(id) ?? true),
  })
  return {
    recalls: ({ kind, id }) => isIn(kind, id),
    nearest: (vector, k, filter) => bank.nearest(vector, k, own(filter)),
    search: (text, k, filter) => bank.search(text, k, own(filter)),
    find: (text, vector, k, filter) => bank.find(text, vector, k, own(filter)),
    async get(caseId) {
      return isIn(CASE_KIND, caseId) ? bank.get(caseId) : null
    },
    async items(kind, { newest, ...filter } = {}) {
      const itemOfs = (await bank.items(kind, filter)).filter(({ id }) => isIn(kind, id))
      return itemOfs.slice(Math.max(0, itemOfs.length - (newest ?? itemOfs.length)))
    },
    async recentSuccesses(limit, filter) {
      const matches = await bank.recentSuccesses(limit + outside(ATTEMPT).size, filter)
      return matches.filter(({ id }) => isIn(ATTEMPT, id)).slice(0, limit)
    },
    experiences: {
      search: (query, options) =>
        experiences.search(
          { ...query, except: new Set([...(query.except ?? []), ...outside(EXPERIENCE_KIND)]) },
          options,
        ),
      async nearest(vector, k) {
        const matches = await experiences.nearest(vector, k + outside(EXPERIENCE_KIND).size)
        return matches.filter(({ id }) => isIn(EXPERIENCE_KIND, id)).slice(0, k)
      },
      get: (id) => experiences.get(id),
      *entries() {
        for (const entry of experiences.entries()) if (isIn(EXPERIENCE_KIND, entry.id)) yield entry
      },
    },
    passages: {
      search: (text, k, options) =>
        passages.search(text, k, { ...options, accepts: (id) => isIn(PASSAGE_KIND, id) }),
      ready: (options) => passages.ready(options),
    },
    ...(texts && {
      texts: {
        near: (kind, text, k, options) =>
          texts.near(kind, text, k, { ...options, accepts: (id) => isIn(kind, id) }),
        ready: (options) => texts.ready(options),
      },
    }),
  }
}

/** Advice as a project sees it: documents of other projects are not read. */
function conceptsOf(bank: MemoryStore, project: string | null): MemoryStore['concepts'] {
  const { concepts, memorySource } = bank
  const mask = memorySource ? idsOutside(memorySource.state.curated, DOCUMENT_KIND, project) : new Set()
  if (mask.size === 0) return concepts
  return { ...concepts, standings: new Map([...concepts.standings].filter(([id]) => !mask.has(id))) }
}
