import initSqlJs from 'sql.js'
import type { ForeignDatabase } from '../../../../../core/memory/experiences/import/log'
import { withLog } from './sqlite-log'

/** Where a database says that a log of changes belongs to it, and what it says without one. */
const READ_VERSION = 18
const WRITE_VERSION = 19
const NO_LOG = 1

/** A database of SQLite, with the changes of the log beside it, in memory. @throws Error in words */
export async function openSqlite(bytes: Uint8Array, log: Uint8Array | null): Promise<ForeignDatabase> {
  const whole = log === null ? bytes.slice() : withLog(bytes, log)
  whole[READ_VERSION] = NO_LOG
  whole[WRITE_VERSION] = NO_LOG
  const { Database } = await initSqlJs()
  const database = new Database(whole)
  const rows = function* (sql: string, values: readonly string[] = []): Generator<Record<string, unknown>> {
    const statement = database.prepare(sql, [...values])
    try {
      while (statement.step()) yield statement.getAsObject()
    } finally {
      statement.free()
    }
  }
  // A view may stand for more rows than there are.
  const tables = [...rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`)].map(({ name }) =>
    String(name),
  )
  return { tables, rows, close: () => database.close() }
}
