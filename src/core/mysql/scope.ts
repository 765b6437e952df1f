import { ambiguousColumn, unknownColumn, type Clause } from './errors'
import type { DeclaredColumn } from './declared-column'
import type { ValueType } from './types'

export interface ScopeColumn {
  readonly name: string
  readonly type: ValueType
  readonly declared: DeclaredColumn
  /** How SQLite is told of it. */
  readonly sql: string
  /** MySQL's full name of it in messages. */
  readonly label: string
}

/** One table of a FROM clause. */
export interface Source {
  readonly alias: string
  readonly columns: readonly ScopeColumn[]
  /** SQLite expression that numbers its rows in their natural order. */
  readonly sequence: string
  /** Columns joined by USING: found in the table before. */
  readonly merged: ReadonlySet<string>
}

/** What names mean in one SELECT; `parent` is the SELECT around a subquery. */
export interface Scope {
  readonly sources: readonly Source[]
  readonly parent: Scope | null
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The column in the scope's own tables; null when there is none. Throws 1052 when there are several. */
export function findOwn(
  scope: Scope,
  table: string | null,
  name: string,
  clause: Clause,
): ScopeColumn | null {
  const columns = scope.sources
    .filter((source) => (table === null ? !source.merged.has(name.toLowerCase()) : same(source.alias, table)))
    .flatMap((source) => source.columns.filter((column) => same(column.name, name)))
  if (columns.length > 1) throw ambiguousColumn(table === null ? name : `${table}.${name}`, clause)
  return columns[0] ?? null
}

/** The column in the scope or those around it. Throws 1054. */
export function resolveColumn(scope: Scope, table: string | null, name: string, clause: Clause): ScopeColumn {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const column = findOwn(at, table, name, clause)
    if (column !== null) return column
  }
  throw unknownColumn(table === null ? name : `${table}.${name}`, clause)
}
