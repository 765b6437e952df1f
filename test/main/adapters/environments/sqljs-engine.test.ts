import { beforeAll, describe, expect, it } from 'vitest'
import type { SqlTable } from '../../../../src/core/ground/ports'
import { formatObservation } from '../../../../src/core/tasks/lab-db/observation'
import {
  createEmbeddedDatabases,
  type EmbeddedDatabase,
  type EmbeddedDatabases,
} from '../../../../src/main/adapters/environments/sqljs-engine'

const table: SqlTable = {
  name: 'sales',
  columns: [
    { name: 'id', type: 'INT' },
    { name: 'region', type: 'TEXT' },
    { name: 'amount', type: 'INT' },
    { name: 'day', type: 'TEXT' },
  ],
  rows: [
    [1, 'South', 10, '2024-01-31'],
    [2, 'North', 20, '2024-02-15'],
    [3, 'South', 15, '2024-03-01'],
    [4, 'East', 7, '2024-03-20'],
  ],
}

let engine: EmbeddedDatabases
let session: EmbeddedDatabase
beforeAll(async () => {
  engine = await createEmbeddedDatabases({
    now: () => new Date('2024-05-09T10:11:12Z'),
    maxRowsLookedAt: 20_000,
  })
})

const ask = (sql: string): string => {
  session = engine.open([table])
  try {
    return formatObservation(session.execute(sql))
  } finally {
    session.close()
  }
}
/** The table after a statement. */
const after = (sql: string): unknown => {
  session = engine.open([table])
  try {
    const result = session.execute(sql)
    return result.kind === 'error' ? result.message : session.rows('sales')
  } finally {
    session.close()
  }
}

describe('what MySQL answers', () => {
  it.each([
    ['averages have four more digits', 'SELECT AVG(amount) FROM sales', "[(Decimal('13.0000'),)]"],
    ['sums are decimals', 'SELECT SUM(amount) FROM sales', "[(Decimal('52'),)]"],
    ['counts are integers', 'SELECT COUNT(*), MAX(amount) FROM sales', '[(4, 20)]'],
    ['/ divides exactly', 'SELECT 1 / 3, 7 DIV 2, 7 % 4, 1 / 0', "[(Decimal('0.3333'), 3, 3, None)]"],
    ['a quotient keeps its digits until printed', 'SELECT 1 / 3 * 100', "[(Decimal('33.3333'),)]"],
    ['products add scales', 'SELECT 10 * 1.15', "[(Decimal('11.50'),)]"],
    ['text in sums is a double', "SELECT SUM('2.5') FROM sales", '[(10.0,)]'],
    [
      'groups come as they first appear',
      'SELECT region, COUNT(*) FROM sales GROUP BY region',
      "[('South', 2), ('North', 1), ('East', 1)]",
    ],
    [
      'ties keep the order of rows',
      'SELECT region, COUNT(*) n FROM sales GROUP BY region ORDER BY n',
      "[('North', 1), ('East', 1), ('South', 2)]",
    ],
    ['UNION keeps first appearances', 'SELECT 2 UNION SELECT 1 UNION SELECT 2', '[(2,), (1,)]'],
    ['text compares without case', "SELECT id FROM sales WHERE region = 'SOUTH'", '[(1,), (3,)]'],
    [
      'IN compares without case',
      "SELECT id FROM sales WHERE region IN ('south', 'EAST')",
      '[(1,), (3,), (4,)]',
    ],
    [
      'double quotes are text, backticks names',
      'SELECT `id` FROM `sales` WHERE `region` = "North"',
      '[(2,)]',
    ],
    [
      'text against a number is read as one',
      "SELECT id FROM sales WHERE amount = '20' OR region = 99",
      '[(2,)]',
    ],
    ['LIMIT skips first', 'SELECT id FROM sales LIMIT 1, 2', '[(2,), (3,)]'],
    ['|| is OR', 'SELECT 0 || 1, NOT 1, TRUE, FALSE', '[(1, 0, 1, 0)]'],
    [
      'IF, CONCAT and NULL',
      "SELECT IF(1 > 2, 'a', 'b'), CONCAT('x', 1, 2.50), CONCAT('x', NULL)",
      "[('b', 'x12.50', None)]",
    ],
    [
      'dates',
      "SELECT YEAR(day), DATE_ADD(day, INTERVAL 1 MONTH), DATEDIFF(day, '2024-01-01') FROM sales LIMIT 1",
      "[(2024, '2024-02-29', 30)]",
    ],
    [
      'typed dates',
      "SELECT DATE('2024-05-09'), CURDATE(), NOW()",
      '[(datetime.date(2024, 5, 9), datetime.date(2024, 5, 9), datetime.datetime(2024, 5, 9, 10, 11, 12))]',
    ],
    [
      'date formats',
      "SELECT DATE_FORMAT('2024-05-09', '%d/%m/%y %M'), STR_TO_DATE('09/05/2024', '%d/%m/%Y')",
      "[('09/05/24 May', datetime.date(2024, 5, 9))]",
    ],
    [
      'HAVING knows aliases',
      'SELECT region, SUM(amount) s FROM sales GROUP BY region HAVING s > 10',
      "[('South', Decimal('25')), ('North', Decimal('20'))]",
    ],
    ['HAVING without groups filters', 'SELECT id, amount FROM sales HAVING amount > 15', '[(2, 20)]'],
    [
      'derived tables and joins',
      'SELECT s.id FROM sales s JOIN (SELECT AVG(amount) a FROM sales) t ON s.amount > t.a',
      '[(2,), (3,)]',
    ],
    [
      'windows',
      'SELECT id, ROW_NUMBER() OVER (PARTITION BY region ORDER BY amount DESC) FROM sales',
      '[(4, 1), (2, 1), (3, 1), (1, 2)]',
    ],
    [
      'common table expressions',
      'WITH t AS (SELECT region r FROM sales) SELECT COUNT(DISTINCT r) FROM t',
      '[(3,)]',
    ],
    [
      'recursion',
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n',
      '[(1,), (2,), (3,)]',
    ],
    [
      'a column that WHERE fixes may be selected',
      "SELECT region, COUNT(*) FROM sales WHERE region = 'South'",
      "[('South', 2)]",
    ],
    ['several statements answer with the last', 'SELECT 1; SELECT 2;', '[(2,)]'],
    ['nothing is answered by a write', 'DELETE FROM sales', '[]'],
    ['text with a semicolon and a quote', "SELECT 'a;b', 'it''s', \"it's\"", `[('a;b', "it's", "it's")]`],
    ['SHOW TABLES and DESCRIBE', 'SHOW TABLES', "[('sales',)]"],
    [
      'GROUP_CONCAT',
      "SELECT GROUP_CONCAT(DISTINCT region ORDER BY region SEPARATOR '|') FROM sales",
      "[('East|North|South',)]",
    ],
    ['ALL and ANY', 'SELECT id FROM sales WHERE amount >= ALL (SELECT amount FROM sales)', '[(2,)]'],
    [
      'row comparisons',
      "SELECT id FROM sales WHERE (region, amount) IN (('South', 15), ('East', 1))",
      '[(3,)]',
    ],
  ])('%s', (_, sql, expected) => expect(ask(sql)).toBe(expected))

  it.each([
    ['SELECT x FROM sales', "1054 (42S22): Unknown column 'x' in 'field list'"],
    ['SELECT id AS x FROM sales WHERE x = 1', "1054 (42S22): Unknown column 'x' in 'where clause'"],
    ['SELECT * FROM nowhere', "1146 (42S02): Table 'sales.nowhere' doesn't exist"],
    ['SELECT * FROM sales WHERE SUM(amount) > 1', '1111 (HY000): Invalid use of group function'],
    ['SELECT id FROM (SELECT id FROM sales)', '1248 (42000): Every derived table must have its own alias'],
    ['SELECT id FROM sales a JOIN sales b', '1052 (23000): Column'],
    [
      'SELECT id, COUNT(*) FROM sales GROUP BY region',
      "1055 (42000): Expression #1 of SELECT list is not in GROUP BY clause and contains nonaggregated column 'sales.sales.id'",
    ],
    ['SELECT id, COUNT(*) FROM sales', '1140 (42000): In aggregated query without GROUP BY'],
    [
      'SELECT id FROM sales WHERE id IN (SELECT id FROM sales LIMIT 1)',
      "1235 (42000): This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'",
    ],
    ['SELECT (SELECT id FROM sales)', '1242 (21000): Subquery returns more than 1 row'],
    [
      'DELETE FROM sales WHERE amount < (SELECT AVG(amount) FROM sales)',
      "1093 (HY000): You can't specify target table 'sales' for update in FROM clause",
    ],
    ['INSERT INTO sales (id) VALUES (1, 2)', "1136 (21S01): Column count doesn't match value count at row 1"],
    [
      "INSERT INTO sales (id) VALUES ('abc')",
      "1366 (HY000): Incorrect integer value: 'abc' for column 'id' at row 1",
    ],
    ['DELETE FROM sales WHERE region = 0', "1292 (22007): Truncated incorrect DOUBLE value: 'South'"],
    [
      'SELEC 1',
      "1064 (42000): You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'SELEC 1' at line 1",
    ],
    ['SELECT nope(1)', '1305 (42000): FUNCTION'],
  ])('%s fails in MySQL words', (sql, message) => expect(ask(sql)).toContain(message))
})

describe('what MySQL writes', () => {
  const others = table.rows.slice(1)

  it.each([
    [
      'INT columns round half up',
      'UPDATE sales SET amount = amount * 1.15 WHERE id = 1',
      [[1, 'South', 12, '2024-01-31'], ...others],
    ],
    [
      'text columns take numbers as text',
      'UPDATE sales SET region = 5 WHERE id = 1',
      [[1, '5', 10, '2024-01-31'], ...others],
    ],
    [
      'left assignments are seen by right ones',
      'UPDATE sales SET id = 9, amount = id WHERE id = 1',
      [[9, 'South', 9, '2024-01-31'], ...others],
    ],
    [
      'columns left out are NULL',
      "INSERT INTO sales (id, region) VALUES (5, 'West')",
      [...table.rows, [5, 'West', null, null]],
    ],
    ['INSERT ... SET', 'INSERT INTO sales SET id = 5, amount = 2.5', [...table.rows, [5, null, 3, null]]],
    [
      'INSERT ... SELECT from itself',
      'INSERT INTO sales SELECT id + 4, region, amount, day FROM sales WHERE id = 1',
      [...table.rows, [5, 'South', 10, '2024-01-31']],
    ],
    ['ORDER BY and LIMIT of a DELETE', 'DELETE FROM sales ORDER BY amount LIMIT 3', [table.rows[1]]],
    [
      'a derived table hides the target',
      'DELETE FROM sales WHERE amount < (SELECT a FROM (SELECT AVG(amount) a FROM sales) t)',
      [table.rows[1], table.rows[2]],
    ],
    [
      'UPDATE ... JOIN',
      'UPDATE sales s JOIN (SELECT MAX(amount) m FROM sales) t SET s.amount = 0 WHERE s.amount < t.m',
      table.rows.map((row) => (row[0] === 2 ? row : [row[0], row[1], 0, row[3]])),
    ],
    ['aliases in DELETE', 'DELETE FROM sales AS s WHERE s.id > 1', [table.rows[0]]],
  ])('%s', (_, sql, rows) => expect(after(sql)).toEqual(rows))
})

describe('bounds', () => {
  const many = Array.from({ length: 8 }, (_, i) => `sales s${i}`).join(', ')

  it.each([
    ['a cross join', `SELECT COUNT(*) FROM ${many}`],
    [
      'endless recursion',
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n',
    ],
    [
      'a join that no row passes',
      `SELECT COUNT(*) FROM ${many.replaceAll(',', ' JOIN')} ON s0.id + s3.id + s7.id > 99`,
    ],
  ])('stops %s', (_, sql) => expect(ask(sql)).toMatch(/^3024 \(HY000\): Query execution was interrupted/))

  it.each([
    "ATTACH DATABASE 'x' AS y",
    'PRAGMA table_info(sales)',
    'SELECT load_extension("x")',
    "SELECT writefile('x', 'y')",
    'SELECT * FROM sqlite_schema',
    'DROP TABLE sales',
    'VACUUM',
  ])('refuses %s', (sql) => expect(ask(sql)).toMatch(/^(1064|1146|1305|1227) /))

  it('builds no endless text', () => {
    expect(ask("SELECT REPEAT('abc', 100000000)")).toBe('[(None,)]')
  })

  it('keeps sessions apart', () => {
    const [a, b] = [engine.open([table]), engine.open([table])]
    a.execute('DELETE FROM sales')
    expect([a.rows('sales').length, b.rows('sales').length]).toEqual([0, 4])
    a.close()
    b.close()
  })
})
