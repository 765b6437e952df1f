import initSqlJs, { type Database } from 'sql.js'
import type { SqlColumnType, SqlEngine, SqlResult, SqlSession, SqlTable, SqlValue } from '../../../core/ports'

/** The embedded SQL engine: SQLite in WebAssembly. One instance serves any number of sessions. */
export async function createSqlJsEngine(): Promise<SqlEngine> {
  const SQL = await initSqlJs()
  const idle: Database[] = []
  return {
    open(tables) {
      const db = idle.pop() ?? new SQL.Database()
      fill(db, tables)
      return openSession(db, () => idle.push(db))
    },
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

function fill(db: Database, tables: readonly SqlTable[]): void {
  db.run('BEGIN')
  for (const table of tables) {
    db.run(
      `CREATE TABLE ${quote(table.name)}(${table.columns.map((c) => `${quote(c.name)} ${c.type} COLLATE NOCASE`).join(',')})`,
    )
    const insert = db.prepare(
      `INSERT INTO ${quote(table.name)} VALUES (${table.columns.map(() => '?').join(',')})`,
    )
    for (const row of table.rows) insert.run([...row])
    insert.free()
  }
  db.run('COMMIT')
}

function columnTypes(
  sql: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): SqlColumnType[] {
  return columns.map((column, i) => {
    if (
      /^(sum|avg)\s*\(/i.test(column) ||
      new RegExp(`\\b(sum|avg)\\s*\\([^)]*\\)\\s+as\\s+${column}\\b`, 'i').test(sql)
    )
      return 'decimal'
    return rows.some((row) => typeof row[i] === 'string') ? 'text' : 'int'
  })
}

function openSession(db: Database, release: () => void): SqlSession {
  return {
    execute(sql): SqlResult {
      try {
        const [result] = db.exec(sql)
        if (result === undefined) return { kind: 'done', affectedRows: db.getRowsModified() }
        const types = columnTypes(sql, result.columns, result.values)
        const rows = result.values.map((row) =>
          row.map((value, i) =>
            types[i] === 'decimal' && value !== null
              ? Number(value).toFixed(/\bavg\b/i.test(result.columns[i] ?? '') ? 4 : 0)
              : value,
          ),
        )
        return { kind: 'rows', columns: result.columns, types, rows }
      } catch (error) {
        return { kind: 'error', message: `1064 (42000): ${(error as Error).message}` }
      }
    },
    rows: (table) => db.exec(`SELECT * FROM ${quote(table)}`)[0]?.values ?? [],
    close() {
      const names =
        db.exec("SELECT type, name FROM sqlite_schema WHERE type IN ('table','view')")[0]?.values ?? []
      for (const [type, name] of names) db.run(`DROP ${type} ${quote(String(name))}`)
      release()
    },
  }
}
