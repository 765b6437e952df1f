import type { BinaryOperator, Call, CastType, Expr, OrderItem, Window } from './ast'
import type { Cursor } from './cursor'

/** Reads one expression. MySQL's precedence, loosest first: OR, XOR, AND, NOT, comparisons, |, &, shifts, + -, * / DIV %, ^, signs. */
export const parseExpression = (cursor: Cursor): Expr => parseOr(cursor)

type Reader = (cursor: Cursor) => Expr

const binary = (operator: BinaryOperator, expr: Expr, right: Expr): Expr => ({
  kind: 'binary',
  operator,
  left: expr,
  right,
})

/** A row of left-associative operators over the next tighter level. */
function leftAssociative(next: Reader, take: (cursor: Cursor) => BinaryOperator | null): Reader {
  return (cursor) => {
    let expr = next(cursor)
    for (let operator = take(cursor); operator !== null; operator = take(cursor)) {
      expr = binary(operator, expr, next(cursor))
    }
    return expr
  }
}

const takeOperators =
  (...operators: readonly BinaryOperator[]) =>
  (cursor: Cursor): BinaryOperator | null =>
    operators.find((operator) => cursor.takeOperator(operator)) ?? null

const parseXorPower = leftAssociative(parseSign, takeOperators('^'))
const parseProduct = leftAssociative(parseXorPower, (cursor) => {
  if (cursor.takeWords('DIV')) return 'DIV'
  if (cursor.takeWords('MOD')) return '%'
  return takeOperators('*', '/', '%')(cursor)
})
const parseSum = leftAssociative(parseProduct, takeOperators('+', '-'))
const parseShift = leftAssociative(parseSum, takeOperators('<<', '>>'))
const parseBitAnd = leftAssociative(parseShift, takeOperators('&'))
const parseBitOr = leftAssociative(parseBitAnd, takeOperators('|'))
const parseAnd = leftAssociative(parseNot, (c) => (c.takeWords('AND') || c.takeOperator('&&') ? 'AND' : null))
const parseXor = leftAssociative(parseAnd, (c) => (c.takeWords('XOR') ? 'XOR' : null))
const parseOrLevel = leftAssociative(parseXor, (c) =>
  c.takeWords('OR') || c.takeOperator('||') ? 'OR' : null,
)

function parseOr(cursor: Cursor): Expr {
  return parseOrLevel(cursor)
}

function parseNot(cursor: Cursor): Expr {
  if (cursor.takeWords('NOT')) return { kind: 'unary', operator: 'NOT', operand: parseNot(cursor) }
  return parseComparison(cursor)
}

const COMPARISONS = ['<=>', '<=', '>=', '<>', '!=', '=', '<', '>'] as const

function parseComparison(cursor: Cursor): Expr {
  let expr = parseBitOr(cursor)
  for (;;) {
    const operator = COMPARISONS.find((candidate) => cursor.takeOperator(candidate))
    if (operator !== undefined) expr = parseComparedTo(cursor, operator === '!=' ? '<>' : operator, expr)
    else if (cursor.takeWords('IS')) expr = parseIs(cursor, expr)
    else {
      const negated =
        cursor.isWord('NOT') &&
        ['IN', 'LIKE', 'BETWEEN', 'REGEXP', 'RLIKE'].some((word) => cursor.isWord(word, 1))
      if (negated) cursor.next()
      const predicate = parsePredicate(cursor, expr, negated)
      if (predicate === null) return expr
      expr = predicate
    }
  }
}

function parseComparedTo(cursor: Cursor, operator: BinaryOperator, expr: Expr): Expr {
  const quantifier = cursor.takeAny('ALL', 'ANY', 'SOME')
  if (quantifier === null) return binary(operator, expr, parseBitOr(cursor))
  return { kind: 'quantified', operator, left: expr, all: quantifier === 'ALL', query: cursor.subquery() }
}

function parseIs(cursor: Cursor, operand: Expr): Expr {
  const negated = cursor.takeWords('NOT')
  const word = cursor.takeAny('NULL', 'UNKNOWN', 'TRUE', 'FALSE')
  if (word === null) throw cursor.fail()
  return { kind: 'is', negated, operand, what: word === 'UNKNOWN' ? 'NULL' : word }
}

function parsePredicate(cursor: Cursor, operand: Expr, negated: boolean): Expr | null {
  if (cursor.takeWords('IN')) {
    const list = cursor.isSubquery() ? cursor.subquery() : cursor.parenthesized(() => parseExpression(cursor))
    return { kind: 'in', negated, operand, list }
  }
  if (cursor.takeWords('BETWEEN')) {
    const low = parseBitOr(cursor)
    cursor.expectWords('AND')
    return { kind: 'between', negated, operand, low, high: parseBitOr(cursor) }
  }
  if (cursor.takeWords('LIKE')) {
    const pattern = parseSum(cursor)
    return {
      kind: 'like',
      negated,
      operand,
      pattern,
      escape: cursor.takeWords('ESCAPE') ? parsePrimary(cursor) : null,
    }
  }
  if (cursor.takeAny('REGEXP', 'RLIKE') !== null)
    return { kind: 'regexp', negated, operand, pattern: parseBitOr(cursor) }
  return null
}

function parseSign(cursor: Cursor): Expr {
  if (cursor.takeOperator('!')) return { kind: 'unary', operator: 'NOT', operand: parseSign(cursor) }
  for (const operator of ['-', '+', '~'] as const) {
    if (cursor.takeOperator(operator)) return { kind: 'unary', operator, operand: parseSign(cursor) }
  }
  if (cursor.takeWords('BINARY')) return parseSign(cursor)
  let operand = parsePrimary(cursor)
  while (cursor.takeWords('COLLATE')) {
    cursor.expectName()
    operand = { ...operand }
  }
  return operand
}

function parsePrimary(cursor: Cursor): Expr {
  const token = cursor.peek()
  if (cursor.isSubquery()) return { kind: 'subquery', query: cursor.subquery() }
  if (cursor.isOperator('(')) {
    const items = cursor.parenthesized(() => parseExpression(cursor))
    return items.length === 1 ? (items[0] as Expr) : { kind: 'row', items }
  }
  if (token.kind === 'number') return { kind: 'number', text: cursor.next().text }
  if (token.kind === 'string') {
    let value = cursor.next().text
    while (cursor.peek().kind === 'string') value += cursor.next().text
    return { kind: 'string', value }
  }
  if (token.kind === 'word') {
    const special = parseWord(cursor, token.text.toUpperCase())
    if (special !== null) return special
  }
  if (cursor.isName()) return parseJsonPaths(cursor, parseColumn(cursor))
  throw cursor.fail()
}

function parseWord(cursor: Cursor, word: string): Expr | null {
  switch (word) {
    case 'NULL':
      cursor.next()
      return { kind: 'null' }
    case 'TRUE':
    case 'FALSE':
      cursor.next()
      return { kind: 'boolean', value: word === 'TRUE' }
    case 'CASE':
      return parseCase(cursor)
    case 'EXISTS':
      cursor.next()
      return { kind: 'exists', query: cursor.subquery() }
    case 'INTERVAL': {
      cursor.next()
      const amount = parseBitOr(cursor)
      return { kind: 'interval', amount, unit: cursor.next().text.toUpperCase() }
    }
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIME':
      if (cursor.peek(1).kind !== 'string') break
      cursor.next()
      return {
        kind: 'cast',
        operand: { kind: 'string', value: cursor.next().text },
        type: word === 'DATE' ? 'date' : word === 'TIME' ? 'time' : 'datetime',
        scale: 0,
      }
    case 'CURRENT_DATE':
    case 'CURRENT_TIMESTAMP':
    case 'LOCALTIMESTAMP':
    case 'CURRENT_TIME':
      if (cursor.isOperator('(', 1)) break
      cursor.next()
      return call(word, [])
  }
  return cursor.isOperator('(', 1) ? parseCall(cursor, word) : null
}

function parseColumn(cursor: Cursor): Expr {
  const names = [cursor.next().text]
  while (cursor.takeOperator('.')) {
    if (cursor.takeOperator('*')) return { kind: 'star', table: names.at(-1) ?? null }
    names.push(cursor.expectNameAfterPoint())
  }
  return { kind: 'column', table: names.at(-2) ?? null, name: names.at(-1) ?? '' }
}

/** `column->'$.path'`, and `->>` without quotes. */
function parseJsonPaths(cursor: Cursor, operand: Expr): Expr {
  const isPlain = cursor.takeOperator('->>')
  if (!isPlain && !cursor.takeOperator('->')) return operand
  if (cursor.peek().kind !== 'string') throw cursor.fail()
  const foundCall = call('JSON_EXTRACT', [operand, { kind: 'string', value: cursor.next().text }])
  return isPlain ? call('JSON_UNQUOTE', [foundCall]) : foundCall
}

function parseCase(cursor: Cursor): Expr {
  cursor.expectWords('CASE')
  const operand = cursor.isWord('WHEN') ? null : parseExpression(cursor)
  const branches: { when: Expr; then: Expr }[] = []
  while (cursor.takeWords('WHEN')) {
    const when = parseExpression(cursor)
    cursor.expectWords('THEN')
    branches.push({ when, then: parseExpression(cursor) })
  }
  if (branches.length === 0) throw cursor.fail()
  const otherwise = cursor.takeWords('ELSE') ? parseExpression(cursor) : null
  cursor.expectWords('END')
  return { kind: 'case', operand, branches, otherwise }
}

const call = (name: string, args: readonly Expr[], more: Partial<Call> = {}): Call => ({
  kind: 'call',
  name,
  args,
  distinct: false,
  orderBy: [],
  separator: null,
  over: null,
  ...more,
})

function parseCall(cursor: Cursor, name: string): Expr {
  cursor.next()
  cursor.expectOperator('(')
  if (name === 'CAST' || name === 'CONVERT') return parseCast(cursor, name)
  if (name === 'EXTRACT') {
    const unit = cursor.next().text.toUpperCase()
    cursor.expectWords('FROM')
    const operand = parseExpression(cursor)
    cursor.expectOperator(')')
    return call(unit, [operand])
  }
  if (name === 'TRIM') return parseTrim(cursor)
  if (name === 'TIMESTAMPDIFF' || name === 'TIMESTAMPADD') {
    const unit: Expr = { kind: 'string', value: cursor.next().text.toUpperCase() }
    cursor.expectOperator(',')
    const args = [unit, ...cursor.commaSeparated(() => parseExpression(cursor))]
    cursor.expectOperator(')')
    return call(name, args)
  }
  const distinct = cursor.takeAny('DISTINCT', 'ALL') === 'DISTINCT'
  const args: Expr[] = []
  if (cursor.takeOperator('*')) args.push({ kind: 'star', table: null })
  else if (!cursor.isOperator(')')) args.push(...parseArguments(cursor))
  const orderBy = cursor.takeWords('ORDER', 'BY') ? parseOrderItems(cursor) : []
  const separator = cursor.takeWords('SEPARATOR') ? cursor.next().text : null
  cursor.expectOperator(')')
  const over = cursor.takeWords('OVER') ? parseOver(cursor) : null
  return call(name, args, { distinct, orderBy, separator, over })
}

/** `a, b`; SUBSTRING also takes `a FROM b FOR c`, POSITION `a IN b`. */
function parseArguments(cursor: Cursor): Expr[] {
  const args = cursor.commaSeparated(() => parseExpression(cursor))
  if (cursor.takeWords('FROM')) args.push(parseExpression(cursor))
  if (cursor.takeWords('FOR')) args.push(parseExpression(cursor))
  return args
}

function parseTrim(cursor: Cursor): Expr {
  const side = cursor.takeAny('LEADING', 'TRAILING', 'BOTH')
  const first = cursor.isWord('FROM') ? null : parseExpression(cursor)
  const second = cursor.takeWords('FROM') ? parseExpression(cursor) : null
  cursor.expectOperator(')')
  const operand = second ?? first
  if (operand === null) throw cursor.fail()
  const name = side === 'LEADING' ? 'LTRIM' : side === 'TRAILING' ? 'RTRIM' : 'TRIM'
  return call(name, second !== null && first !== null ? [operand, first] : [operand])
}

const CAST_TYPES: Readonly<Record<string, CastType>> = {
  SIGNED: 'int',
  UNSIGNED: 'int',
  INT: 'int',
  INTEGER: 'int',
  DECIMAL: 'decimal',
  NUMERIC: 'decimal',
  FLOAT: 'double',
  DOUBLE: 'double',
  REAL: 'double',
  CHAR: 'text',
  NCHAR: 'text',
  BINARY: 'text',
  DATE: 'date',
  DATETIME: 'datetime',
  TIME: 'time',
  YEAR: 'int',
}

function parseCast(cursor: Cursor, name: string): Expr {
  const operand = parseExpression(cursor)
  if (name === 'CONVERT' && cursor.takeWords('USING')) {
    cursor.next()
    cursor.expectOperator(')')
    return { kind: 'cast', operand, type: 'text', scale: 0 }
  }
  if (name === 'CAST') cursor.expectWords('AS')
  else cursor.expectOperator(',')
  const type = CAST_TYPES[cursor.peek().text.toUpperCase()]
  if (type === undefined || ['INT'].includes(cursor.peek().text.toUpperCase())) throw cursor.fail()
  cursor.next()
  const sizes = cursor.isOperator('(') ? cursor.parenthesized(() => cursor.expectInteger()) : []
  if (type === 'int') cursor.takeAny('INTEGER', 'INT')
  cursor.expectOperator(')')
  return { kind: 'cast', operand, type, scale: type === 'decimal' ? (sizes[1] ?? 0) : 0 }
}

/** A window in parentheses, or the name of one that the query declares behind its conditions. */
function parseOver(cursor: Cursor): Window {
  if (cursor.isOperator('(')) return parseWindow(cursor)
  return cursor.windowNamed(cursor.expectName())
}

/** `(PARTITION BY ... ORDER BY ... frame)` */
export function parseWindow(cursor: Cursor): Window {
  cursor.expectOperator('(')
  const partitionBy = cursor.takeWords('PARTITION', 'BY')
    ? cursor.commaSeparated(() => parseExpression(cursor))
    : []
  const orderBy = cursor.takeWords('ORDER', 'BY') ? parseOrderItems(cursor) : []
  const start = cursor.peek().start
  while (!cursor.isOperator(')') && ['word', 'number'].includes(cursor.peek().kind)) cursor.next()
  const frame = cursor.textSince(start).toUpperCase()
  cursor.expectOperator(')')
  return { partitionBy, orderBy, frame }
}

/** `expr [ASC|DESC], ...` */
export const parseOrderItems = (cursor: Cursor): OrderItem[] =>
  cursor.commaSeparated(() => {
    const expr = parseExpression(cursor)
    return { expr, descending: cursor.takeAny('ASC', 'DESC') === 'DESC' }
  })
