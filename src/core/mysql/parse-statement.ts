import type {
  Assignment,
  Cte,
  Expr,
  Limit,
  OnDuplicate,
  OrderItem,
  Query,
  QueryBody,
  RowChoice,
  Select,
  SelectItem,
  SetOperation,
  Statement,
  TableRef,
} from './ast'
import { Cursor } from './cursor'
import { denied, MySqlError } from './errors'
import { parseExpression, parseOrderItems, parseWindow } from './parse-expression'

/** Reads one MySQL statement. Throws `MySqlError`: 1064 where the text is not MySQL, 1227 for what no task may do. */
export function parseStatement(sql: string): Statement {
  const cursor = new Cursor(sql, parseQuery)
  const statement = readStatement(cursor)
  cursor.expectEnd()
  cursor.expectWindows()
  return statement
}

function readStatement(cursor: Cursor): Statement {
  if (cursor.isWord('SELECT') || cursor.isWord('WITH') || cursor.isOperator('('))
    return { kind: 'select', query: parseQuery(cursor) }
  const word = cursor.peek().kind === 'word' ? cursor.peek().text.toUpperCase() : ''
  switch (word) {
    case 'INSERT':
    case 'REPLACE':
      return parseInsert(cursor)
    case 'UPDATE':
      return parseUpdate(cursor)
    case 'DELETE':
      return parseDelete(cursor)
    case 'DESCRIBE':
    case 'DESC':
      cursor.next()
      return { kind: 'describe', table: parseTableName(cursor) }
    case 'SHOW':
      return parseShow(cursor)
    case 'TRUNCATE':
      cursor.next()
      cursor.takeWords('TABLE')
      return { kind: 'truncate', table: parseTableName(cursor) }
    case 'BEGIN':
    case 'START':
    case 'COMMIT':
    case 'ROLLBACK':
    case 'SET':
    case 'USE':
      while (cursor.peek().kind !== 'end') cursor.next()
      return { kind: 'nothing' }
    case 'CREATE':
    case 'DROP':
    case 'ALTER':
    case 'RENAME':
    case 'GRANT':
    case 'LOAD':
    case 'CALL':
    case 'EXPLAIN':
      throw denied(word)
    default:
      throw cursor.fail()
  }
}

function parseQuery(cursor: Cursor): Query {
  const withClause = cursor.takeWords('WITH')
  const recursive = withClause && cursor.takeWords('RECURSIVE')
  const ctes = withClause ? cursor.commaSeparated(() => parseCte(cursor)) : []
  const body = parseSetOperations(cursor)
  const orderBy = parseOrderBy(cursor)
  const limit = parseLimit(cursor)
  if (cursor.takeWords('FOR', 'UPDATE') || cursor.takeWords('LOCK', 'IN'))
    while (cursor.peek().kind === 'word') cursor.next()
  // A query that is nothing but one in parentheses is that query.
  if (body.kind === 'nested' && ctes.length === 0 && orderBy.length === 0 && limit === null) return body.query
  return { kind: 'query', recursive, ctes, body, orderBy, limit }
}

function parseCte(cursor: Cursor): Cte {
  const name = cursor.expectName()
  const columns = cursor.isOperator('(') ? cursor.parenthesized(() => cursor.expectName()) : []
  cursor.expectWords('AS')
  return { name, columns, query: cursor.subquery() }
}

function parseSetOperations(cursor: Cursor): QueryBody {
  let body = parseQueryTerm(cursor)
  for (;;) {
    const operator: SetOperation['operator'] | null = cursor.takeAny('UNION', 'INTERSECT', 'EXCEPT')
    if (operator === null) return body
    const all = cursor.takeAny('ALL', 'DISTINCT') === 'ALL'
    body = { kind: 'set', operator, all, left: body, right: parseQueryTerm(cursor) }
  }
}

function parseQueryTerm(cursor: Cursor): QueryBody {
  return cursor.isOperator('(') ? { kind: 'nested', query: cursor.subquery() } : parseSelect(cursor)
}

function parseSelect(cursor: Cursor): Select {
  cursor.expectWords('SELECT')
  const distinct = cursor.takeAny('DISTINCT', 'DISTINCTROW', 'ALL')
  const items = cursor.commaSeparated(() => parseSelectItem(cursor))
  const from = cursor.takeWords('FROM') ? parseTableRefs(cursor) : null
  const where = cursor.takeWords('WHERE') ? parseExpression(cursor) : null
  const groupBy = cursor.takeWords('GROUP', 'BY') ? cursor.commaSeparated(() => parseExpression(cursor)) : []
  const rollup = groupBy.length > 0 && cursor.takeWords('WITH', 'ROLLUP')
  const expr = cursor.takeWords('HAVING') ? parseExpression(cursor) : null
  if (cursor.takeWords('WINDOW'))
    cursor.commaSeparated(() => {
      const name = cursor.expectName()
      cursor.expectWords('AS')
      cursor.declareWindow(name, parseWindow(cursor))
    })
  return {
    kind: 'select',
    distinct: distinct !== null && distinct !== 'ALL',
    items,
    from,
    where,
    groupBy,
    rollup,
    having: expr,
  }
}

function parseSelectItem(cursor: Cursor): SelectItem {
  const start = cursor.peek().start
  if (cursor.takeOperator('*')) return { expr: { kind: 'star', table: null }, alias: null, text: '*' }
  const expr = parseExpression(cursor)
  const text = cursor.textSince(start)
  return { expr, alias: cursor.takeAlias(), text }
}

function parseTableRefs(cursor: Cursor): TableRef {
  let tableRef = parseJoins(cursor)
  while (cursor.takeOperator(','))
    tableRef = { kind: 'join', type: 'INNER', left: tableRef, right: parseJoins(cursor), on: null, using: [] }
  return tableRef
}

function parseJoins(cursor: Cursor): TableRef {
  let tableRef = parseTableFactor(cursor)
  for (;;) {
    const natural = cursor.takeWords('NATURAL')
    const type = takeJoin(cursor)
    if (type === null) {
      if (natural) throw cursor.fail()
      return tableRef
    }
    if (natural) {
      tableRef = {
        kind: 'join',
        type,
        left: tableRef,
        right: parseTableFactor(cursor),
        on: null,
        using: 'natural',
      }
      continue
    }
    const right = parseTableFactor(cursor)
    const on = cursor.takeWords('ON') ? parseExpression(cursor) : null
    const using =
      on === null && cursor.takeWords('USING') ? cursor.parenthesized(() => cursor.expectName()) : []
    if (type !== 'INNER' && on === null && using.length === 0) throw cursor.fail()
    tableRef = { kind: 'join', type, left: tableRef, right, on, using }
  }
}

function takeJoin(cursor: Cursor): 'INNER' | 'LEFT' | 'RIGHT' | null {
  if (cursor.takeWords('JOIN') || cursor.takeWords('INNER', 'JOIN') || cursor.takeWords('CROSS', 'JOIN'))
    return 'INNER'
  if (cursor.takeWords('LEFT', 'JOIN') || cursor.takeWords('LEFT', 'OUTER', 'JOIN')) return 'LEFT'
  if (cursor.takeWords('RIGHT', 'JOIN') || cursor.takeWords('RIGHT', 'OUTER', 'JOIN')) return 'RIGHT'
  return null
}

function parseTableFactor(cursor: Cursor): TableRef {
  if (cursor.isSubquery()) {
    const query = cursor.subquery()
    const alias = cursor.takeAlias()
    if (alias === null) throw new MySqlError(1248, '42000', 'Every derived table must have its own alias')
    const columns = cursor.isOperator('(') ? cursor.parenthesized(() => cursor.expectName()) : []
    return { kind: 'derived', query, alias, columns }
  }
  if (cursor.takeOperator('(')) {
    const inner = parseTableRefs(cursor)
    cursor.expectOperator(')')
    return inner
  }
  const name = parseTableName(cursor)
  return { kind: 'table', name, alias: cursor.takeAlias() ?? name }
}

/** `table` or `database.table`; there is only one database. */
function parseTableName(cursor: Cursor): string {
  const name = cursor.expectName()
  return cursor.takeOperator('.') ? cursor.expectNameAfterPoint() : name
}

const parseOrderBy = (cursor: Cursor): OrderItem[] =>
  cursor.takeWords('ORDER', 'BY') ? parseOrderItems(cursor) : []

/** `LIMIT n`, `LIMIT n OFFSET m` or `LIMIT m, n`. */
function parseLimit(cursor: Cursor): Limit | null {
  if (!cursor.takeWords('LIMIT')) return null
  const first = cursor.expectInteger()
  if (cursor.takeOperator(',')) return { offset: first, count: cursor.expectInteger() }
  return { count: first, offset: cursor.takeWords('OFFSET') ? cursor.expectInteger() : 0 }
}

function parseInsert(cursor: Cursor): Statement {
  const isReplace = cursor.next().text.toUpperCase() === 'REPLACE'
  const isIgnore = cursor.takeWords('IGNORE')
  const kind = isReplace ? 'replace' : isIgnore ? 'ignore' : 'refuse'
  cursor.takeWords('INTO')
  const table = parseTableName(cursor)
  if (cursor.takeWords('SET')) {
    const set = cursor.commaSeparated(() => parseAssignment(cursor))
    return {
      kind: 'insert',
      table,
      columns: set.map(({ column }) => column.name),
      source: { kind: 'values', rows: [set.map(({ value }) => value)] },
      onDuplicate: parseOnDuplicate(cursor, kind),
    }
  }
  const columns = cursor.isOperator('(') && !cursor.isSubquery() ? parseColumnNames(cursor) : null
  if (cursor.takeAny('VALUES', 'VALUE') === null) {
    const source = { kind: 'query', query: parseQuery(cursor) } as const
    return { kind: 'insert', table, columns, source, onDuplicate: parseOnDuplicate(cursor, kind) }
  }
  const rows = cursor.commaSeparated(() => {
    cursor.takeWords('ROW')
    if (cursor.isOperator('(') && cursor.isOperator(')', 1)) {
      cursor.next()
      cursor.next()
      return []
    }
    return cursor.parenthesized((): Expr | 'DEFAULT' =>
      cursor.takeWords('DEFAULT') ? 'DEFAULT' : parseExpression(cursor),
    )
  })
  const source = { kind: 'values', rows } as const
  return { kind: 'insert', table, columns, source, onDuplicate: parseOnDuplicate(cursor, kind) }
}

/** `[AS new[(a, b)]] ON DUPLICATE KEY UPDATE a = ...`, where it stands. */
function parseOnDuplicate(cursor: Cursor, otherwise: 'refuse' | 'ignore' | 'replace'): OnDuplicate {
  const alias = cursor.takeWords('AS') ? cursor.expectName() : null
  const names = alias !== null && cursor.isOperator('(') ? parseColumnNames(cursor) : []
  if (!cursor.takeWords('ON', 'DUPLICATE', 'KEY', 'UPDATE')) return { kind: otherwise }
  return { kind: 'update', set: cursor.commaSeparated(() => parseAssignment(cursor)), alias, names }
}

const parseColumnNames = (cursor: Cursor): string[] =>
  cursor.parenthesized(() => {
    const name = cursor.expectName()
    return cursor.takeOperator('.') ? cursor.expectNameAfterPoint() : name
  })

function parseAssignment(cursor: Cursor): Assignment {
  const first = cursor.expectName()
  const second = cursor.takeOperator('.') ? cursor.expectNameAfterPoint() : null
  cursor.expectOperator('=')
  const column = { kind: 'column', table: second === null ? null : first, name: second ?? first } as const
  return { column, value: parseExpression(cursor) }
}

function parseUpdate(cursor: Cursor): Statement {
  cursor.expectWords('UPDATE')
  cursor.takeWords('IGNORE')
  const target = parseTableRefs(cursor)
  cursor.expectWords('SET')
  const set = cursor.commaSeparated(() => parseAssignment(cursor))
  return { kind: 'update', target, set, ...parseRowChoice(cursor, target.kind === 'table') }
}

function parseDelete(cursor: Cursor): Statement {
  cursor.expectWords('DELETE')
  cursor.takeWords('IGNORE')
  let target: string | null = null
  if (!cursor.isWord('FROM')) {
    target = parseDeleteTarget(cursor)
    cursor.expectWords('FROM')
  } else {
    cursor.expectWords('FROM')
  }
  let from = parseTableRefs(cursor)
  if (cursor.takeWords('USING')) {
    if (from.kind !== 'table') throw cursor.fail()
    target = from.name
    from = parseTableRefs(cursor)
  }
  return { kind: 'delete', target, from, ...parseRowChoice(cursor, target === null) }
}

function parseDeleteTarget(cursor: Cursor): string {
  const name = cursor.expectName()
  if (cursor.takeOperator('.')) cursor.expectOperator('*')
  return name
}

function parseRowChoice(cursor: Cursor, single: boolean): RowChoice {
  const where = cursor.takeWords('WHERE') ? parseExpression(cursor) : null
  // The multi-table forms take neither ORDER BY nor LIMIT.
  if (!single) return { where, orderBy: [], limit: null }
  return { where, orderBy: parseOrderBy(cursor), limit: parseLimit(cursor) }
}

function parseShow(cursor: Cursor): Statement {
  cursor.expectWords('SHOW')
  cursor.takeWords('FULL')
  if (cursor.takeWords('TABLES')) return { kind: 'show-tables' }
  if (cursor.takeAny('COLUMNS', 'FIELDS') !== null) {
    if (cursor.takeAny('FROM', 'IN') === null) throw cursor.fail()
    return { kind: 'describe', table: parseTableName(cursor) }
  }
  throw denied('SHOW')
}
