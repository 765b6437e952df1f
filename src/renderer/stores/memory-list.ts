import type { StoreApi } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'
import { errorShape, refusalOf } from './error-shape'
import { createPager, createPause, NO_ROWS, type Page, type PagedRows } from './paged-rows'

/** Records of one memory that pass a filter, read where they are looked at, with one of them open. */
export interface MemoryList<Row, Filters, Open> extends PagedRows<Row> {
  readonly memoryId: string | null
  readonly filters: Filters
  /** The record in the detail pane; it need not be in the list. */
  readonly open: Open | null
  readonly openProblem: LoamErrorShape | null

  /** Looks into a memory, again if it is the same one; keeps the filters. */
  enter(memoryId: string): void
  filter(change: Partial<Filters>): void
  /** Reads the list again, and what stands beside it. */
  reload(): Promise<void>
  /** Makes sure the rows from `first` to `last` are there. */
  need(first: number, last: number): void
}

/** Any such list, whatever its records are. */
type AnyList = MemoryList<unknown, object, unknown>
type RowOf<S extends AnyList> = S['rows'] extends ReadonlyMap<number, infer Row> ? Row : never
type OpenOf<S extends AnyList> = NonNullable<S['open']>

/** What a list of records has of its own. */
export interface MemoryListPlan<S extends AnyList, P extends Page<RowOf<S>>> {
  readonly read: (memoryId: string, filters: S['filters'], offset: number, limit: number) => Promise<P>
  /** What else of a page is kept. Default: nothing. */
  readonly keep?: (page: P) => Partial<S>
  /** What belongs to one memory or to the open record, besides the rows: as it is before anything is read. */
  readonly empty: Partial<S>
  readonly filters: S['filters']
  /** What a filter becomes in another memory, where other values occur. Default: it stays. */
  readonly filtersElsewhere?: Partial<S['filters']>
  readonly idOf: (open: OpenOf<S>) => string
  /** Reads what stands beside the list. Default: nothing. */
  readonly beside?: () => Promise<void>
}

/**
 * The state and the actions that lists of records share, to be spread into a store, and two helpers for the actions it
 * adds: `change` makes a change and reads the list again, `about` reads something of the open record.
 */
export function createMemoryList<S extends AnyList, P extends Page<RowOf<S>> = Page<RowOf<S>>>(
  set: StoreApi<S>['setState'],
  get: () => S,
  plan: MemoryListPlan<S, P>,
) {
  // Parts of the state that every such list has; TypeScript cannot see that of a type it does not know.
  const put = (part: object) => set(part as Partial<S>)
  const pager = createPager<RowOf<S>, P>({
    read: (offset, limit) => {
      const { memoryId, filters } = get()
      return memoryId === null ? null : plan.read(memoryId, filters, offset, limit)
    },
    get: get as () => S & PagedRows<RowOf<S>>,
    put: (rows, page) => put({ ...(page && plan.keep?.(page)), ...rows }),
  })
  const reload = async () => {
    await Promise.all([pager.reload(), plan.beside?.()])
  }
  const readSoon = createPause(() => void pager.reload())
  return {
    list: {
      ...NO_ROWS,
      memoryId: null,
      filters: plan.filters,
      open: null,
      openProblem: null,
      enter(memoryId: string) {
        if (get().memoryId !== memoryId) {
          pager.toTop()
          const filters = { ...get().filters, ...plan.filtersElsewhere }
          put({ ...NO_ROWS, ...plan.empty, memoryId, filters, open: null, openProblem: null })
        }
        void reload()
      },
      filter(target: Partial<S['filters']>) {
        put({ filters: { ...get().filters, ...target } })
        pager.toTop()
        readSoon('text' in target)
      },
      reload,
      need: pager.need,
    },
    /** Makes a change in the open memory and reads the list again. Resolves to why it was refused, or to null. */
    async change(make: (memoryId: string) => Promise<unknown>): Promise<LoamErrorShape | null> {
      const { memoryId } = get()
      if (memoryId === null) return null
      const refusal = await refusalOf(make(memoryId))
      if (refusal === null) await reload()
      return refusal
    },
    /** Asks something about the open record; what comes once another one is open is dropped. */
    async about<T>(
      ask: (memoryId: string, open: OpenOf<S>) => Promise<T>,
      answered: (match: T | null, problem: LoamErrorShape | null) => Partial<S>,
    ): Promise<void> {
      const { memoryId, open: request } = get()
      if (memoryId === null || request === null) return
      const open = request as OpenOf<S>
      const give = (match: T | null, problem: LoamErrorShape | null) => {
        const now = get().open
        if (now !== null && plan.idOf(now as OpenOf<S>) === plan.idOf(open)) set(answered(match, problem))
      }
      await ask(memoryId, open).then(
        (match) => give(match, null),
        (error: unknown) => give(null, errorShape(error)),
      )
    },
  }
}
