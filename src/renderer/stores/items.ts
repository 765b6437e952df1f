import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type {
  ItemChange,
  ItemDetails,
  ItemQuery,
  ItemMatch,
  ItemPage,
  ItemRef,
  ItemRow,
  ItemStep,
} from '../../shared/domain/item'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape, refusalOf } from './error-shape'
import { createPager, createPace, NO_ROWS, PAGE, type PagedRows } from './paged-rows'

/** Items that are chosen to be changed together, at most. */
export const MOST_PICKED = 1000

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
  | { readonly undo: readonly ItemStep[]; readonly problem: null }
  | { readonly problem: LoamErrorShape }

export interface ItemsData
  extends PagedRows<ItemRow>, Pick<ItemPage, 'counts' | 'environments' | 'tags' | 'span' | 'facets'> {
  readonly memoryId: string | null
  readonly filters: ItemFilters
  /** The item in the detail pane; it need not be in the list. */
  readonly open: ItemDetails | null
  readonly openProblem: LoamErrorShape | null
  /** Why the open item was found; null where it was not searched for. */
  readonly openMatch: ItemMatch | null
  /** Items that are chosen to be changed together; null while one is looked at at a time. */
  readonly picked: readonly ItemRow[] | null
}

/** What belongs to one memory, while nothing of it is read. */
const NOTHING: Omit<ItemsData, 'memoryId' | 'filters'> = {
  ...NO_ROWS,
  counts: [],
  environments: [],
  tags: [],
  span: null,
  facets: [],
  open: null,
  openProblem: null,
  openMatch: null,
  picked: null,
}

/** What filters become in another memory, where other values occur; the others stay. */
const ELSEWHERE = { environment: null, tag: null, items: null, at: null, topic: null, where: {} } as const

/** What an item is named by, without all else that is known of it. */
export const refOf = ({ kind, id }: ItemRef): ItemRef => ({ kind, id })
const isSame = (a: ItemRef | null, b: ItemRef | null): boolean => a?.kind === b?.kind && a?.id === b?.id

/** Everything one memory remembers, of all kinds, as a list of any length with one item open. */
export function createItemsStore(client: LoamClient) {
  const start: ItemsData = { ...NOTHING, memoryId: null, filters: NO_ITEM_FILTERS }
  return createStore(
    combine(start, (set, get) => {
      const read = (offset: number, limit: number): Promise<ItemPage> | null => {
        const { memoryId, filters } = get()
        const { kind, topic: _topic, ...others } = filters
        const kinds = kind === null ? null : [kind]
        return memoryId === null ? null : client.items.list({ memoryId, ...others, kinds, offset, limit })
      }
      const pager = createPager<ItemRow, ItemPage>({
        get,
        read,
        put(rows, page) {
          const { counts, environments, tags, span, facets } = page ?? get()
          set({ counts, environments, tags, span, facets, ...rows })
        },
      })
      const readPaced = createPace(pager.reload)

      /** What is open may have changed with what is listed, or gone. */
      async function readOpen(): Promise<void> {
        const { memoryId, open } = get()
        if (memoryId === null || open === null) return
        const item = await client.items.show({ memoryId, ...refOf(open) }).catch(() => null)
        if (item && get().memoryId === memoryId && isSame(get().open, open)) set({ open: item })
      }

      /** Reads the list again, and what is open. */
      const reload = async (): Promise<void> => void (await Promise.all([pager.reload(), readOpen()]))

      /** Makes a change in the open memory, shows what became of the item, and reads the list again. */
      async function change(make: (memoryId: string) => Promise<ItemChange>): Promise<Changed> {
        const { memoryId, open } = get()
        if (!memoryId) return { undo: [], problem: null }
        try {
          const { item, undo } = await make(memoryId)
          // What was open stays open: an edited experience is a new item.
          if (open?.kind === item.kind) set({ open: item })
          void reload()
          return { undo, problem: null }
        } catch (error) {
          return { problem: errorShape(error) }
        }
      }

      return {
        reload,
        /** Makes sure the rows from `first` to `last` are there. */
        need: pager.need,
        /** Looks into a memory, again if it is the same one; keeps the filters. */
        enter(memoryId: string) {
          if (get().memoryId !== memoryId) {
            pager.toTop()
            set({ ...NOTHING, memoryId, filters: { ...get().filters, ...ELSEWHERE } })
          }
          void reload()
        },
        filter(part: Partial<ItemFilters>) {
          set({ filters: { ...get().filters, ...part } })
          pager.toTop()
          readPaced()
        },
        async show(ref: ItemRef | null): Promise<void> {
          const { memoryId, rows } = get()
          const openMatch = [...rows.values()].find((row) => isSame(row, ref))?.match ?? null
          set({ openProblem: null, openMatch })
          if (!ref || !memoryId) return set({ open: null })
          try {
            set({ open: await client.items.show({ memoryId, ...refOf(ref) }) })
          } catch (error) {
            set({ open: null, openProblem: errorShape(error) })
          }
        },
        /** Chooses all that are listed, read or not, at most `MOST_PICKED`; none where the list changes meanwhile. Resolves to the problem, or null. */
        pickAll: () =>
          refusalOf(
            (async () => {
              const { filters } = get()
              const picked: ItemRow[] = []
              for (let total = Infinity; picked.length < Math.min(total, MOST_PICKED);) {
                const page = await read(picked.length, PAGE)
                if (!page || page.rows.length === 0) break
                picked.push(...page.rows)
                ;({ total } = page)
              }
              if (get().filters === filters) set({ picked: picked.slice(0, MOST_PICKED) })
            })(),
          ),
        setPicked: (picked: readonly ItemRow[] | null) => set({ picked }),
        /** Chooses an item, or no longer; null ends choosing, an empty list begins it. */
        pick(row: ItemRow) {
          const picked = get().picked ?? []
          const others = picked.filter((one) => !isSame(one, row))
          set({ picked: others.length < picked.length ? others : [...others, row] })
        },
        change,
      }
    }),
  )
}

export type ItemsState = ReturnType<ReturnType<typeof createItemsStore>['getState']>
