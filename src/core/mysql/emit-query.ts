import type { Cte, Expr, Limit, OrderItem, Query, QueryBody, Select, SetOperation } from './ast'
import { childrenOf, hasAggregate } from './aggregates'
import { emitExpression } from './emit-expression'
import {
  asNumber,
  asResult,
  emitOrderTerm,
  NO_ALIASES,
  type Emitted,
  type EmittedQuery,
  type ExpressionContext,
} from './emitted'
import { emitTableRef } from './emit-from'
import { MySqlError, unknownColumn, type Clause } from './errors'
import { checkFullGroupBy } from './full-group-by'
import type { Named, QueryEnvironment } from './query-environment'
import { rollupLevels } from './rollup'
import { findOwn, type Scope } from './scope'
import { commonType, declaredType } from './types'

/**
 * Writes a query for SQLite. Its result columns are called c1, c2, ...; MySQL's names and types come beside it.
 * With `sortOutside` an ORDER BY without LIMIT is left to the caller, as `sortKeys`.
 */
export function emitQuery(
  query: Query,
  environment: QueryEnvironment,
  parent: Scope | null,
  sortOutside = false,
): EmittedQuery {
  const inner = withCtes(query, environment)
  if (query.body.kind === 'select' && query.body.rollup)
    return emitRollup(query.body, query.orderBy, query.limit, inner, parent)
  if (query.body.kind === 'select') {
    return emitSelect(query.body, query.orderBy, query.limit, inner, parent, sortOutside)
  }
  const body = emitBody(query.body, inner, parent)
  const order = query.orderBy.map((item) => orderByOutput(item, body))
  const tail = `${order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`}${limitText(query.limit)}`
  return {
    ...body,
    sql: tail === '' ? body.sql : `SELECT * FROM (${body.sql})${tail}`,
    singleRow: query.limit?.count === 1,
    sortKeys: [],
  }
}

function withCtes(query: Query, environment: QueryEnvironment): QueryEnvironment {
  let result = environment
  for (const cte of query.ctes) {
    const key = cte.name.toLowerCase()
    const reference: Named = { kind: 'query', cte, environment: result }
    result = {
      ...result,
      ctes: new Map(result.ctes).set(key, query.recursive ? recursiveOr(reference, cte, result) : reference),
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

export function emitBody(body: QueryBody, environment: QueryEnvironment, parent: Scope | null): EmittedQuery {
  if (body.kind === 'select' && body.rollup) return emitRollup(body, [], null, environment, parent)
  if (body.kind === 'select') return emitSelect(body, [], null, environment, parent)
  if (body.kind === 'nested') return emitQuery(body.query, environment, parent)
  return emitSetOperation(body, environment, parent)
}

function emitSetOperation(
  body: SetOperation,
  environment: QueryEnvironment,
  parent: Scope | null,
): EmittedQuery {
  const query = emitBody(body.left, environment, parent)
  const right = emitBody(body.right, environment, parent)
  if (query.columns.length !== right.columns.length) {
    throw new MySqlError(1222, '21000', 'The used SELECT statements have a different number of columns')
  }
  const columns = query.columns.map((column, i) => ({
    name: column.name,
    type: commonType([column.type, right.columns[i]?.type ?? column.type]),
  }))
  const combine = body.operator === 'UNION' ? 'UNION ALL' : body.operator
  const all = `SELECT * FROM (${query.sql}) ${combine} SELECT * FROM (${right.sql})`
  // MySQL keeps the order of first appearance; SQLite's own UNION would sort.
  const sql = body.operator === 'UNION' && !body.all ? `SELECT DISTINCT * FROM (${all})` : all
  return { sql, columns, singleRow: false, sortKeys: [] }
}

/** WITH ROLLUP: its levels put together, in the order of the groups or in the one that is asked for. */
function emitRollup(
  select: Select,
  orderBy: readonly OrderItem[],
  limit: Limit | null,
  environment: QueryEnvironment,
  parent: Scope | null,
): EmittedQuery {
  const levels = rollupLevels(select, orderBy)
  const hiddenCount = levels[0]?.hidden ?? 0
  const emitted = levels.map((level) => emitSelect(level.select, [], null, environment, parent))
  const types = (emitted[0]?.columns ?? []).map((_, i) =>
    commonType(emitted.flatMap(({ columns }) => columns[i]?.type ?? [])),
  )
  const all = emitted.map(({ sql }) => `SELECT * FROM (${sql})`).join(' UNION ALL ')
  const order = types.slice(hiddenCount).map((type, i) => {
    const descending = orderBy[i]?.descending ?? false
    return emitOrderTerm({ sql: `c${hiddenCount + i + 1}`, type }, descending)
  })
  const views = types.slice(0, hiddenCount).map((_, i) => `c${i + 1}`)
  return {
    sql: `SELECT ${select.distinct ? 'DISTINCT ' : ''}${views.join(', ')} FROM (${all}) ORDER BY ${order.join(', ')}${limitText(limit)}`,
    columns: (emitted[0]?.columns ?? [])
      .slice(0, hiddenCount)
      .map(({ name }, i) => ({ name, type: types[i] ?? declaredType('TEXT') })),
    singleRow: limit?.count === 1,
    sortKeys: [],
  }
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
  sortOutside = false,
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
    reference: 'none' | 'after columns' | 'before columns',
  ): ExpressionContext => ({
    scope,
    clause,
    aggregates,
    aliases: reference === 'none' ? NO_ALIASES : aliases,
    aliasFirst: reference === 'before columns',
    emitQuery: (query, around) => emitQuery(query, environment, around),
    emit: emitExpression,
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
  const havingText =
    select.having === null
      ? null
      : emitHaving(select.having, select, items, scope, context('having clause', true, 'before columns'))
  const orderValues = orderExprs.map((item) =>
    emitExpression(item.expr, context('order clause', true, 'before columns')),
  )
  const isHidden = sortOutside && limit === null && !select.distinct
  const orderTerms = isHidden
    ? []
    : orderExprs.map((item, i) => emitOrderTerm(orderValues[i] as Emitted, item.descending))

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
    grouped || havingText === null ? '' : asNumber(havingText),
  ].filter((filter) => filter !== '')
  const parts = [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${[
      ...outputs.map((output, i) => `${asResult(output)} AS c${i + 1}`),
      ...(isHidden ? orderValues.map((key) => asResult(key)) : []),
    ].join(', ')}`,
    from === null ? '' : `FROM ${from.sql}`,
    filters.length === 0 ? '' : `WHERE ${filters.map((filter) => `(${filter})`).join(' AND ')}`,
    groups.length === 0 ? '' : `GROUP BY ${groups.map((group) => emitOrderTerm(group, false)).join(', ')}`,
    grouped && havingText !== null ? `HAVING ${asNumber(havingText)}` : '',
    orderClause(orderTerms, scope, grouped, groups.length > 0),
    limitText(limit).trim(),
  ]
  return {
    sql: parts.filter((part) => part !== '').join(' '),
    columns: items.map((item, i) => ({ name: item.name, type: outputs[i]?.type ?? declaredType('TEXT') })),
    singleRow: limit?.count === 1 || (grouped && groups.length === 0) || select.from === null,
    sortKeys: isHidden ? orderExprs.map(({ descending }) => ({ descending })) : [],
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
  havingExpr: Expr,
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
  check(havingExpr)
  return emitExpression(havingExpr, context)
}
