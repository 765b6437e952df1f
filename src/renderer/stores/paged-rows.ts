import type { LoamErrorShape } from '../../shared/errors'
import { errorShape } from './error-shape'

/** A list of any length, read where it is looked at. */
export interface PagedRows<Row> {
  /** Rows by their place in the list, as far as they were looked at. */
  readonly rows: ReadonlyMap<number, Row>
  readonly total: number
  /** How long the host took for the last page, in ms. */
  readonly ms: number
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: LoamErrorShape | null
}

/** A page as the host gives it. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly ms: number
}

/** A list that nothing was read of. */
export const NO_ROWS = {
  rows: new Map<number, never>(),
  total: 0,
  ms: 0,
  status: 'idle',
  problem: null,
} as const

/** Rows that are read at once. */
export const PAGE = 100

/** Reads the pages of a list that are looked at, each once; answers for an earlier list are dropped. */
export function createPager<Row, P extends Page<Row>>(list: {
  /** Asks for a page; null while there is nothing to ask. */
  readonly read: (offset: number, limit: number) => Promise<P> | null
  readonly get: () => PagedRows<Row>
  readonly put: (change: Partial<PagedRows<Row>>, page?: P) => void
}) {
  let current = 0
  let askedSet = new Set<number>()
  let inView: readonly [number, number] = [0, 0]

  async function readPage(page: number, replace: boolean) {
    const mine = current
    const answer = list.read(page * PAGE, PAGE)
    if (!answer) return
    try {
      const match = await answer
      if (mine !== current) return
      const rows = new Map(replace ? [] : list.get().rows)
      for (const [i, row] of match.rows.entries()) rows.set(page * PAGE + i, row)
      list.put({ rows, total: match.total, ms: match.ms, status: 'ready', problem: null }, match)
    } catch (error) {
      if (mine === current) list.put({ status: 'failed', problem: errorShape(error) })
    }
  }

  /** Makes sure the rows from `first` to `last` are there. */
  function need(first: number, last: number): void {
    inView = [first, last]
    if (list.get().status !== 'ready') return
    const end = Math.min(last, list.get().total - 1)
    for (let page = Math.floor(first / PAGE); page * PAGE <= end; page += 1) {
      if (askedSet.has(page)) continue
      askedSet.add(page)
      void readPage(page, false)
    }
  }

  return {
    need,
    /** The next list begins at its top. */
    toTop: () => void (inView = [0, 0]),
    /** Reads the list anew, where it is looked at. */
    async reload(): Promise<void> {
      current += 1
      list.put({ status: 'loading' })
      const page = Math.floor(inView[0] / PAGE)
      askedSet = new Set([page])
      await readPage(page, true)
      need(...inView)
    },
  }
}

/** Calls `run` at once; however often it is asked for meanwhile, once more after it. So a slow list is read one time after another, and ends at what was asked last. */
export function createPace(run: () => Promise<void>): () => void {
  let isRunning = false
  let isAskedAgain = false
  async function runToLast(): Promise<void> {
    isRunning = true
    do {
      isAskedAgain = false
      await run()
    } while (isAskedAgain)
    isRunning = false
  }
  return () => {
    isAskedAgain = true
    if (!isRunning) void runToLast()
  }
}
