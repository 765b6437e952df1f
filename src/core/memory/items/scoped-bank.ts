import type { MemoryStore } from '../../ground/ports'
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
  const known = scoped.get(bank) ?? new Map<string | null, MemoryStore>()
  scoped.set(bank, known)
  const before = known.get(project)
  if (before) return before as B
  // The rest, and what changes with time such as the embedder, is the memory's own.
  const made = Object.assign(Object.create(bank) as B, partsOf(bank, project))
  Object.defineProperty(made, 'concepts', { get: () => conceptsOf(bank, project) })
  known.set(project, made)
  return made
}

function partsOf(bank: MemoryStore, project: string | null): Partial<MemoryStore> {
  const { state } = bank.memorySource ?? {}
  if (!state) throw new Error('Only a memory whose items are at hand has projects.')
  const { curated } = state
  const isIn = (kind: string, id: string): boolean => !isOutside(curated, kind, id, project)
  const outside = (kind: string): ReadonlySet<string> => idsOutside(curated, kind, project)
  const { experiences, passages } = bank
  return {
    recalls: ({ kind, id }) => isIn(kind, id),
    async commit(events) {
      const added = events.flatMap((event) => itemAdded(event) ?? [])
      const fresh = project === null ? [] : added.filter((item) => !isHeld(state, item))
      await bank.commit([...events, ...fresh.flatMap((item) => intoProject([item], project, item.at))])
    },
    async nearest(vector, k, filter) {
      const found = await bank.nearest(vector, k + outside(CASE_KIND).size, filter)
      return found.filter((one) => isIn(CASE_KIND, one.case.id)).slice(0, k)
    },
    async search(text, k, filter) {
      const found = await bank.search(text, k + outside(CASE_KIND).size, filter)
      return found.filter((one) => isIn(CASE_KIND, one.case.id)).slice(0, k)
    },
    async get(caseId) {
      return isIn(CASE_KIND, caseId) ? bank.get(caseId) : null
    },
    async items(kind, { newest, ...filter } = {}) {
      const found = (await bank.items(kind, filter)).filter(({ id }) => isIn(kind, id))
      return found.slice(Math.max(0, found.length - (newest ?? found.length)))
    },
    async recentSuccesses(limit, filter) {
      const found = await bank.recentSuccesses(limit + outside(ATTEMPT).size, filter)
      return found.filter(({ id }) => isIn(ATTEMPT, id)).slice(0, limit)
    },
    experiences: {
      search: (query, options) =>
        experiences.search(
          { ...query, except: new Set([...(query.except ?? []), ...outside(EXPERIENCE_KIND)]) },
          options,
        ),
      async nearest(vector, k) {
        const found = await experiences.nearest(vector, k + outside(EXPERIENCE_KIND).size)
        return found.filter(({ id }) => isIn(EXPERIENCE_KIND, id)).slice(0, k)
      },
      get: (id) => experiences.get(id),
      *entries() {
        for (const entry of experiences.entries()) if (isIn(EXPERIENCE_KIND, entry.id)) yield entry
      },
    },
    passages: {
      async search(text, k, options) {
        const found = await passages.search(text, k + outside(PASSAGE_KIND).size, options)
        return found.filter(({ passage }) => isIn(PASSAGE_KIND, passage.id)).slice(0, k)
      },
      ready: (options) => passages.ready(options),
    },
  }
}

/** Advice as a project sees it: documents of other projects are not read. */
function conceptsOf(bank: MemoryStore, project: string | null): MemoryStore['concepts'] {
  const { concepts, memorySource } = bank
  const hidden = memorySource ? idsOutside(memorySource.state.curated, DOCUMENT_KIND, project) : new Set()
  if (hidden.size === 0) return concepts
  return { ...concepts, standings: new Map([...concepts.standings].filter(([id]) => !hidden.has(id))) }
}
