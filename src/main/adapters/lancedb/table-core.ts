import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { SearchCore, type CoreRow } from '../../../core/retrieval/search-core'
import type { VectorRows } from '../../../core/retrieval/vector-rows'
import { LoamError } from '../../../shared/errors'
import { syncFolder } from '../../ground/atomic-file'
import type { CaseRow, CaseTable } from './case-table'
import { readCoreFile, removeCoreFiles, ROW_BUDGET, SPILL, writeCoreFile, type RowsFile } from './core-file'
import type { CaseIndexOptions } from './index-shapes'
import { spilledRows } from './spilled-rows'

/** Rows from which a core is written: fewer are read from the table in no time. */
const LEAST_ROWS = 256
/** Share of the rows that has to be new before a core is written again, while the memory is open and when it closes. */
const GROWTH = { idle: 0.1, close: 0.01 }
/** Rows that are taken in between two pauses. */
const ROWS_AT_ONCE = 24

/** Rows and marks that the table does not have yet. */
interface TableWaiting {
  readonly pending: ReadonlyMap<string, CaseRow>
  readonly marks: ReadonlyMap<string, boolean>
}

/** Reads and writes nothing until it is asked to. */
export function tableCore(
  table: CaseTable,
  { folder, dimension, tuning }: Pick<CaseIndexOptions, 'folder' | 'dimension' | 'tuning'>,
  { pending, marks }: TableWaiting,
) {
  let core: SearchCore | null = null
  let file: RowsFile | null = null
  /** The version of the core that its file has; null without a file. */
  let fileVersion: number | null = null
  /** Whether a file may lie in the folder. */
  let mayLie = true
  /** Settled when the file that is being written is there, or was dropped. */
  let writing: Promise<void> = Promise.resolve()
  /** Rows of the table and those that wait; null until counted. */
  let size: number | null = null

  async function fromFile(): Promise<SearchCore | null> {
    const image = await readCoreFile(folder, dimension)
    if (!image) return null
    if (image.tableVersion !== (await table.version()) && !(await catchUp(image.core, table))) {
      image.close()
      return null
    }
    file = image
    fileVersion = 0
    return image.core
  }

  /** Where the vectors of a large core lie until it is written. */
  async function spill(): Promise<VectorRows | undefined> {
    if ((await count()) * dimension * 4 <= ROW_BUDGET) return undefined
    file?.close()
    file = spilledRows(dimension, join(folder, SPILL))
    return file?.rows
  }

  const count = async (): Promise<number> => (size ??= (await table.count()) + pending.size)

  /** The core, read or made at first; null when there are too many rows. */
  async function open(): Promise<SearchCore | null> {
    if ((await count()) > tuning.exactRows) {
      await letGo()
      return null
    }
    if (core) return core
    const target = (await fromFile()) ?? (await coreOfTable(table, dimension, await spill()))
    for (const row of pending.values()) target.set(coreRow(row))
    for (const [id, deleted] of marks) target.setDeleted(id, deleted)
    return (core = target)
  }

  async function letGo(): Promise<void> {
    await writing
    file?.close()
    core = file = fileVersion = null
  }

  async function removeFile(): Promise<void> {
    await writing
    if (!mayLie) return
    fileVersion = null
    await removeCoreFiles(folder)
    await syncFolder(folder)
    mayLie = false
  }

  async function save(tableVersion: number): Promise<void> {
    const target = core
    if (!target) return
    for (const job = target.tidied(); ;) {
      const { done: isOver, value } = job.next()
      if (isOver === true && !value) return
      if (isOver === true) break
      await pause()
    }
    const { version } = target
    mayLie = true
    const next = await writeCoreFile(folder, target, tableVersion)
    if (!next) return
    if (core !== target || target.version !== version) return next.close()
    file?.close()
    file = next
    fileVersion = version
    target.parts.vectors.rows = next.rows
  }

  return {
    get isOpen(): boolean {
      return core !== null
    },
    /** What a core with every row answers; undefined when there are too many rows. One whose file is damaged is made anew. */
    async search<T>(job: (core: SearchCore) => T): Promise<T | undefined> {
      for (let isFirst = true; ; isFirst = false) {
        const target = await open()
        if (!target) return undefined
        try {
          return job(target)
        } catch (error) {
          if (!isFirst || !(error instanceof LoamError) || error.code !== 'DATA_CORRUPT') throw error
          await letGo()
          await removeFile()
        }
      }
    },
    add(rows: readonly CaseRow[]): void {
      for (const row of rows) core?.set(coreRow(row))
      if (size !== null) size += rows.length
    },
    /** Before rows are taken out of the table or replaced there: an older file would have them as they were. */
    removeFile,
    /** Takes rows out. */
    remove(ids: readonly string[]): void {
      for (const id of ids) core?.remove(id)
      size = null
    },
    /** Puts rows in the place of those with their ids. */
    replace(rows: readonly CaseRow[]): void {
      for (const row of rows) core?.set(coreRow(row))
      size = null
    },
    setDeleted: (id: string, deleted: boolean): void => core?.setDeleted(id, deleted),
    /**
     * Writes a core where enough is new, beside searches; when nothing waits to be written. While the memory is open one is made for it. Dropped when rows come
     * meanwhile, and when the disk refuses: it is made of the table alone. `end` is settled when it is there.
     */
    async save(occasion: keyof typeof GROWTH): Promise<{ readonly end: Promise<void> }> {
      await writing
      if (occasion === 'idle' && (await count()) >= LEAST_ROWS) await open()
      const growth = core && fileVersion !== null ? core.version - fileVersion : Infinity
      if (!core || core.size < LEAST_ROWS || pending.size + marks.size > 0) return { end: writing }
      if (growth > core.size * GROWTH[occasion]) writing = save(await table.version()).catch(() => undefined)
      return { end: writing }
    },
    /** Ends what is being written and lets go. */
    close: letGo,
  }
}

const coreRow = ({ id, state, vector, environment, reward, deleted }: CaseRow): CoreRow => ({
  ...{ id, text: state, vector, environment, reward, deleted },
})

/**
 * Brings a core up to date; answers whether it could. While its file lies there rows are only ever added or marked: those that are on both sides say the
 * same, and the others are the last ones of the table.
 */
async function catchUp(core: SearchCore, table: CaseTable): Promise<boolean> {
  const total = await table.count()
  if (total > core.size)
    for await (const row of table.rows(core.size)) if (!core.has(row.id)) core.set(coreRow(row))
  if (total !== core.size) return false
  const deleted = await table.deletedIds()
  for (const id of [...core.deletedIds()]) if (!deleted.has(id)) core.setDeleted(id, false)
  for (const id of deleted) core.setDeleted(id, true)
  return true
}

async function coreOfTable(
  table: CaseTable,
  dimension: number,
  rows: VectorRows | undefined,
): Promise<SearchCore> {
  const core = new SearchCore(dimension)
  if (rows) core.parts.vectors.rows = rows
  let count = 0
  for await (const row of table.rows()) {
    core.set(coreRow(row))
    if (++count % ROWS_AT_ONCE === 0) await pause()
  }
  return core
}
