import type { Expr, OrderItem, Select, SelectItem } from './ast'
import { replaced } from './replaced'

/** One level of a rollup: a plain SELECT whose last items, hidden ones, are what its rows are ordered by. */
export interface RollupLevel {
  readonly select: Select
  /** Hidden items, from the first one on. */
  readonly hidden: number
}

const same = (one: Expr, other: Expr): boolean => {
  if (one.kind === 'column' && other.kind === 'column')
    return (
      one.name.toLowerCase() === other.name.toLowerCase() &&
      (one.table === null || other.table === null || one.table.toLowerCase() === other.table.toLowerCase())
    )
  return JSON.stringify(one) === JSON.stringify(other)
}

const COUNT: Expr = {
  kind: 'call',
  name: 'COUNT',
  args: [{ kind: 'star', table: null }],
  distinct: false,
  orderBy: [],
  separator: null,
  over: null,
}

const both = (expr: Expr | null, right: Expr | null): Expr | null =>
  expr === null || right === null ? (expr ?? right) : { kind: 'binary', operator: 'AND', left: expr, right }

/**
 * A SELECT with WITH ROLLUP as one plain SELECT for each level, from all groups to none. In a level the columns that are rolled up are NULL, GROUPING()
 * of them is 1, and rows come behind those they sum up.
 */
export function rollupLevels(select: Select, orderBy: readonly OrderItem[]): RollupLevel[] {
  const groups = select.groupBy.map((expr) => outputOf(expr, select))
  return Array.from({ length: groups.length + 1 }, (_, i) => groups.length - i).map((keptCount) => {
    const exprs = groups.slice(keptCount)
    const inLevel = (expr: Expr): Expr =>
      replaced(expr, (part) => {
        if (part.kind === 'call' && part.name === 'GROUPING')
          return {
            kind: 'number',
            text: exprs.some((group) => same(group, part.args[0] ?? part)) ? '1' : '0',
          }
        return exprs.some((group) => same(group, part)) ? { kind: 'null' } : null
      })
    const item = (expr: Expr): SelectItem => ({ expr, alias: null, text: '' })
    const items = select.items.map((one) => ({
      ...one,
      expr: inLevel(one.expr),
      alias: one.alias ?? (one.expr.kind === 'column' ? one.expr.name : one.text),
    }))
    const keys = orderBy.map(({ expr }) => item(inLevel(outputOf(expr, select))))
    const natural = groups.flatMap((group, i) => [
      item({ kind: 'number', text: i < keptCount ? '0' : '1' }),
      item(i < keptCount ? group : { kind: 'null' }),
    ])
    // The last level sums up all rows, if there are any.
    const all: Expr[] = keptCount === 0 ? [COUNT] : []
    const havingExpr = select.having === null ? null : inLevel(aliased(select.having, select))
    return {
      select: {
        ...select,
        distinct: false,
        items: [...items, ...keys, ...natural, item(all[0] ?? { kind: 'number', text: '0' })],
        groupBy: groups.slice(0, keptCount),
        rollup: false,
        having: [havingExpr, ...all].reduce<Expr | null>(both, null),
      },
      hidden: items.length,
    }
  })
}

/** What an output column's number or name stands for. */
function outputOf(expr: Expr, { items }: Select): Expr {
  if (expr.kind === 'number') return items[Number(expr.text) - 1]?.expr ?? expr
  if (expr.kind !== 'column' || expr.table !== null) return expr
  const name = expr.name.toLowerCase()
  return items.find(({ alias }) => alias?.toLowerCase() === name)?.expr ?? expr
}

const aliased = (expr: Expr, select: Select): Expr =>
  replaced(expr, (part) => {
    const output = outputOf(part, select)
    return part.kind === 'column' && output !== part ? output : null
  })
