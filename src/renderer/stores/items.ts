import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  ItemChange,
  ItemDetails,
  ItemQuery,
  ItemMark,
  ItemMatch,
  ItemPage,
  ItemRecall,
  ItemRef,
  ItemRow,
  ItemStep,
  ItemValues,
  ItemVersion,
} from '../../shared/domain/item'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { createMemoryList, type MemoryList } from './memory-list'

export interface ItemFilters extends Pick<
  ItemQuery,
  'text' | 'mode' | 'alpha' | 'environment' | 'mark' | 'state' | 'sort' | 'tag' | 'items' | 'at' | 'where'
> {
  /** Null for all kinds. */
  readonly kind: string | null
  /** What the chosen items are about; null where they are not chosen by that. */
  readonly topic: string | null
}

export const NO_ITEM_FILTERS: ItemFilters = {
  kind: null,
  text: '',
  mode: 'text',
  alpha: 0.5,
  where: {},
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
  { readonly undo: readonly ItemStep[]; readonly problem: null } | { readonly problem: LoamErrorShape }

export interface ItemsState extends MemoryList<ItemRow, ItemFilters, ItemDetails> {
  /** Items of each kind in the whole memory. */
  readonly counts: ItemPage['counts']
  readonly environments: readonly string[]
  readonly tags: ItemPage['tags']
  readonly span: ItemPage['span']
  /** What items of the chosen kind can be told apart by. */
  readonly facets: ItemPage['facets']
  /** Why the open item was found; null where it was not searched for. */
  readonly openMatch: ItemMatch | null
  /** How the open item read, oldest first; null until asked for. */
  readonly versions: readonly ItemVersion[] | null
  readonly versionsProblem: LoamErrorShape | null
  /** Items that are chosen to be changed together; null while one is looked at at a time. */
  readonly picked: readonly ItemRow[] | null
  /** The attempts the open item was shown to; null until asked for. */
  readonly recalls: readonly ItemRecall[] | null
  readonly recallsProblem: LoamErrorShape | null

  show(ref: ItemRef | null): Promise<void>
  loadRecalls(): Promise<void>
  loadVersions(): Promise<void>
  edit(ref: ItemRef, values: ItemValues): Promise<Changed>
  mark(ref: ItemRef, mark: ItemMark | null): Promise<Changed>
  remove(ref: ItemRef): Promise<Changed>
  restore(ref: ItemRef): Promise<Changed>
  undo(steps: readonly ItemStep[]): Promise<Changed>
  /** Chooses an item, or no longer; null ends choosing, an empty list begins it. */
  pick(row: ItemRow): void
  setPicked(rows: readonly ItemRow[] | null): void
  /** Makes changes to several items at once. */
  apply(steps: readonly ItemStep[]): Promise<Changed>
  merge(items: readonly ItemRef[], values: ItemValues): Promise<Changed>
  /** Puts items into another memory, or copies them there. */
  move(items: readonly ItemRef[], toMemoryId: string, copy: boolean): Promise<Changed>
}

export type ItemsStore = StoreApi<ItemsState>

const NOTHING_ABOUT = {
  recalls: null,
  recallsProblem: null,
  versions: null,
  versionsProblem: null,
  openMatch: null,
} as const

/** Everything one memory remembers, of all kinds, as a list of any length with one item open. */
export function createItemsStore(client: LoamClient): ItemsStore {
  return createStore<ItemsState>()((set, get) => {
    const { list, about } = createMemoryList<ItemsState, ItemPage>(set, get, {
      idOf: ({ kind, id }) => `${kind}:${id}`,
      read: (memoryId, { kind, topic: _topic, ...filters }, offset, limit) =>
        client.items.list({ memoryId, ...filters, kinds: kind === null ? null : [kind], offset, limit }),
      keep: ({ counts, environments, tags, span, facets }) => ({ counts, environments, tags, span, facets }),
      // What is open may have changed with what is listed, or gone.
      async beside() {
        const { memoryId, open } = get()
        if (memoryId === null || open === null) return
        const { kind, id } = open
        const item = await client.items.show({ memoryId, kind, id }).catch(() => null)
        const now = get()
        if (item && now.memoryId === memoryId && now.open?.kind === kind && now.open.id === id)
          set({ open: item })
      },
      filters: NO_ITEM_FILTERS,
      filtersElsewhere: { environment: null, tag: null, items: null, at: null, topic: null, where: {} },
      empty: {
        ...NOTHING_ABOUT,
        counts: [],
        environments: [],
        tags: [],
        span: null,
        facets: [],
        picked: null,
      },
    })

    /** Makes a change, shows what became of the item, and reads the list again. */
    async function change(make: (memoryId: string) => Promise<ItemChange>): Promise<Changed> {
      const { memoryId, open } = get()
      if (!memoryId) return { undo: [], problem: null }
      try {
        const { item, undo } = await make(memoryId)
        // What was open stays open: an edited experience is a new item.
        if (open?.kind === item.kind) set({ open: item, versions: null })
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
      facets: [],
      picked: null,
      setPicked: (picked) => set({ picked }),
      pick: (row) =>
        set(({ picked }) => {
          const others = (picked ?? []).filter(({ kind, id }) => kind !== row.kind || id !== row.id)
          return { picked: others.length < (picked ?? []).length ? others : [...others, row] }
        }),
      apply: (steps) => change((memoryId) => client.items.apply({ memoryId, steps: [...steps] })),
      merge: (items, values) =>
        change((memoryId) =>
          client.items.merge({ memoryId, items: items.map(({ kind, id }) => ({ kind, id })), values }),
        ),
      async show(ref) {
        const { memoryId, rows } = get()
        const isSame = (row: ItemRow): boolean => row.kind === ref?.kind && row.id === ref.id
        const openMatch = [...rows.values()].find(isSame)?.match ?? null
        set({ openProblem: null, ...NOTHING_ABOUT, openMatch })
        if (!ref || !memoryId) {
          set({ open: null })
          return
        }
        try {
          set({ open: await client.items.show({ memoryId, kind: ref.kind, id: ref.id }) })
        } catch (error) {
          set({ open: null, openProblem: errorShape(error) })
        }
      },
      loadRecalls: () =>
        about(
          (memoryId, { kind, id }) => client.items.recalls({ memoryId, kind, id }),
          (recalls, recallsProblem) => ({ recalls, recallsProblem }),
        ),
      loadVersions: () =>
        about(
          (memoryId, { kind, id }) => client.items.history({ memoryId, kind, id }),
          (versions, versionsProblem) => ({ versions, versionsProblem }),
        ),
      move: (items, toMemoryId, copy) =>
        change((memoryId) =>
          client.items.move({
            ...{ memoryId, toMemoryId, copy },
            items: items.map(({ kind, id }) => ({ kind, id })),
          }),
        ),
      edit: ({ kind, id }, values) => change((memoryId) => client.items.edit({ memoryId, kind, id, values })),
      mark: ({ kind, id }, mark) => change((memoryId) => client.items.mark({ memoryId, kind, id, mark })),
      remove: ({ kind, id }) => change((memoryId) => client.items.delete({ memoryId, kind, id })),
      restore: ({ kind, id }) => change((memoryId) => client.items.restore({ memoryId, kind, id })),
      undo: (steps) => change((memoryId) => client.items.undo({ memoryId, steps: [...steps] })),
    }
  })
}
