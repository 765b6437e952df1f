import type { Call, Expr } from './ast'
import { AGGREGATES } from './aggregates'
import { asNumber, asText, emitOrderItems, quoteText, type Emitted, type ExpressionContext } from './emitted'
import { MySqlError } from './errors'
import { decimal, DIVISION_DIGITS, DOUBLE, INT, TEXT, type ValueType } from './types'

/** An aggregate over the rows of a group. Its arguments may hold no further aggregate. */
export function emitAggregate(call: Call, context: ExpressionContext): Emitted {
  return aggregate(call, { ...context, aggregates: false, aliasFirst: false })
}

function aggregate(call: Call, context: ExpressionContext): Emitted {
  const distinct = call.distinct ? 'DISTINCT ' : ''
  const [first] = call.args
  if (first === undefined)
    throw new MySqlError(1064, '42000', `You have an error in your SQL syntax near '${call.name}()'`)
  if (first.kind === 'star') return { sql: 'COUNT(*)', type: INT }
  const args = call.args.map((arg) => context.emit(arg, context))
  const value = args[0] as Emitted
  const number = asNumber(value)
  switch (call.name) {
    case 'COUNT':
      return {
        sql: args.length === 1 ? `COUNT(${distinct}${value.sql})` : countDistinctRows(args),
        type: INT,
      }
    case 'SUM':
      return {
        sql: `SUM(${distinct}${number})`,
        type: exact(value.type) ? decimal(value.type.scale) : DOUBLE,
      }
    case 'AVG':
      return {
        sql: `AVG(${distinct}${number})`,
        type: exact(value.type) ? decimal(value.type.scale + DIVISION_DIGITS) : DOUBLE,
      }
    case 'MIN':
    case 'MAX':
      return {
        sql: `${call.name}(${value.sql}${value.type.kind === 'text' ? ' COLLATE NOCASE' : ''})`,
        type: value.type,
      }
    case 'GROUP_CONCAT':
      return groupConcat(call, args, context)
    case 'ANY_VALUE':
      return value
    case 'BIT_AND':
    case 'BIT_OR':
      return { sql: `my_${call.name.toLowerCase()}(${number})`, type: INT }
    default:
      return { sql: spread(call.name, number), type: DOUBLE }
  }
}

const exact = (type: ValueType): boolean =>
  type.kind === 'int' || type.kind === 'decimal' || type.kind === 'null'

/** COUNT(DISTINCT a, b): rows with a NULL do not count. */
const countDistinctRows = (args: readonly Emitted[]): string =>
  `COUNT(DISTINCT ${args.map((arg) => `hex(${asText(arg)})`).join(" || ',' || ")})`

function groupConcat(call: Call, args: readonly Emitted[], context: ExpressionContext): Emitted {
  const text = args.map(asText).join(' || ')
  const order =
    call.orderBy.length === 0 ? '' : ` ORDER BY ${emitOrderItems(call.orderBy, context).join(', ')}`
  const separator = quoteText(call.separator ?? ',')
  if (!call.distinct) return { sql: `group_concat(${text}, ${separator}${order})`, type: TEXT }
  // SQLite's DISTINCT form has no separator of its own.
  return { sql: `replace(group_concat(DISTINCT ${text}${order}), ',', ${separator})`, type: TEXT }
}

/** Standard deviations and variances, which SQLite has not. */
function spread(name: string, value: string): string {
  const variance = `my_variance${name.endsWith('_SAMP') ? '_samp' : ''}(${value})`
  return name.startsWith('STD') ? `my_sqrt(${variance})` : variance
}

const WINDOW_ONLY: Readonly<Record<string, ValueType | 'argument'>> = {
  ROW_NUMBER: INT,
  RANK: INT,
  DENSE_RANK: INT,
  NTILE: INT,
  PERCENT_RANK: DOUBLE,
  CUME_DIST: DOUBLE,
  LAG: 'argument',
  LEAD: 'argument',
  FIRST_VALUE: 'argument',
  LAST_VALUE: 'argument',
  NTH_VALUE: 'argument',
}

/** `function(...) OVER (...)`. */
export function emitWindow(call: Call, context: ExpressionContext): Emitted {
  const { over } = call
  if (over === null)
    throw new MySqlError(
      3593,
      'HY000',
      `You cannot use the window function '${call.name.toLowerCase()}' in this context.'`,
    )
  const value = windowFunction(call, context)
  const partition = over.partitionBy.map((expr: Expr) => context.emit(expr, context).sql)
  const parts = [
    partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`,
    over.orderBy.length === 0 ? '' : `ORDER BY ${emitOrderItems(over.orderBy, context).join(', ')}`,
    over.frame,
  ]
  return { sql: `${value.sql} OVER (${parts.filter((part) => part !== '').join(' ')})`, type: value.type }
}

function windowFunction(call: Call, context: ExpressionContext): Emitted {
  if (AGGREGATES.has(call.name)) return aggregate(call, context)
  const type = WINDOW_ONLY[call.name]
  if (type === undefined)
    throw new MySqlError(1064, '42000', `You have an error in your SQL syntax near 'OVER'`)
  const args = call.args.map((arg) => context.emit(arg, context))
  return {
    sql: `${call.name}(${args.map((arg) => arg.sql).join(', ')})`,
    type: type === 'argument' ? (args[0]?.type ?? INT) : type,
  }
}
