import type { Expr, Query } from './ast'

export const AGGREGATES = new Set(
  'COUNT SUM AVG MIN MAX GROUP_CONCAT ANY_VALUE STD STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP BIT_AND BIT_OR'.split(
    ' ',
  ),
)

/** Direct parts of an expression, not those inside its subqueries. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'unary':
    case 'is':
    case 'cast':
      return [expr.operand]
    case 'binary':
      return [expr.left, expr.right]
    case 'like':
      return [expr.operand, expr.pattern]
    case 'regexp':
      return [expr.operand, expr.pattern]
    case 'in':
      return 'kind' in expr.list ? [expr.operand] : [expr.operand, ...expr.list]
    case 'between':
      return [expr.operand, expr.low, expr.high]
    case 'case':
      return [
        expr.operand,
        ...expr.branches.flatMap((branch) => [branch.when, branch.then]),
        expr.otherwise,
      ].filter((child): child is Expr => child !== null)
    case 'call':
      return [
        ...expr.args,
        ...expr.orderBy.map((item) => item.expr),
        ...(expr.over?.partitionBy ?? []),
        ...(expr.over?.orderBy.map((item) => item.expr) ?? []),
      ]
    case 'interval':
      return [expr.amount]
    case 'row':
      return expr.items
    case 'quantified':
      return [expr.left]
    default:
      return []
  }
}

/** Subqueries that stand directly in an expression. */
export function subqueriesOf(expr: Expr): Query[] {
  const own =
    expr.kind === 'subquery' || expr.kind === 'exists' || expr.kind === 'quantified'
      ? [expr.query]
      : expr.kind === 'in' && 'kind' in expr.list
        ? [expr.list]
        : []
  return [...own, ...childrenOf(expr).flatMap(subqueriesOf)]
}

export const isAggregate = (expr: Expr): boolean =>
  expr.kind === 'call' && expr.over === null && AGGREGATES.has(expr.name)

/** Whether an aggregate of this very SELECT occurs in the expression. */
export const hasAggregate = (expr: Expr): boolean => isAggregate(expr) || childrenOf(expr).some(hasAggregate)
