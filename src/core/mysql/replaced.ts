import { childrenOf, isAggregate } from './aggregates'
import type { Expr } from './ast'

/** The expression with some parts replaced, outside of aggregates. */
export function replaced(expr: Expr, by: (part: Expr) => Expr | null): Expr {
  const foundExpr = by(expr)
  if (foundExpr) return foundExpr
  if (isAggregate(expr) || childrenOf(expr).length === 0) return expr
  const copy: Record<string, unknown> = { ...expr }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const part = value as Record<string, unknown>
    // Queries have names of their own.
    if (part['kind'] === 'query') return part
    if (typeof part['kind'] === 'string') return replaced(part as unknown as Expr, by)
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]))
  }
  for (const [key, value] of Object.entries(expr)) copy[key] = visit(value)
  return copy as unknown as Expr
}
