import initSqlJs, { type Database } from 'sql.js'
import type { SqlColumnType, SqlEngine, SqlResult, SqlTable, SqlValue } from '../../../core/ground/ports'
import { quoteName, type Catalog } from '../../../core/mysql/query-environment'
import { emitStatement, type EmittedStatement } from '../../../core/mysql/emit-statement'
import { LoamError } from '../../../shared/errors'
import { constraintError, declaredColumn } from '../../../core/mysql/declared-column'
import { groupFunctionMisuse, MySqlError, overBudget } from '../../../core/mysql/errors'
import { filesort, keysBefore } from '../../../core/mysql/filesort'
import { fixed } from '../../../core/mysql/functions'
import { parseStatement } from '../../../core/mysql/parse-statement'
import { registerFunctions, type FunctionState } from './register-functions'
import { splitStatements } from '../../../core/mysql/tokens'
import { declaredType, TEXT, type ValueType } from '../../../core/mysql/types'

export interface SqlJsEngineOptions {
  /** Rows that one call of `execute` may look at before it is stopped. Default 500,000. */
  readonly maxRowsLookedAt?: number
  /** What NOW() and CURDATE() go by, in UTC. Default the system's clock. */
  readonly now?: () => Date
}

interface Pooled {
  readonly db: Database
  readonly state: FunctionState
}

/** A database of the embedded engine, which answers at once. What its members do is said at `SqlSession`. */
export type EmbeddedDatabase = ReturnType<typeof openDatabase>

export type EmbeddedDatabases = Awaited<ReturnType<typeof createEmbeddedDatabases>>

/** The embedded SQL engine, as environments work with one. */
export async function createSqlJsEngine(): Promise<SqlEngine> {
  const databases = await createEmbeddedDatabases()
  return {
    name: 'embedded engine',
    keepsOrder: true,
    open(tables) {
      const database = databases.open(tables)
      return Promise.resolve({
        execute: (sql) => Promise.resolve(database.execute(sql)),
        rows: (table) => Promise.resolve(database.rows(table)),
        close: () => Promise.resolve(database.close()),
      })
    },
  }
}

/**
 * The embedded SQL engine: MySQL's language and behaviour on SQLite in WebAssembly. Each statement is parsed as MySQL, checked as
 * MySQL checks it, and written out for SQLite. One engine serves any number of sessions; closed ones are reused.
 */
export async function createEmbeddedDatabases(options: SqlJsEngineOptions = {}) {
  const SQL = await initSqlJs()
  const mostLookedAt = options.maxRowsLookedAt ?? 500_000
  const idle: Pooled[] = []
  const create = (): Pooled => {
    const db = new SQL.Database()
    const state: FunctionState = {
      ticksLeft: 0,
      strict: false,
      database: '',
      stored: new Map(),
      now: options.now ?? (() => new Date()),
    }
    registerFunctions(db, state)
    return { db, state }
  }
  return {
    open(tables: readonly SqlTable[]): EmbeddedDatabase {
      const pooled = idle.pop() ?? create()
      fill(pooled.db, tables)
      return openDatabase(pooled, tables, mostLookedAt, () => idle.push(pooled))
    },
  }
}

/** A column's own keys and default. Rows lie in the order of a whole number that is their key, as in MySQL. */
function constraints(declaration: string, type: ValueType): string {
  const { key, fallback } = declaredColumn(declaration)
  const unique = key === null ? '' : key === 'primary' && type.kind === 'int' ? ' PRIMARY KEY' : ' UNIQUE'
  return `${unique}${fallback === null ? '' : ` DEFAULT ${fallback}`}`
}

function sqliteType(type: ValueType): string {
  if (type.kind === 'int') return 'INTEGER'
  return type.kind === 'decimal' || type.kind === 'double' ? 'REAL' : 'TEXT COLLATE NOCASE'
}

/** Cells as their column keeps them; a number in a text column becomes text. */
function storedCell(cell: SqlValue, type: ValueType): SqlValue {
  if (type.kind === 'int' && typeof cell === 'number') return Math.sign(cell) * Math.round(Math.abs(cell))
  return typeof cell === 'number' && type.kind === 'text' ? String(cell) : cell
}

function fill(db: Database, tables: readonly SqlTable[]): void {
  db.run('BEGIN')
  for (const table of tables) {
    const types = table.columns.map((column) => declaredType(column.type))
    const columns = table.columns.map(
      ({ name, type }, i) =>
        `${quoteName(name)} ${sqliteType(types[i] as ValueType)}${constraints(type, types[i] as ValueType)}`,
    )
    db.run(`CREATE TABLE ${quoteName(table.name)}(${columns.join(', ')})`)
    const insert = db.prepare(
      `INSERT INTO ${quoteName(table.name)} VALUES (${columns.map(() => '?').join(', ')})`,
    )
    try {
      for (const row of table.rows) insert.run(row.map((cell, i) => storedCell(cell, types[i] as ValueType)))
    } catch (error) {
      insert.free()
      db.run('ROLLBACK')
      throw new LoamError(
        'TASK_STREAM',
        `The table ${table.name} refuses one of its rows: ${(error as Error).message}.`,
        { suggestion: 'Correct the rows or the keys of the table.' },
      )
    }
    insert.free()
  }
  db.run('COMMIT')
}

function openDatabase(
  { db, state }: Pooled,
  tables: readonly SqlTable[],
  mostLookedAt: number,
  release: () => void,
) {
  const catalog: Catalog = {
    database: tables[0]?.name ?? '',
    tables: new Map(tables.map((table) => [table.name.toLowerCase(), table])),
  }
  let open = true
  return {
    execute(sql: string): SqlResult {
      try {
        state.ticksLeft = mostLookedAt
        state.database = catalog.database
        let result: SqlResult = { kind: 'done', affectedRows: 0 }
        // The benchmark runs every statement of an operation and reports the last one.
        for (const text of splitStatements(sql)) {
          const statement = parseStatement(text)
          state.strict = statement.kind !== 'select'
          const emitted = emitStatement(statement, catalog)
          result = emitted === null ? { kind: 'done', affectedRows: 0 } : run(db, emitted)
        }
        return result
      } catch (error) {
        const refusal = constraintError(error instanceof Error ? error.message : '', {
          isPrimary: (table, column) => isPrimary(catalog, table, column),
          stored: (column) => String(state.stored.get(column)),
        })
        return { kind: 'error', message: refusal?.message ?? errorText(error) }
      }
    },
    rows(name: string): readonly (readonly SqlValue[])[] {
      const types =
        catalog.tables.get(name.toLowerCase())?.columns.map(({ type }) => declaredType(type)) ?? []
      const rows = db.exec(`SELECT * FROM ${quoteName(name)} ORDER BY rowid`)[0]?.values ?? []
      return rows.map((row) => row.map((cell, i) => resultCell(cell, types[i] ?? TEXT)))
    },
    close(): void {
      if (!open) return
      open = false
      for (const table of tables) db.run(`DROP TABLE ${quoteName(table.name)}`)
      release()
    },
  }
}

/** Rows that one statement may answer with. */
const MOST_ROWS = 10_000

function run(db: Database, emitted: EmittedStatement): SqlResult {
  const { columns } = emitted
  if (columns === null) {
    db.run(emitted.sql)
    return { kind: 'done', affectedRows: db.getRowsModified() }
  }
  const statement = db.prepare(emitted.sql)
  try {
    const rows: SqlValue[][] = []
    while (statement.step()) {
      if (rows.length >= MOST_ROWS) throw overBudget()
      rows.push(statement.get())
    }
    sortRows(rows, columns.length, emitted.sortKeys)
    const types = columns.map((column): SqlColumnType =>
      column.type.kind === 'null' || column.type.kind === 'json' ? 'text' : column.type.kind,
    )
    return {
      kind: 'rows',
      columns: columns.map((column) => column.name),
      types,
      rows: rows.map((row) => columns.map((column, i) => resultCell(row[i] ?? null, column.type))),
    }
  } finally {
    statement.free()
  }
}

/** Sorts by the key columns that follow the first `width` ones. */
function sortRows(rows: SqlValue[][], width: number, keys: EmittedStatement['sortKeys']): void {
  if (keys.length === 0) return
  const keyed = rows.map((row) => ({ row, key: row.slice(width) }))
  filesort(keyed, (a, b) => keysBefore(a.key, b.key, keys))
  keyed.forEach(({ row }, i) => (rows[i] = row))
}

const resultCell = (value: SqlValue, type: ValueType): SqlValue =>
  type.kind === 'decimal' && typeof value === 'number' ? fixed(value, type.scale) : value

const isPrimary = ({ tables }: Catalog, table: string, name: string): boolean =>
  (tables.get(table.toLowerCase())?.columns ?? []).some(
    (column) => column.name === name && declaredColumn(column.type).key === 'primary',
  )

/** Failures inside functions come back from SQLite as text, already in MySQL's words. */
function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/misuse of aggregate/.test(message)) return groupFunctionMisuse().message
  if (error instanceof MySqlError || /^\d{4} \(\w{5}\): /.test(message)) return message
  return new MySqlError(1105, 'HY000', message).message
}
