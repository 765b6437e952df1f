import { hasAggregate, subqueriesOf } from './aggregates'
import type { Assignment, Expr, OnDuplicate, Query, QueryBody, RowChoice, Statement, TableRef } from './ast'
import { declaredColumn, type DeclaredColumn } from './declared-column'
import { emitExpression } from './emit-expression'
import {
  asNumber,
  asText,
  emitOrderItems,
  NO_ALIASES,
  quoteText,
  type Emitted,
  type ExpressionContext,
} from './emitted'
import { emitTableRef, type EmittedFrom } from './emit-from'
import { emitBody, emitQuery } from './emit-query'
import { quoteName, type Catalog, type QueryEnvironment } from './query-environment'
import { groupFunctionMisuse, MySqlError, unknownColumn, unknownTable, type Clause } from './errors'
import { replaced } from './replaced'
import { findOwn, type ScopeColumn, type Source } from './scope'
import { declaredType, TEXT, type ValueType } from './types'

export interface EmittedStatement {
  readonly sql: string
  /** Result columns; null for a statement that writes. */
  readonly columns: readonly { readonly name: string; readonly type: ValueType }[] | null
  /** Directions of hidden key columns by which the rows have yet to be sorted. */
  readonly sortKeys: readonly { readonly descending: boolean }[]
}

/** Writes a statement for SQLite; null when there is nothing to do. Throws `MySqlError`. */
export function emitStatement(statement: Statement, catalog: Catalog): EmittedStatement | null {
  const environment: QueryEnvironment = {
    catalog,
    ctes: new Map(),
    counter: { next: 1 },
    queries: { query: emitQuery, body: emitBody },
  }
  switch (statement.kind) {
    case 'select':
      return emitQuery(statement.query, environment, null, true)
    case 'insert':
      return write(emitInsert(statement, environment))
    case 'update':
      return write(emitUpdate(statement, environment))
    case 'delete':
      return write(emitDelete(statement, environment))
    case 'truncate':
      return write(`DELETE FROM ${quoteName(tableOf(statement.table, catalog).name)}`)
    case 'describe':
      return describe(statement.table, catalog)
    case 'show-tables':
      return listing(
        [`Tables_in_${catalog.database}`],
        [...catalog.tables.values()].map((table) => [table.name]).sort(),
      )
    case 'nothing':
      return null
  }
}

type CatalogColumns = ReturnType<typeof tableOf>['columns']

const write = (sql: string): EmittedStatement => ({ sql, columns: null, sortKeys: [] })

function tableOf(name: string, catalog: Catalog) {
  const table = catalog.tables.get(name.toLowerCase())
  if (table === undefined) throw unknownTable(catalog.database, name)
  return table
}

function listing(names: readonly string[], rows: readonly (readonly (string | null)[])[]): EmittedStatement {
  const values = rows.map(
    (row) => `(${row.map((cell) => (cell === null ? 'NULL' : quoteText(cell))).join(', ')})`,
  )
  return {
    sql: `VALUES ${values.join(', ')}`,
    columns: names.map((name) => ({ name, type: TEXT })),
    sortKeys: [],
  }
}

const describe = (name: string, catalog: Catalog): EmittedStatement =>
  listing(
    ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra'],
    tableOf(name, catalog).columns.map((column) => [
      column.name,
      column.type.toLowerCase(),
      'YES',
      '',
      null,
      '',
    ]),
  )

/** The value as a column keeps it: INT rounds; text that is no number, no date or too long is refused, and NULL where there must be something. */
function getRecord(
  value: Emitted,
  column: { readonly name: string; readonly type: ValueType; readonly declared: DeclaredColumn },
): string {
  const { key, notNull, autoIncrement, length } = column.declared
  const keptText = keptAs(value, column)
  const short =
    length === null ? keptText : `my_store_text(${keptText}, ${length}, ${quoteText(column.name)})`
  if (key === null && !notNull) return short
  return `my_constrain(${short}, ${quoteText(column.name)}, ${notNull && !autoIncrement ? 1 : 0})`
}

function keptAs(value: Emitted, column: { readonly name: string; readonly type: ValueType }): string {
  switch (column.type.kind) {
    case 'int': {
      const exact = value.type.kind === 'decimal' ? `my_round(${value.sql}, ${value.type.scale})` : value.sql
      return `my_store_int(${exact}, ${quoteText(column.name)})`
    }
    case 'decimal':
      return `my_round(${asNumber(value)}, ${column.type.scale})`
    case 'double':
      return asNumber(value)
    case 'date':
    case 'datetime':
      return `my_store_${column.type.kind}(${asText(value)}, ${quoteText(column.name)})`
    default:
      return asText(value)
  }
}

const contextOf = (
  environment: QueryEnvironment,
  sources: readonly Source[],
  clause: Clause,
): ExpressionContext => ({
  scope: { sources, parent: null },
  clause,
  aggregates: false,
  aliases: NO_ALIASES,
  aliasFirst: false,
  emitQuery: (query, around) => emitQuery(query, environment, around),
  emit: emitExpression,
})

// ---- INSERT

function emitInsert(
  statement: Extract<Statement, { kind: 'insert' }>,
  environment: QueryEnvironment,
): string {
  const table = tableOf(statement.table, environment.catalog)
  const names = statement.columns ?? table.columns.map((column) => column.name)
  const columns = names.map((name) => {
    const column = table.columns.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
    if (column === undefined) throw unknownColumn(name, 'field list')
    return { name: column.name, type: declaredType(column.type), declared: declaredColumn(column.type) }
  })
  requireValues(table.columns, names)
  const twice = columns.find((column, i) => columns.findIndex((other) => other.name === column.name) !== i)
  if (twice !== undefined) throw new MySqlError(1110, '42000', `Column '${twice.name}' specified twice`)
  const { onDuplicate } = statement
  const otherwise = { refuse: '', update: '', ignore: ' OR IGNORE', replace: ' OR REPLACE' }[onDuplicate.kind]
  const update =
    onDuplicate.kind === 'update' ? emitOnDuplicate(onDuplicate, table, columns, environment) : ''
  const into = `INSERT${otherwise} INTO ${quoteName(table.name)}(${columns.map((column) => quoteName(column.name)).join(', ')})`
  const count = (row: number): MySqlError =>
    new MySqlError(1136, '21S01', `Column count doesn't match value count at row ${row}`)

  if (statement.source.kind === 'query') {
    const query = emitQuery(statement.source.query, environment, null)
    if (query.columns.length !== columns.length) throw count(1)
    const values = columns.map((column, i) =>
      getRecord({ sql: `c${i + 1}`, type: query.columns[i]?.type ?? TEXT }, column),
    )
    return `${into} SELECT ${values.join(', ')} FROM (${query.sql}) WHERE true${update}`
  }
  const context = contextOf(environment, [], 'field list')
  const rows = statement.source.rows.map((row, r) => {
    // `VALUES ()` is a row of defaults, and every default here is NULL.
    if (row.length === 0 && statement.columns === null)
      return `(${columns.map(({ declared }) => declared.fallback ?? 'NULL').join(', ')})`
    if (row.length !== columns.length) throw count(r + 1)
    for (const value of row) if (value !== 'DEFAULT') refuseTarget(value, statement.table, statement.table)
    const values = row.map((value, i) =>
      value === 'DEFAULT'
        ? (columns[i]?.declared.fallback ?? 'NULL')
        : getRecord(emitExpression(value, context), columns[i] as (typeof columns)[number]),
    )
    return `(${values.join(', ')})`
  })
  return `${into} VALUES ${rows.join(', ')}${update}`
}

/** 1364 for a column that must have a value, has no default, and is not named. */
function requireValues(columns: CatalogColumns, names: readonly string[]): void {
  const givenSet = new Set(names.map((name) => name.toLowerCase()))
  for (const { name, type } of columns) {
    const { notNull, autoIncrement, fallback } = declaredColumn(type)
    if (notNull && !autoIncrement && fallback === null && !givenSet.has(name.toLowerCase()))
      throw new MySqlError(1364, 'HY000', `Field '${name}' doesn't have a default value`)
  }
}

/** What the new row goes by where it has no other name; no table can be called so. */
const NEW_ROW = ' new row'

/** `ON CONFLICT DO UPDATE`: the row that is there by its own names, the new one by VALUES() or its alias. */
function emitOnDuplicate(
  { set, alias, names }: Extract<OnDuplicate, { kind: 'update' }>,
  table: ReturnType<typeof tableOf>,
  inserted: readonly { readonly name: string }[],
  environment: QueryEnvironment,
): string {
  const columnsOf = (from: string): ScopeColumn[] =>
    table.columns.map(({ name, type }) => ({
      name,
      type: declaredType(type),
      declared: declaredColumn(type),
      sql: `${from}.${quoteName(name)}`,
      label: `${table.name}.${name}`,
    }))
  const hiddenSet = new Set(table.columns.map(({ name }) => name.toLowerCase()))
  const fresh = columnsOf('excluded').map((column) => {
    const place = inserted.findIndex(({ name }) => name === column.name)
    return names[place] === undefined ? column : { ...column, name: names[place] }
  })
  const other = { sequence: 'rowid', merged: hiddenSet }
  let own = columnsOf(quoteName(table.name))
  const values = set.map(({ column, value }) => {
    const knownColumn = own.find(({ name }) => name.toLowerCase() === column.name.toLowerCase())
    if (knownColumn === undefined) throw unknownColumn(column.name, 'field list')
    refuseTarget(value, table.name, table.name)
    const sources: Source[] = [
      { alias: table.name, columns: own, sequence: 'rowid', merged: new Set() },
      { alias: NEW_ROW, columns: columnsOf('excluded'), ...other },
      ...(alias === null ? [] : [{ alias, columns: fresh, ...other }]),
    ]
    const read = replaced(value, (part) =>
      part.kind === 'call' && part.name === 'VALUES' && part.args[0]?.kind === 'column'
        ? { kind: 'column', table: NEW_ROW, name: part.args[0].name }
        : null,
    )
    const sql = getRecord(emitExpression(read, contextOf(environment, sources, 'field list')), knownColumn)
    // Later assignments see what earlier ones assigned.
    own = own.map((each) => (each === knownColumn ? { ...each, sql: `(${sql})` } : each))
    return [knownColumn.name, sql] as const
  })
  const assigned = [...new Map(values)].map(([name, sql]) => `${quoteName(name)} = ${sql}`)
  return ` ON CONFLICT DO UPDATE SET ${assigned.join(', ')}`
}

// ---- UPDATE and DELETE

/** The rows to write, as `FROM ... WHERE ... ORDER BY ... LIMIT`; joins without a fixed order keep that of the rows. */
function emitChoice(choice: RowChoice, from: EmittedFrom, environment: QueryEnvironment): string {
  const where =
    choice.where === null
      ? []
      : [asNumber(emitExpression(choice.where, contextOf(environment, from.sources, 'where clause')))]
  const order = emitOrderItems(choice.orderBy, contextOf(environment, from.sources, 'order clause'))
  const filters = [from.budget, ...where].map((filter) => `(${filter})`).join(' AND ')
  const limit = choice.limit === null ? '' : ` LIMIT ${choice.limit.count}`
  const sequences = from.sources.map((source) => source.sequence)
  return `FROM ${from.sql} WHERE ${filters} ORDER BY ${[...order, ...sequences].join(', ')}${limit}`
}

function emitUpdate(
  statement: Extract<Statement, { kind: 'update' }>,
  environment: QueryEnvironment,
): string {
  const from = emitTableRef(statement.target, environment, null)
  const target = updatedSource(statement.set, from)
  const refs = baseTables(statement.target)
  const ref = refs.find((candidate) => candidate.alias.toLowerCase() === target.alias.toLowerCase())
  if (ref === undefined)
    throw new MySqlError(1288, 'HY000', `The target table ${target.alias} of the UPDATE is not updatable`)

  // MySQL assigns from left to right: later values see what earlier ones assigned.
  let sources = from.sources
  const values = statement.set.map(({ column, value }, i) => {
    if (hasAggregate(value)) throw groupFunctionMisuse()
    const knownColumn = findOwn(
      { sources, parent: null },
      column.table,
      column.name,
      'field list',
    ) as ScopeColumn
    const sql = getRecord(emitExpression(value, contextOf(environment, sources, 'field list')), knownColumn)
    sources = sources.map((source) => ({
      ...source,
      columns: source.columns.map((each) => (each === knownColumn ? { ...each, sql: `(${sql})` } : each)),
    }))
    return { name: knownColumn.name, sql: `${sql} AS v${i + 1}` }
  })
  const assigned = new Map(values.map(({ name }, i) => [name, `v${i + 1}`]))
  const assignments = [...assigned].map(([name, value]) => `${quoteName(name)} = u.${value}`)
  const rows = `SELECT ${target.sequence} AS id, ${values.map(({ sql }) => sql).join(', ')} ${emitChoice(statement, from, environment)}`
  for (const part of [...statement.set.map(({ value }) => value), ...exprsAround(statement)])
    refuseTarget(part, ref.name, ref.alias)
  refuseMergedTarget(statement.target, ref.name, ref.alias)
  const table = quoteName(tableOf(ref.name, environment.catalog).name)
  return `UPDATE ${table} SET ${assignments.join(', ')} FROM (${rows}) AS u WHERE ${table}.rowid = u.id`
}

/** The one table whose columns are assigned. */
function updatedSource(set: readonly Assignment[], from: EmittedFrom): Source {
  const sources = set.map(({ column }) => {
    const own = findOwn({ sources: from.sources, parent: null }, column.table, column.name, 'field list')
    if (own === null)
      throw unknownColumn(
        column.table === null ? column.name : `${column.table}.${column.name}`,
        'field list',
      )
    return from.sources.find((source) => source.columns.includes(own)) as Source
  })
  const [first] = sources
  if (first === undefined || sources.some((source) => source !== first))
    throw new MySqlError(1235, '42000', 'Updating several tables at once is not supported')
  return first
}

function emitDelete(
  statement: Extract<Statement, { kind: 'delete' }>,
  environment: QueryEnvironment,
): string {
  const from = emitTableRef(statement.from, environment, null)
  const name = statement.target ?? from.sources[0]?.alias ?? ''
  const ref = baseTables(statement.from).find(
    (candidate) => candidate.alias.toLowerCase() === name.toLowerCase(),
  )
  const source = from.sources.find((candidate) => candidate.alias.toLowerCase() === name.toLowerCase())
  if (ref === undefined || source === undefined)
    throw new MySqlError(1109, '42S02', `Unknown table '${name}' in MULTI DELETE`)
  const rows = emitChoice(statement, from, environment)
  for (const part of exprsAround(statement)) refuseTarget(part, ref.name, ref.alias)
  refuseMergedTarget(statement.from, ref.name, ref.alias)
  const table = quoteName(tableOf(ref.name, environment.catalog).name)
  return `DELETE FROM ${table} WHERE rowid IN (SELECT ${source.sequence} ${rows})`
}

const exprsAround = (choice: RowChoice): Expr[] => [
  ...(choice.where === null ? [] : [choice.where]),
  ...choice.orderBy.map((item) => item.expr),
]

function baseTables(ref: TableRef): Extract<TableRef, { kind: 'table' }>[] {
  if (ref.kind === 'table') return [ref]
  return ref.kind === 'join' ? [...baseTables(ref.left), ...baseTables(ref.right)] : []
}

// ---- 1093: the written table must not be read by a subquery, unless a derived table stands in between

function refuseTarget(expr: Expr, table: string, alias: string): void {
  if (subqueriesOf(expr).some((query) => readsTable(query, table))) {
    throw new MySqlError(1093, 'HY000', `You can't specify target table '${alias}' for update in FROM clause`)
  }
}

function readsTable(query: Query, table: string): boolean {
  const namedSet = new Set(query.ctes.map((cte) => cte.name.toLowerCase()))
  return !namedSet.has(table.toLowerCase()) && bodyReads(query.body, table)
}

function bodyReads(body: QueryBody, table: string): boolean {
  if (body.kind === 'nested') return readsTable(body.query, table)
  if (body.kind === 'set') return bodyReads(body.left, table) || bodyReads(body.right, table)
  const exprs = [...body.items.map((item) => item.expr), body.where, ...body.groupBy, body.having].filter(
    (expr): expr is Expr => expr !== null,
  )
  const direct =
    body.from !== null && baseTables(body.from).some((ref) => ref.name.toLowerCase() === table.toLowerCase())
  return direct || exprs.some((expr) => subqueriesOf(expr).some((query) => readsTable(query, table)))
}

/** A derived table in the statement's own FROM that MySQL merges into it brings its subqueries along. */
function refuseMergedTarget(ref: TableRef, table: string, alias: string): void {
  if (ref.kind === 'join') {
    refuseMergedTarget(ref.left, table, alias)
    refuseMergedTarget(ref.right, table, alias)
    return
  }
  if (ref.kind !== 'derived' || ref.query.limit !== null || ref.query.body.kind !== 'select') return
  const { body } = ref.query
  const exprs = [...body.items.map((item) => item.expr), body.where].filter(
    (expr): expr is Expr => expr !== null,
  )
  const merges =
    !body.distinct && body.groupBy.length === 0 && body.having === null && !exprs.some(hasAggregate)
  if (merges) for (const expr of exprs) refuseTarget(expr, table, alias)
}
