import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ImportReport } from '../../shared/domain/format'
import type {
  MemoryChange,
  MemoryItem,
  MemoryListQuery,
  MemoryMark,
  MemoryPage,
  MemoryRecall,
  MemoryRef,
  MemoryRow,
  MemoryUndoStep,
  MemoryValues,
} from '../../shared/domain/memory-item'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { createSpaceList, type SpaceList } from './space-list'

export interface MemoryFilters extends Pick<
  MemoryListQuery,
  'text' | 'environment' | 'mark' | 'state' | 'sort' | 'tag' | 'items' | 'at'
> {
  /** Null for all kinds. */
  readonly kind: string | null
  /** What the chosen items are about; null where they are not chosen by that. */
  readonly topic: string | null
}

export const NO_MEMORY_FILTERS: MemoryFilters = {
  kind: null,
  text: '',
  environment: null,
  mark: null,
  state: 'live',
  sort: 'newest',
  tag: null,
  items: null,
  at: null,
  topic: null,
}

/** What came of a change: how to take it back, or why it was refused. */
export type Changed =
  { readonly undo: readonly MemoryUndoStep[]; readonly problem: null } | { readonly problem: LoamErrorShape }

export interface MemoryState extends SpaceList<MemoryRow, MemoryFilters, MemoryItem> {
  /** Items of each kind in the whole space. */
  readonly counts: MemoryPage['counts']
  readonly environments: readonly string[]
  readonly tags: MemoryPage['tags']
  readonly span: MemoryPage['span']
  /** Items that are chosen to be changed together; null while one is looked at at a time. */
  readonly picked: readonly MemoryRow[] | null
  /** The attempts the open item was shown to; null until asked for. */
  readonly recalls: readonly MemoryRecall[] | null
  readonly recallsProblem: LoamErrorShape | null

  show(ref: MemoryRef | null): Promise<void>
  loadRecalls(): Promise<void>
  edit(ref: MemoryRef, values: MemoryValues): Promise<Changed>
  mark(ref: MemoryRef, mark: MemoryMark | null): Promise<Changed>
  remove(ref: MemoryRef): Promise<Changed>
  restore(ref: MemoryRef): Promise<Changed>
  undo(steps: readonly MemoryUndoStep[]): Promise<Changed>
  /** Chooses an item, or no longer; null ends choosing, an empty list begins it. */
  pick(row: MemoryRow): void
  setPicked(rows: readonly MemoryRow[] | null): void
  /** Makes changes to several items at once. */
  apply(steps: readonly MemoryUndoStep[]): Promise<Changed>
  merge(items: readonly MemoryRef[], values: MemoryValues): Promise<Changed>
  /** Reads items in; resolves to what came of it. */
  readIn(text: string): Promise<ImportReport | null>
}

export type MemoryStore = StoreApi<MemoryState>

const NOTHING_ABOUT = { recalls: null, recallsProblem: null } as const

/** Everything one space remembers, of all kinds, as a list of any length with one item open. */
export function createMemoryStore(client: LoamClient): MemoryStore {
  return createStore<MemoryState>()((set, get) => {
    const { list, about } = createSpaceList<MemoryState, MemoryPage>(set, get, {
      idOf: ({ kind, id }) => `${kind}:${id}`,
      read: (spaceId, { kind, topic: _topic, ...filters }, offset, limit) =>
        client.memory.list({ spaceId, ...filters, kinds: kind === null ? null : [kind], offset, limit }),
      keep: ({ counts, environments, tags, span }) => ({ counts, environments, tags, span }),
      // What is open may have changed with what is listed, or gone.
      async beside() {
        const { spaceId, open } = get()
        if (spaceId === null || open === null) return
        const { kind, id } = open
        const item = await client.memory.get({ spaceId, kind, id }).catch(() => null)
        const now = get()
        if (item && now.spaceId === spaceId && now.open?.kind === kind && now.open.id === id)
          set({ open: item })
      },
      filters: NO_MEMORY_FILTERS,
      filtersElsewhere: { environment: null, tag: null, items: null, at: null, topic: null },
      empty: { ...NOTHING_ABOUT, counts: [], environments: [], tags: [], span: null, picked: null },
    })

    /** Makes a change, shows what became of the item, and reads the list again. */
    async function change(make: (spaceId: string) => Promise<MemoryChange>): Promise<Changed> {
      const { spaceId, open } = get()
      if (!spaceId) return { undo: [], problem: null }
      try {
        const { item, undo } = await make(spaceId)
        // What was open stays open: an edited experience is a new item.
        if (open?.kind === item.kind) set({ open: item })
        void list.reload()
        return { undo, problem: null }
      } catch (error) {
        return { problem: errorShape(error) }
      }
    }

    return {
      ...list,
      ...NOTHING_ABOUT,
      counts: [],
      environments: [],
      tags: [],
      span: null,
      picked: null,
      setPicked: (picked) => set({ picked }),
      pick: (row) =>
        set(({ picked }) => {
          const others = (picked ?? []).filter(({ kind, id }) => kind !== row.kind || id !== row.id)
          return { picked: others.length < (picked ?? []).length ? others : [...others, row] }
        }),
      apply: (steps) => change((spaceId) => client.memory.apply({ spaceId, steps: [...steps] })),
      merge: (items, values) =>
        change((spaceId) =>
          client.memory.merge({ spaceId, items: items.map(({ kind, id }) => ({ kind, id })), values }),
        ),
      async show(ref) {
        const { spaceId } = get()
        set({ openProblem: null, ...NOTHING_ABOUT })
        if (!ref || !spaceId) {
          set({ open: null })
          return
        }
        try {
          set({ open: await client.memory.get({ spaceId, kind: ref.kind, id: ref.id }) })
        } catch (error) {
          set({ open: null, openProblem: errorShape(error) })
        }
      },
      loadRecalls: () =>
        about(
          (spaceId, { kind, id }) => client.memory.recalls({ spaceId, kind, id }),
          (recalls, recallsProblem) => ({ recalls, recallsProblem }),
        ),
      edit: ({ kind, id }, values) => change((spaceId) => client.memory.edit({ spaceId, kind, id, values })),
      mark: ({ kind, id }, mark) => change((spaceId) => client.memory.mark({ spaceId, kind, id, mark })),
      remove: ({ kind, id }) => change((spaceId) => client.memory.remove({ spaceId, kind, id })),
      restore: ({ kind, id }) => change((spaceId) => client.memory.restore({ spaceId, kind, id })),
      undo: (steps) => change((spaceId) => client.memory.undo({ spaceId, steps: [...steps] })),
      async readIn(text) {
        const { spaceId } = get()
        if (!spaceId) return null
        const read = await client.memory.importText({ spaceId, text })
        await list.reload()
        return read
      },
    }
  })
}
