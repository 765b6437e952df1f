import type {
  Cte,
  Expr,
  Join,
  Limit,
  OrderItem,
  Query,
  QueryBody,
  Select,
  SetOperation,
  TableRef,
} from './ast'
import { childrenOf, hasAggregate } from './aggregates'
import {
  asNumber,
  asResult,
  emitExpression,
  emitOrderTerm,
  NO_ALIASES,
  type Emitted,
  type EmittedQuery,
  type ExpressionContext,
} from './emit-expression'
import { MySqlError, unknownColumn, unknownTable, type Clause } from './errors'
import { checkFullGroupBy } from './full-group-by'
import { findOwn, type Scope, type ScopeColumn, type Source } from './scope'
import { commonType, declaredType, type ValueType } from './types'

export interface Catalog {
  readonly database: string
  readonly tables: ReadonlyMap<
    string,
    { readonly name: string; readonly columns: readonly { readonly name: string; readonly type: string }[] }
  >
}

/** A common table expression in reach: its query, or the columns of the recursive one being built. */
type Named =
  | { readonly kind: 'query'; readonly cte: Cte; readonly environment: QueryEnvironment }
  | { readonly kind: 'recursive'; readonly sqlName: string; readonly columns: EmittedQuery['columns'] }

export interface QueryEnvironment {
  readonly catalog: Catalog
  readonly ctes: ReadonlyMap<string, Named>
  /** Numbers SQLite's table names within one statement. */
  readonly counter: { next: number }
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Writes a query for SQLite. Its result columns are called c1, c2, ...; MySQL's names and types come beside it. */
export function emitQuery(query: Query, environment: QueryEnvironment, parent: Scope | null): EmittedQuery {
  const inner = withCtes(query, environment)
  if (query.body.kind === 'select') return emitSelect(query.body, query.orderBy, query.limit, inner, parent)
  const body = emitBody(query.body, inner, parent)
  const order = query.orderBy.map((item) => orderByOutput(item, body))
  const tail = `${order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`}${limitText(query.limit)}`
  return {
    ...body,
    sql: tail === '' ? body.sql : `SELECT * FROM (${body.sql})${tail}`,
    singleRow: query.limit?.count === 1,
  }
}

function withCtes(query: Query, environment: QueryEnvironment): QueryEnvironment {
  let result = environment
  for (const cte of query.ctes) {
    const key = cte.name.toLowerCase()
    const named: Named = { kind: 'query', cte, environment: result }
    result = {
      ...result,
      ctes: new Map(result.ctes).set(key, query.recursive ? recursiveOr(named, cte, result) : named),
    }
  }
  return result
}

/** WITH RECURSIVE matters only for a UNION whose second part names the expression itself. */
function recursiveOr(plain: Named, cte: Cte, environment: QueryEnvironment): Named {
  const { body } = cte.query
  if (body.kind !== 'set' || body.operator !== 'UNION') return plain
  return {
    kind: 'query',
    cte,
    environment: { ...environment, ctes: new Map(environment.ctes).set(cte.name.toLowerCase(), plain) },
  }
}

function emitBody(body: QueryBody, environment: QueryEnvironment, parent: Scope | null): EmittedQuery {
  if (body.kind === 'select') return emitSelect(body, [], null, environment, parent)
  if (body.kind === 'nested') return emitQuery(body.query, environment, parent)
  return emitSetOperation(body, environment, parent)
}

function emitSetOperation(
  body: SetOperation,
  environment: QueryEnvironment,
  parent: Scope | null,
): EmittedQuery {
  const left = emitBody(body.left, environment, parent)
  const right = emitBody(body.right, environment, parent)
  if (left.columns.length !== right.columns.length) {
    throw new MySqlError(1222, '21000', 'The used SELECT statements have a different number of columns')
  }
  const columns = left.columns.map((column, i) => ({
    name: column.name,
    type: commonType([column.type, right.columns[i]?.type ?? column.type]),
  }))
  const combine = body.operator === 'UNION' ? 'UNION ALL' : body.operator
  const all = `SELECT * FROM (${left.sql}) ${combine} SELECT * FROM (${right.sql})`
  // MySQL keeps the order of first appearance; SQLite's own UNION would sort.
  const sql = body.operator === 'UNION' && !body.all ? `SELECT DISTINCT * FROM (${all})` : all
  return { sql, columns, singleRow: false }
}

function orderByOutput(item: OrderItem, body: EmittedQuery): string {
  const { expr } = item
  const index =
    expr.kind === 'number'
      ? Number(expr.text) - 1
      : expr.kind === 'column'
        ? body.columns.findIndex((column) => column.name.toLowerCase() === expr.name.toLowerCase())
        : -1
  const column = body.columns[index]
  if (column === undefined) throw unknownColumn(expr.kind === 'column' ? expr.name : '?', 'order clause')
  return emitOrderTerm({ sql: `c${index + 1}`, type: column.type }, item.descending)
}

const limitText = (limit: Limit | null): string =>
  limit === null ? '' : ` LIMIT ${limit.count} OFFSET ${limit.offset}`

// ---- SELECT

interface OutputItem {
  readonly expr: Expr
  readonly name: string
  readonly alias: string | null
}

function emitSelect(
  select: Select,
  orderBy: readonly OrderItem[],
  limit: Limit | null,
  environment: QueryEnvironment,
  parent: Scope | null,
): EmittedQuery {
  const from = select.from === null ? null : emitTableRef(select.from, environment, parent)
  const scope: Scope = { sources: from?.sources ?? [], parent }
  const items = expandStars(select, scope)
  const aliases = new Map(
    items.flatMap((item) => (item.alias === null ? [] : [[item.alias.toLowerCase(), item.expr] as const])),
  )
  const context = (
    clause: Clause,
    aggregates: boolean,
    named: 'none' | 'after columns' | 'before columns',
  ): ExpressionContext => ({
    scope,
    clause,
    aggregates,
    aliases: named === 'none' ? NO_ALIASES : aliases,
    aliasFirst: named === 'before columns',
    emitQuery: (query, around) => emitQuery(query, environment, around),
  })

  const where =
    select.where === null ? null : emitExpression(select.where, context('where clause', false, 'none'))
  const outputs = items.map((item) => emitExpression(item.expr, context('field list', true, 'none')))
  const groupExprs = select.groupBy.map((expr) => byPosition(expr, items, 'group statement'))
  const groups = groupExprs.map((expr) =>
    emitExpression(expr, context('group statement', false, 'after columns')),
  )
  const orderExprs = orderBy.map((item) => ({ ...item, expr: byPosition(item.expr, items, 'order clause') }))
  const grouped =
    groups.length > 0 ||
    [
      ...items.map((item) => item.expr),
      ...(select.having === null ? [] : [select.having]),
      ...orderExprs.map((item) => item.expr),
    ].some(hasAggregate)
  const having =
    select.having === null
      ? null
      : emitHaving(select.having, select, items, scope, context('having clause', true, 'before columns'))
  const orderTerms = orderExprs.map((item) =>
    emitOrderTerm(
      emitExpression(item.expr, context('order clause', true, 'before columns')),
      item.descending,
    ),
  )

  if (grouped)
    checkFullGroupBy({
      select,
      items,
      groupExprs,
      scope,
      aliases,
      orderBy: orderExprs,
      database: environment.catalog.database,
    })

  const filters = [
    from === null ? '' : from.budget,
    where === null ? '' : asNumber(where),
    grouped || having === null ? '' : asNumber(having),
  ].filter((filter) => filter !== '')
  const parts = [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${outputs.map((output, i) => `${asResult(output)} AS c${i + 1}`).join(', ')}`,
    from === null ? '' : `FROM ${from.sql}`,
    filters.length === 0 ? '' : `WHERE ${filters.map((filter) => `(${filter})`).join(' AND ')}`,
    groups.length === 0 ? '' : `GROUP BY ${groups.map((group) => emitOrderTerm(group, false)).join(', ')}`,
    grouped && having !== null ? `HAVING ${asNumber(having)}` : '',
    orderClause(orderTerms, scope, grouped, groups.length > 0),
    limitText(limit).trim(),
  ]
  return {
    sql: parts.filter((part) => part !== '').join(' '),
    columns: items.map((item, i) => ({ name: item.name, type: outputs[i]?.type ?? declaredType('TEXT') })),
    singleRow: limit?.count === 1 || (grouped && groups.length === 0) || select.from === null,
  }
}

/** Ties, groups and rows without ORDER BY come in the order in which MySQL meets them: that of the rows. */
function orderClause(terms: readonly string[], scope: Scope, grouped: boolean, byGroups: boolean): string {
  if (grouped && !byGroups) return ''
  const { sources } = scope
  const natural = grouped
    ? [
        `MIN(${sources.map((source, i) => `${source.sequence} * ${1024 ** (sources.length - 1 - i)}`).join(' + ')})`,
      ]
    : terms.length > 0 || sources.length > 1
      ? sources.map((source) => source.sequence)
      : []
  const all = [...terms, ...(sources.length === 0 ? [] : natural)]
  return all.length === 0 ? '' : `ORDER BY ${all.join(', ')}`
}

function expandStars(select: Select, scope: Scope): OutputItem[] {
  return select.items.flatMap((item): OutputItem[] => {
    if (item.expr.kind !== 'star') {
      const name =
        item.alias ??
        (item.expr.kind === 'column'
          ? item.expr.name
          : item.expr.kind === 'string'
            ? item.expr.value
            : item.text)
      return [{ expr: item.expr, name, alias: item.alias }]
    }
    const { table } = item.expr
    const sources = scope.sources.filter(
      (source) => table === null || source.alias.toLowerCase() === table.toLowerCase(),
    )
    if (sources.length === 0) {
      throw table === null
        ? new MySqlError(1096, 'HY000', 'No tables used')
        : new MySqlError(1051, '42S02', `Unknown table '${table}'`)
    }
    return sources.flatMap((source) =>
      source.columns
        .filter((column) => table !== null || !source.merged.has(column.name.toLowerCase()))
        .map((column) => ({
          expr: { kind: 'column', table: source.alias, name: column.name },
          name: column.name,
          alias: null,
        })),
    )
  })
}

/** `GROUP BY 1`, `ORDER BY 2`: the output column of that number. */
function byPosition(expr: Expr, items: readonly OutputItem[], clause: Clause): Expr {
  if (expr.kind !== 'number' || !/^\d+$/.test(expr.text)) return expr
  const item = items[Number(expr.text) - 1]
  if (item === undefined) throw unknownColumn(expr.text, clause)
  return item.expr
}

/** HAVING may name only what is selected or grouped by; inside an aggregate it names the table's columns. */
function emitHaving(
  having: Expr,
  select: Select,
  items: readonly OutputItem[],
  scope: Scope,
  context: ExpressionContext,
): Emitted {
  const visible = new Set(
    items.flatMap((item) => [
      item.name.toLowerCase(),
      ...(item.expr.kind === 'column' ? [item.expr.name.toLowerCase()] : []),
    ]),
  )
  for (const expr of select.groupBy) if (expr.kind === 'column') visible.add(expr.name.toLowerCase())
  const check = (expr: Expr): void => {
    if (
      expr.kind === 'column' &&
      !visible.has(expr.name.toLowerCase()) &&
      findOwn(scope, expr.table, expr.name, 'having clause') !== null
    ) {
      throw unknownColumn(expr.table === null ? expr.name : `${expr.table}.${expr.name}`, 'having clause')
    }
    if (!(expr.kind === 'call' && hasAggregate(expr) && !childrenOf(expr).some(hasAggregate)))
      childrenOf(expr).forEach(check)
  }
  check(having)
  return emitExpression(having, context)
}

// ---- FROM

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
    return derivedSource(emitQuery(ref.query, environment, parent), ref.alias, ref.columns, environment)
  const named = environment.ctes.get(ref.name.toLowerCase())
  if (named !== undefined) return cteSource(named, ref.alias, environment)
  const table = environment.catalog.tables.get(ref.name.toLowerCase())
  if (table === undefined) throw unknownTable(environment.catalog.database, ref.name)
  const sqlAlias = `s${environment.counter.next++}`
  const columns = table.columns.map((column): ScopeColumn => ({
    name: column.name,
    type: declaredType(column.type),
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
  const named = columns.map((column, i) => names[i] ?? column.name)
  const twice = named.find(
    (name, i) => named.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== i,
  )
  if (twice !== undefined) throw new MySqlError(1060, '42S21', `Duplicate column name '${twice}'`)
  return columns.map((column, i) => ({
    name: named[i] ?? column.name,
    type: column.type,
    sql: `${sqlAlias}.c${i + 1}`,
    label: `${alias}.${named[i] ?? column.name}`,
  }))
}

function cteSource(named: Named, alias: string, environment: QueryEnvironment): EmittedFrom {
  if (named.kind === 'recursive') {
    const sqlAlias = `s${environment.counter.next++}`
    const columns = derivedColumns(named.columns, alias, [], sqlAlias)
    return single(`${named.sqlName} AS ${sqlAlias}`, {
      alias,
      columns,
      sequence: `${sqlAlias}.c1`,
      merged: new Set(),
    })
  }
  const { cte } = named
  const self = named.environment.ctes.get(cte.name.toLowerCase())
  const query =
    self?.kind === 'query' && self.cte === cte
      ? emitRecursive(cte, named.environment)
      : emitQuery(cte.query, named.environment, null)
  return derivedSource(query, alias, cte.columns, environment)
}

function emitRecursive(cte: Cte, environment: QueryEnvironment): EmittedQuery {
  const { body } = cte.query
  if (body.kind !== 'set') return emitQuery(cte.query, environment, null)
  const start = emitBody(body.left, environment, null)
  const columns: { name: string; type: ValueType }[] = start.columns.map((column, i) => ({
    name: cte.columns[i] ?? column.name,
    type: column.type,
  }))
  const sqlName = `r${environment.counter.next++}`
  const named: Named = { kind: 'recursive', sqlName, columns }
  const step = emitBody(
    body.right,
    { ...environment, ctes: new Map(environment.ctes).set(cte.name.toLowerCase(), named) },
    null,
  )
  const names = columns.map((_, i) => `c${i + 1}`).join(', ')
  const union = body.all ? 'UNION ALL' : 'UNION'
  return {
    sql: `WITH RECURSIVE ${sqlName}(${names}) AS (${start.sql} ${union} ${step.sql}) SELECT * FROM ${sqlName}`,
    columns,
    singleRow: false,
  }
}

function emitJoin(join: Join, environment: QueryEnvironment, parent: Scope | null): EmittedFrom {
  const left = emitRef(join.left, environment, parent)
  const right = emitRef(join.right, environment, parent)
  const merged = new Set(join.using.map((name) => name.toLowerCase()))
  const rightSources =
    merged.size === 0 ? right.sources : right.sources.map((source) => ({ ...source, merged }))
  const sources = [...left.sources, ...rightSources]
  const context: ExpressionContext = {
    scope: { sources, parent },
    clause: 'on clause',
    aggregates: false,
    aliases: NO_ALIASES,
    aliasFirst: false,
    emitQuery: (query, around) => emitQuery(query, environment, around),
  }
  const using = join.using.map((name): string => {
    const side = (from: EmittedFrom): string => {
      const column = findOwn({ sources: from.sources, parent: null }, null, name, 'on clause')
      if (column === null) throw unknownColumn(name, 'on clause')
      return column.sql
    }
    return `${side(left)} = ${side(right)}`
  })
  const sequences = [...left.sources, ...right.sources].map((source) => source.sequence).join(', ')
  const conditions = [
    `my_tick(${sequences})`,
    ...(join.on === null ? [] : [asNumber(emitExpression(join.on, context))]),
    ...using,
  ]
  const on = conditions.map((condition) => `(${condition})`).join(' AND ')
  const [first, second] = join.type === 'RIGHT' ? [right, left] : [left, right]
  const sql = `${first.sql} ${join.type === 'INNER' ? 'JOIN' : 'LEFT JOIN'} ${second.sql} ON ${on}`
  return { sql, sources, budget: 'my_tick(0)' }
}
