import type { BinaryOperator, Expr, Query } from './ast'
import { AGGREGATES } from './aggregates'
import { groupFunctionMisuse, MySqlError, unsupported } from './errors'
import { emitAggregate, emitWindow } from './emit-aggregate'
import { emitDateShift, emitFunction } from './emit-function'
import {
  asNumber,
  asText,
  comparison,
  NO_ALIASES,
  quoteText,
  type Emitted,
  type EmittedQuery,
  type ExpressionContext,
} from './emitted'
import { resolveColumn, findOwn } from './scope'
import {
  arithmeticType,
  commonType,
  DATETIME,
  decimal,
  DOUBLE,
  INT,
  isNumeric,
  NULL,
  TEXT,
  DATE,
  TIME,
  type ValueType,
} from './types'

export function emitExpression(expr: Expr, context: ExpressionContext): Emitted {
  const emit = (part: Expr): Emitted => emitExpression(part, context)
  switch (expr.kind) {
    case 'number':
      return { sql: expr.text, type: literalType(expr.text) }
    case 'string':
      return { sql: quoteText(expr.value), type: TEXT }
    case 'null':
      return { sql: 'NULL', type: NULL }
    case 'boolean':
      return { sql: expr.value ? '1' : '0', type: INT }
    case 'column':
      return emitColumn(expr, context)
    case 'star':
      throw new MySqlError(1064, '42000', "You have an error in your SQL syntax near '*'")
    case 'unary':
      return emitUnary(expr.operator, emit(expr.operand))
    case 'binary':
      return emitBinary(expr.operator, expr.left, expr.right, context)
    case 'like': {
      const escape = expr.escape === null ? "'\\'" : emit(expr.escape).sql
      return bool(
        `${asText(emit(expr.operand))} ${not(expr.negated)}LIKE ${asText(emit(expr.pattern))} ESCAPE ${escape}`,
      )
    }
    case 'regexp':
      return bool(
        `${not(expr.negated)}my_regexp(${asText(emit(expr.operand))}, ${asText(emit(expr.pattern))})`,
      )
    case 'in':
      return emitIn(expr.operand, expr.list, expr.negated, context)
    case 'between': {
      const operand = emit(expr.operand)
      const low = comparison('>=', operand, emit(expr.low))
      const high = comparison('<=', operand, emit(expr.high))
      return bool(`${not(expr.negated)}(${low} AND ${high})`)
    }
    case 'is': {
      const operand = emit(expr.operand)
      const truth = expr.what === 'NULL' ? `${operand.sql} IS NULL` : `(${asNumber(operand)}) IS ${expr.what}`
      return bool(`${not(expr.negated)}(${truth})`)
    }
    case 'case':
      return emitCase(expr, context)
    case 'call':
      if (expr.over !== null) return emitWindow(expr, context)
      if (!AGGREGATES.has(expr.name)) return emitFunction(expr, context)
      if (!context.aggregates) throw groupFunctionMisuse()
      return emitAggregate(expr, context)
    case 'cast':
      return emitCast(emit(expr.operand), expr.type, expr.scale)
    case 'interval':
      throw new MySqlError(1064, '42000', "You have an error in your SQL syntax near 'INTERVAL'")
    case 'row':
      return { sql: `(${expr.items.map((item) => emit(item).sql).join(', ')})`, type: NULL }
    case 'subquery':
      return emitScalarSubquery(expr.query, context)
    case 'exists':
      return bool(`EXISTS (${context.emitQuery(expr.query, context.scope).sql})`)
    case 'quantified':
      return emitQuantified(expr, context)
  }
}

const bool = (sql: string): Emitted => ({ sql: `(${sql})`, type: INT })
const not = (negated: boolean): string => (negated ? 'NOT ' : '')

function literalType(text: string): ValueType {
  if (/e/i.test(text)) return DOUBLE
  const point = text.indexOf('.')
  return point < 0 ? INT : decimal(text.length - point - 1)
}

function emitColumn(expr: Extract<Expr, { kind: 'column' }>, context: ExpressionContext): Emitted {
  const alias = expr.table === null ? context.aliases.get(expr.name.toLowerCase()) : undefined
  if (
    alias !== undefined &&
    (context.aliasFirst || findOwn(context.scope, null, expr.name, context.clause) === null)
  ) {
    return emitExpression(alias, { ...context, aliases: NO_ALIASES })
  }
  const { sql, type } = resolveColumn(context.scope, expr.table, expr.name, context.clause)
  return { sql, type }
}

function emitUnary(operator: '-' | '+' | '~' | 'NOT', operand: Emitted): Emitted {
  if (operator === 'NOT') return bool(`NOT ${asNumber(operand)}`)
  const type = isNumeric(operand.type) ? operand.type : DOUBLE
  return {
    sql: `(${operator === '-' ? '- ' : operator}${asNumber(operand)})`,
    type: operator === '~' ? INT : type,
  }
}

const COMPARISONS = new Set<BinaryOperator>(['=', '<=>', '<>', '<', '<=', '>', '>='])

function emitBinary(
  operator: BinaryOperator,
  leftExpr: Expr,
  rightExpr: Expr,
  context: ExpressionContext,
): Emitted {
  if ((operator === '+' || operator === '-') && rightExpr.kind === 'interval') {
    return emitDateShift(emitExpression(leftExpr, context), rightExpr, operator, context)
  }
  if (operator === '+' && leftExpr.kind === 'interval') {
    return emitDateShift(emitExpression(rightExpr, context), leftExpr, operator, context)
  }
  if (COMPARISONS.has(operator) && leftExpr.kind === 'row' && rightExpr.kind === 'row') {
    return emitRowComparison(operator, leftExpr.items, rightExpr.items, context)
  }
  const rest = emitExpression(leftExpr, context)
  const right = emitExpression(rightExpr, context)
  if (COMPARISONS.has(operator)) return bool(comparison(operator, rest, right))
  const [a, b] = [asNumber(rest), asNumber(right)]
  const type = arithmeticType(operator, rest.type, right.type)
  switch (operator) {
    case 'XOR':
      return bool(`(NOT ${a}) <> (NOT ${b})`)
    case '/':
      return { sql: `(1.0 * ${a} / ${b})`, type }
    case 'DIV':
      return { sql: `CAST(1.0 * ${a} / ${b} AS INTEGER)`, type: INT }
    case '%':
      return { sql: `my_mod(${a}, ${b})`, type }
    case '^':
      return { sql: `((${a} | ${b}) - (${a} & ${b}))`, type: INT }
    case '+':
    case '-':
    case '*':
      return { sql: `(${a} ${operator} ${b})`, type }
    default:
      return bool(`${a} ${operator} ${b}`)
  }
}

function emitRowComparison(
  operator: BinaryOperator,
  exprs: readonly Expr[],
  right: readonly Expr[],
  context: ExpressionContext,
): Emitted {
  if (exprs.length !== right.length) throw columnCount(exprs.length)
  if (operator !== '=' && operator !== '<>') throw unsupported('row comparison')
  const pairs = exprs.map(
    (item, i) =>
      `(${comparison('=', emitExpression(item, context), emitExpression(right[i] ?? item, context))})`,
  )
  return bool(`${not(operator === '<>')}(${pairs.join(' AND ')})`)
}

const columnCount = (count: number): MySqlError =>
  new MySqlError(1241, '21000', `Operand should contain ${count} column(s)`)

function emitIn(
  operandExpr: Expr,
  list: readonly Expr[] | Query,
  negated: boolean,
  context: ExpressionContext,
): Emitted {
  if ('kind' in list) {
    if (list.limit !== null) throw unsupported('LIMIT & IN/ALL/ANY/SOME subquery')
    return emitInQuery(operandExpr, context.emitQuery(list, context.scope), negated, context)
  }
  if (operandExpr.kind === 'row') {
    const tests = list.map((item) => emitBinary('=', operandExpr, item, context).sql)
    return bool(`${not(negated)}(${tests.join(' OR ')})`)
  }
  const operand = emitExpression(operandExpr, context)
  const tests = list.map((item) => `(${comparison('=', operand, emitExpression(item, context))})`)
  return bool(`${not(negated)}(${tests.join(' OR ')})`)
}

function emitInQuery(
  operandExpr: Expr,
  query: EmittedQuery,
  negated: boolean,
  context: ExpressionContext,
): Emitted {
  const width = operandExpr.kind === 'row' ? operandExpr.items.length : 1
  if (query.columns.length !== width) throw columnCount(width)
  const operand = emitExpression(operandExpr, context)
  const [column] = query.columns
  if (operandExpr.kind === 'row' || column === undefined)
    return bool(`${operand.sql} ${not(negated)}IN (${query.sql})`)
  const mixed =
    isNumeric(operand.type) !== isNumeric(column.type) &&
    column.type.kind !== 'null' &&
    operand.type.kind !== 'null'
  if (mixed) {
    const values = asNumber({ sql: 'c1', type: column.type })
    return bool(`${asNumber(operand)} ${not(negated)}IN (SELECT ${values} FROM (${query.sql}))`)
  }
  const collate = operand.type.kind === 'text' ? ' COLLATE NOCASE' : ''
  return bool(`${operand.sql}${collate} ${not(negated)}IN (${query.sql})`)
}

function emitCase(expr: Extract<Expr, { kind: 'case' }>, context: ExpressionContext): Emitted {
  const operand = expr.operand === null ? null : emitExpression(expr.operand, context)
  const thens = expr.branches.map((branch) => emitExpression(branch.then, context))
  const otherwise = expr.otherwise === null ? null : emitExpression(expr.otherwise, context)
  const type = commonType([...thens, ...(otherwise === null ? [] : [otherwise])].map((value) => value.type))
  const value = (emitted: Emitted): string => (type.kind === 'text' ? asText(emitted) : emitted.sql)
  const branches = expr.branches.map((branch, i) => {
    const when = emitExpression(branch.when, context)
    const test = operand === null ? asNumber(when) : comparison('=', operand, when)
    return `WHEN ${test} THEN ${value(thens[i] ?? when)}`
  })
  return {
    sql: `CASE ${branches.join(' ')}${otherwise === null ? '' : ` ELSE ${value(otherwise)}`} END`,
    type,
  }
}

function emitCast(operand: Emitted, type: string, scale: number): Emitted {
  switch (type) {
    case 'int':
      return { sql: `my_round(${asNumber(operand)}, 0)`, type: INT }
    case 'decimal':
      return { sql: `my_round(${asNumber(operand)}, ${scale})`, type: decimal(scale) }
    case 'double':
      return { sql: `CAST(${asNumber(operand)} AS REAL)`, type: DOUBLE }
    case 'date':
      return { sql: `my_date(${operand.sql})`, type: DATE }
    case 'datetime':
      return { sql: `my_datetime(${operand.sql})`, type: DATETIME }
    case 'time':
      return { sql: `my_time(${operand.sql})`, type: TIME }
    default:
      return { sql: asText(operand), type: TEXT }
  }
}

function emitScalarSubquery(query: Query, context: ExpressionContext): Emitted {
  const emitted = context.emitQuery(query, context.scope)
  const [column] = emitted.columns
  if (column === undefined || emitted.columns.length !== 1) throw columnCount(1)
  const sql = emitted.singleRow ? emitted.sql : `SELECT my_only_row(c1) FROM (${emitted.sql})`
  return { sql: `(${sql})`, type: column.type }
}

function emitQuantified(expr: Extract<Expr, { kind: 'quantified' }>, context: ExpressionContext): Emitted {
  if (expr.query.limit !== null) throw unsupported('LIMIT & IN/ALL/ANY/SOME subquery')
  const query = context.emitQuery(expr.query, context.scope)
  const [column] = query.columns
  if (column === undefined || query.columns.length !== 1) throw columnCount(1)
  const test = comparison(expr.operator, emitExpression(expr.left, context), { sql: 'c1', type: column.type })
  return bool(
    `COALESCE((SELECT ${expr.all ? 'MIN' : 'MAX'}(${test}) FROM (${query.sql})), ${expr.all ? 1 : 0})`,
  )
}
