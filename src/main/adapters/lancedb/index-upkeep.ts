import type { createSerial } from '../../../shared/serial'
import type { CaseRow, CaseTable } from './case-table'
import { writeIndexNote } from './index-note'
import type { CaseIndexOptions } from './index-shapes'

/** How long files of older versions stay when others may be reading. */
const GRACE_MS = 60_000
/** Share of a large table that may be beyond its full-text index while rows keep coming; each round reads the whole index. */
const UNINDEXED_SHARE = 0.1

/** Share of a table that waits for being written, where that is more than `pendingRows`, and at most: a table of many small pieces opens slowly. */
const PENDING_SHARE = 1 / 16
const MOST_PENDING = 2048
/** Rows that put off optimizing by one write: it holds every row in memory and writes all of them again. */
const ROWS_PER_WRITE = 1024

/** Writes to a table late and together, and keeps its own indexes from falling behind. */
export function indexUpkeep(
  table: CaseTable,
  options: Pick<CaseIndexOptions, 'folder' | 'note' | 'tuning'>,
  serial: ReturnType<typeof createSerial>,
  /** What else is done once nothing was asked for a while; all is written then. */
  onIdle: () => Promise<void>,
) {
  const { tuning } = options
  const caseRowMap = new Map<string, CaseRow>()
  const marks = new Map<string, boolean>()
  let writes = 0
  /** Rows that wait until they are written. */
  let fullSize = tuning.pendingRows
  /** LanceDB rows not yet in the full-text index; null until asked. */
  let unindexed: number | null = null
  let working: Promise<void> | null = null
  let idle: NodeJS.Timeout | null = null
  let isEnded = false

  /** Writes what waits. */
  async function flush(): Promise<void> {
    if (caseRowMap.size === 0 && marks.size === 0) return
    if (caseRowMap.size > 0) await table.add([...caseRowMap.values()])
    const writtenCount = caseRowMap.size + marks.size
    caseRowMap.clear()
    for (const deleted of [true, false]) {
      const ids = [...marks].filter(([, mark]) => mark === deleted).map(([id]) => id)
      if (ids.length > 0) await table.setDeleted(ids, deleted)
    }
    marks.clear()
    if (unindexed !== null) unindexed += writtenCount
    writes++
    await writeIndexNote(options.folder, options.note())
    const rows = await table.count()
    fullSize = Math.max(tuning.pendingRows, Math.min(MOST_PENDING, rows * PENDING_SHARE))
    if (rows <= tuning.exactRows) {
      if (writes >= tuning.writesPerOptimize + rows / ROWS_PER_WRITE) await optimize()
    } else if ((await getWaitingCount()) > Math.max(tuning.unindexedRows, rows * UNINDEXED_SHARE)) keepUp()
  }

  const getWaitingCount = async (): Promise<number> => (unindexed ??= await table.unindexed())

  async function optimize(): Promise<void> {
    await working
    if ((await table.count()) > tuning.exactRows) await indexWords()
    await table.optimize(0)
    writes = 0
  }

  async function indexWords(): Promise<void> {
    if ((await getWaitingCount()) === 0) return
    await table.indexWords()
    unindexed = 0
  }

  /** Optimizes beside reads and writes. Nothing is lost when LanceDB refuses because of a write: the next occasion asks again. */
  function keepUp(): void {
    working ??= table
      .optimize(GRACE_MS)
      .catch(() => undefined)
      .then(() => {
        unindexed = null
        writes = 0
        working = null
      })
  }

  /** Before words are searched in the table: what is not in its index yet is read row by row, and indexed in the background. */
  async function ready(): Promise<void> {
    await flush()
    if (!(await table.hasWords())) {
      await working
      await table.indexWords()
      unindexed = 0
    } else if ((await getWaitingCount()) > 0 && idle === null) touch()
  }

  /** Has what waits be written once nothing was asked for a while. */
  function touch(): void {
    if (idle) clearTimeout(idle)
    if (tuning.idleMs === 0 || isEnded) return
    idle = setTimeout(() => {
      idle = null
      // Nothing is lost when this fails: rows stay pending and the next read or write meets the error.
      serial(async () => {
        if (isEnded) return
        await flush()
        if ((await table.count()) > tuning.exactRows && (await getWaitingCount()) > tuning.unindexedRows)
          keepUp()
        await onIdle()
      }).catch(() => undefined)
    }, tuning.idleMs)
    idle.unref()
  }

  return {
    /** Rows, and marks of rows, that wait to be written. */
    pending: caseRowMap,
    marks,
    /** Whether so many rows wait that they are to be written. */
    get full(): boolean {
      return caseRowMap.size >= fullSize
    },
    get ended(): boolean {
      return isEnded
    },
    /** Counts a write that went past it. */
    wrote: () => void writes++,
    touch,
    flush,
    ready,
    optimize,
    /** Writes what waits and ends; where that fails it has ended all the same. */
    async end() {
      if (idle) clearTimeout(idle)
      try {
        await flush()
        await working
      } finally {
        isEnded = true
      }
    },
  }
}
