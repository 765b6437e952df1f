import type { Expr, OrderItem, Query } from './ast'
import type { Clause } from './errors'
import type { Scope } from './scope'
import { isNumeric, type ValueType } from './types'

/** A piece of SQLite text and the MySQL type of what it yields. */
export interface Emitted {
  readonly sql: string
  readonly type: ValueType
}

export interface EmittedQuery {
  readonly sql: string
  readonly columns: readonly { readonly name: string; readonly type: ValueType }[]
  /** It can never give more than one row. */
  readonly singleRow: boolean
  /** Directions of the hidden key columns after `columns` by which the rows have yet to be sorted; empty for none. */
  readonly sortKeys: readonly { readonly descending: boolean }[]
}

/** Where an expression stands, and what may be named there. */
export interface ExpressionContext {
  readonly scope: Scope
  readonly clause: Clause
  /** Whether aggregates may stand here. */
  readonly aggregates: boolean
  /** Select aliases that may be named here (HAVING, ORDER BY, GROUP BY); by lower-case name. */
  readonly aliases: ReadonlyMap<string, Expr>
  /** Whether an alias wins over a column of the same name. */
  readonly aliasFirst: boolean
  emitQuery(query: Query, parent: Scope): EmittedQuery
  /** Writes any expression: what writes one kind of them asks here for its parts. */
  emit(expr: Expr, context: ExpressionContext): Emitted
}

export const quoteText = (text: string): string =>
  text.includes('\0')
    ? `CAST(x'${Array.from(new TextEncoder().encode(text), (b) => b.toString(16).padStart(2, '0')).join('')}' AS TEXT)`
    : `'${text.replaceAll("'", "''")}'`

/** Text read as a number where a number is needed, as MySQL does. */
export const asNumber = (value: Emitted): string =>
  isNumeric(value.type) || value.type.kind === 'null' ? value.sql : `my_num(${plainJson(value)})`

/** JSON as it is compared with other values: its strings without quotes. */
const plainJson = ({ sql, type }: Emitted): string => (type.kind === 'json' ? `my_json_plain(${sql})` : sql)

/** Anything as MySQL would print it. */
export function asText(value: Emitted): string {
  if (value.type.kind === 'decimal') return `my_fixed(${value.sql}, ${value.type.scale})`
  return isNumeric(value.type) ? `my_text(${value.sql})` : value.sql
}

/** A value as it leaves its query: decimals cut to their scale. */
export const asResult = (value: Emitted): string =>
  value.type.kind === 'decimal' ? `my_round(${value.sql}, ${value.type.scale})` : value.sql

export const NO_ALIASES: ReadonlyMap<string, Expr> = new Map()

/** `left op right` with MySQL's conversions: text against a number is read as a number, text against text ignores case. */
export function comparison(operator: string, rest: Emitted, right: Emitted): string {
  const sqliteOperator = operator === '<=>' ? 'IS' : operator
  const mixed =
    isNumeric(rest.type) !== isNumeric(right.type) && rest.type.kind !== 'null' && right.type.kind !== 'null'
  if (mixed) return `${asNumber(rest)} ${sqliteOperator} ${asNumber(right)}`
  if ((rest.type.kind === 'json') !== (right.type.kind === 'json'))
    return `${plainJson(rest)} COLLATE BINARY ${sqliteOperator} ${plainJson(right)} COLLATE BINARY`
  const collate = rest.type.kind === 'text' || right.type.kind === 'text' ? ' COLLATE NOCASE' : ''
  return `${rest.sql}${collate} ${sqliteOperator} ${right.sql}`
}

/** `ORDER BY` terms; text sorts without regard to case. */
export const emitOrderTerm = (value: Emitted, descending: boolean): string =>
  `${value.sql}${value.type.kind === 'text' ? ' COLLATE NOCASE' : ''}${descending ? ' DESC' : ''}`

export const emitOrderItems = (items: readonly OrderItem[], context: ExpressionContext): string[] =>
  items.map((item) => emitOrderTerm(context.emit(item.expr, context), item.descending))
