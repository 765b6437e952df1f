import type { Cte, Join, TableRef } from './ast'
import { asNumber, NO_ALIASES, type EmittedQuery, type ExpressionContext } from './emitted'
import { declaredColumn } from './declared-column'
import { emitExpression } from './emit-expression'
import { MySqlError, unknownColumn, unknownTable } from './errors'
import { quoteName, type Named, type QueryEnvironment } from './query-environment'
import { findOwn, type Scope, type ScopeColumn, type Source } from './scope'
import { declaredType, type ValueType } from './types'

export interface EmittedFrom {
  readonly sql: string
  readonly sources: readonly Source[]
  /** A condition that counts every row looked at and stops a query that runs away. */
  readonly budget: string
}

export function emitTableRef(
  ref: TableRef,
  environment: QueryEnvironment,
  parent: Scope | null,
): EmittedFrom {
  const from = emitRef(ref, environment, parent)
  const names = from.sources.map((source) => source.alias.toLowerCase())
  const twice = from.sources.find((source, i) => names.indexOf(source.alias.toLowerCase()) !== i)
  if (twice !== undefined) throw new MySqlError(1066, '42000', `Not unique table/alias: '${twice.alias}'`)
  return from
}

function emitRef(ref: TableRef, environment: QueryEnvironment, parent: Scope | null): EmittedFrom {
  if (ref.kind === 'join') return emitJoin(ref, environment, parent)
  if (ref.kind === 'derived')
    return derivedSource(
      environment.queries.query(ref.query, environment, parent),
      ref.alias,
      ref.columns,
      environment,
    )
  const reference = environment.ctes.get(ref.name.toLowerCase())
  if (reference !== undefined) return cteSource(reference, ref.alias, environment)
  const table = environment.catalog.tables.get(ref.name.toLowerCase())
  if (table === undefined) throw unknownTable(environment.catalog.database, ref.name)
  const sqlAlias = `s${environment.counter.next++}`
  const columns = table.columns.map((column): ScopeColumn => ({
    name: column.name,
    type: declaredType(column.type),
    declared: declaredColumn(column.type),
    sql: `${sqlAlias}.${quoteName(column.name)}`,
    label: `${environment.catalog.database}.${ref.alias}.${column.name}`,
  }))
  return single(`${quoteName(table.name)} AS ${sqlAlias}`, {
    alias: ref.alias,
    columns,
    sequence: `${sqlAlias}.rowid`,
    merged: new Set(),
  })
}

const single = (sql: string, source: Source): EmittedFrom => ({
  sql,
  sources: [source],
  budget: `my_tick(${source.sequence})`,
})

function derivedSource(
  query: EmittedQuery,
  alias: string,
  names: readonly string[],
  environment: QueryEnvironment,
): EmittedFrom {
  const sqlAlias = `s${environment.counter.next++}`
  const sql = `(SELECT *, ROW_NUMBER() OVER () AS sequence FROM (${query.sql})) AS ${sqlAlias}`
  return single(sql, {
    alias,
    columns: derivedColumns(query.columns, alias, names, sqlAlias),
    sequence: `${sqlAlias}.sequence`,
    merged: new Set(),
  })
}

function derivedColumns(
  columns: EmittedQuery['columns'],
  alias: string,
  names: readonly string[],
  sqlAlias: string,
): ScopeColumn[] {
  const references = columns.map((column, i) => names[i] ?? column.name)
  const twice = references.find(
    (name, i) => references.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== i,
  )
  if (twice !== undefined) throw new MySqlError(1060, '42S21', `Duplicate column name '${twice}'`)
  return columns.map((column, i) => ({
    name: references[i] ?? column.name,
    type: column.type,
    declared: declaredColumn(''),
    sql: `${sqlAlias}.c${i + 1}`,
    label: `${alias}.${references[i] ?? column.name}`,
  }))
}

function cteSource(reference: Named, alias: string, environment: QueryEnvironment): EmittedFrom {
  if (reference.kind === 'recursive') {
    const sqlAlias = `s${environment.counter.next++}`
    const columns = derivedColumns(reference.columns, alias, [], sqlAlias)
    return single(`${reference.sqlName} AS ${sqlAlias}`, {
      alias,
      columns,
      sequence: `${sqlAlias}.c1`,
      merged: new Set(),
    })
  }
  const { cte } = reference
  const self = reference.environment.ctes.get(cte.name.toLowerCase())
  const query =
    self?.kind === 'query' && self.cte === cte
      ? emitRecursive(cte, reference.environment)
      : reference.environment.queries.query(cte.query, reference.environment, null)
  return derivedSource(query, alias, cte.columns, environment)
}

function emitRecursive(cte: Cte, environment: QueryEnvironment): EmittedQuery {
  const { body } = cte.query
  if (body.kind !== 'set') return environment.queries.query(cte.query, environment, null)
  const start = environment.queries.body(body.left, environment, null)
  const columns: { name: string; type: ValueType }[] = start.columns.map((column, i) => ({
    name: cte.columns[i] ?? column.name,
    type: column.type,
  }))
  const sqlName = `r${environment.counter.next++}`
  const reference: Named = { kind: 'recursive', sqlName, columns }
  const step = environment.queries.body(
    body.right,
    { ...environment, ctes: new Map(environment.ctes).set(cte.name.toLowerCase(), reference) },
    null,
  )
  const names = columns.map((_, i) => `c${i + 1}`).join(', ')
  const union = body.all ? 'UNION ALL' : 'UNION'
  return {
    sql: `WITH RECURSIVE ${sqlName}(${names}) AS (${start.sql} ${union} ${step.sql}) SELECT * FROM ${sqlName}`,
    columns,
    singleRow: false,
    sortKeys: [],
  }
}

/** Columns that both sides of a NATURAL JOIN have. */
function commonColumns(from: EmittedFrom, right: EmittedFrom): string[] {
  const names = ({ sources }: EmittedFrom) =>
    sources.flatMap(({ columns }) => columns.map(({ name }) => name))
  const others = new Set(names(right).map((name) => name.toLowerCase()))
  return [...new Set(names(from))].filter((name) => others.has(name.toLowerCase()))
}

function emitJoin(join: Join, environment: QueryEnvironment, parent: Scope | null): EmittedFrom {
  const leftFrom = emitRef(join.left, environment, parent)
  const right = emitRef(join.right, environment, parent)
  const common = join.using === 'natural' ? commonColumns(leftFrom, right) : join.using
  const merged = new Set(common.map((name) => name.toLowerCase()))
  const rightSources =
    merged.size === 0 ? right.sources : right.sources.map((source) => ({ ...source, merged }))
  const sources = [...leftFrom.sources, ...rightSources]
  const context: ExpressionContext = {
    scope: { sources, parent },
    clause: 'on clause',
    aggregates: false,
    aliases: NO_ALIASES,
    aliasFirst: false,
    emitQuery: (query, around) => environment.queries.query(query, environment, around),
    emit: emitExpression,
  }
  const using = common.map((name): string => {
    const side = (from: EmittedFrom): string => {
      const column = findOwn({ sources: from.sources, parent: null }, null, name, 'on clause')
      if (column === null) throw unknownColumn(name, 'on clause')
      return column.sql
    }
    return `${side(leftFrom)} = ${side(right)}`
  })
  const sequences = [...leftFrom.sources, ...right.sources].map((source) => source.sequence).join(', ')
  const conditions = [
    `my_tick(${sequences})`,
    ...(join.on === null ? [] : [asNumber(emitExpression(join.on, context))]),
    ...using,
  ]
  const on = conditions.map((condition) => `(${condition})`).join(' AND ')
  const [first, second] = join.type === 'RIGHT' ? [right, leftFrom] : [leftFrom, right]
  const sql = `${first.sql} ${join.type === 'INNER' ? 'JOIN' : 'LEFT JOIN'} ${second.sql} ON ${on}`
  return { sql, sources, budget: 'my_tick(0)' }
}
