import { childrenOf, isAggregate } from './aggregates'
import type { Expr, OrderItem, Select } from './ast'
import { MySqlError } from './errors'
import { findOwn, type Scope } from './scope'

export interface GroupedSelect {
  readonly select: Select
  readonly items: readonly { readonly expr: Expr }[]
  readonly groupExprs: readonly Expr[]
  readonly scope: Scope
  readonly aliases: ReadonlyMap<string, Expr>
  readonly orderBy: readonly OrderItem[]
  readonly database: string
}

/**
 * MySQL's ONLY_FULL_GROUP_BY: outside aggregates only what is grouped by, or fixed by `column = constant` in WHERE, may be
 * named. Throws 1055, or 1140 for a query without GROUP BY.
 */
export function checkFullGroupBy(grouped: GroupedSelect): void {
  const keys = new Set(grouped.groupExprs.map((expr) => keyOf(expandAlias(expr, grouped, false), grouped)))
  const fixed = fixedColumns(grouped.select.where, grouped, keys)
  const allowed = (expr: Expr): boolean => keys.has(keyOf(expr, grouped)) || fixed.has(keyOf(expr, grouped))
  grouped.items.forEach((item, i) => {
    const loose = looseColumn(item.expr, grouped, allowed)
    if (loose !== null) throw misuse(grouped, `#${i + 1} of SELECT list`, loose)
  })
  grouped.orderBy.forEach((item, i) => {
    const loose = looseColumn(expandAlias(item.expr, grouped, true), grouped, allowed)
    if (loose !== null) throw misuse(grouped, `#${i + 1} of ORDER BY`, loose)
  })
}

function misuse(grouped: GroupedSelect, where: string, column: string): MySqlError {
  const mode = 'this is incompatible with sql_mode=only_full_group_by'
  if (grouped.groupExprs.length === 0) {
    const text = `In aggregated query without GROUP BY, expression ${where} contains nonaggregated column '${column}'; ${mode}`
    return new MySqlError(1140, '42000', text)
  }
  return new MySqlError(
    1055,
    '42000',
    `Expression ${where} is not in GROUP BY clause and contains nonaggregated column '${column}' ` +
      `which is not functionally dependent on columns in GROUP BY clause; ${mode}`,
  )
}

/** The alias's own expression; an alias that is also a column counts as the column unless `aliasFirst`. */
function expandAlias(expr: Expr, { aliases, scope }: GroupedSelect, aliasFirst: boolean): Expr {
  if (expr.kind !== 'column' || expr.table !== null) return expr
  const namedExpr = aliases.get(expr.name.toLowerCase())
  if (namedExpr === undefined) return expr
  return aliasFirst || findOwn(scope, null, expr.name, 'group statement') === null ? namedExpr : expr
}

/** Equal for equal expressions: columns by what they resolve to, everything else by shape. */
function keyOf(expr: Expr, { scope }: GroupedSelect): string {
  return JSON.stringify(expr, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'column') {
      const column = value as Extract<Expr, { kind: 'column' }>
      return (
        findOwn(scope, column.table, column.name, 'field list')?.sql ??
        `${column.table ?? ''}.${column.name}`.toLowerCase()
      )
    }
    return value
  })
}

/** Columns that WHERE ties to a constant or to a column that is grouped by. */
function fixedColumns(where: Expr | null, grouped: GroupedSelect, keys: ReadonlySet<string>): Set<string> {
  const fixed = new Set<string>()
  const visit = (expr: Expr): void => {
    if (expr.kind !== 'binary') return
    if (expr.operator === 'AND') {
      visit(expr.left)
      visit(expr.right)
    } else if (expr.operator === '=') {
      for (const [a, b] of [
        [expr.left, expr.right],
        [expr.right, expr.left],
      ] as const) {
        const isKnown =
          b.kind === 'number' || b.kind === 'string' || b.kind === 'boolean' || keys.has(keyOf(b, grouped))
        if (a.kind === 'column' && isKnown) fixed.add(keyOf(a, grouped))
      }
    }
  }
  if (where !== null) visit(where)
  return fixed
}

/** MySQL's full name of the first own column that is neither grouped by nor inside an aggregate. */
function looseColumn(expr: Expr, grouped: GroupedSelect, allowed: (expr: Expr) => boolean): string | null {
  if (isAggregate(expr) || allowed(expr)) return null
  if (expr.kind === 'column')
    return findOwn(grouped.scope, expr.table, expr.name, 'field list')?.label ?? null
  for (const child of childrenOf(expr)) {
    const matchText = looseColumn(child, grouped, allowed)
    if (matchText !== null) return matchText
  }
  return null
}
