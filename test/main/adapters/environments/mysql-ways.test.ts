import { beforeAll, describe, expect, it } from 'vitest'
import { formatObservation } from '../../../../src/core/tasks/lab-db/observation'
import {
  createEmbeddedDatabases,
  type EmbeddedDatabases,
} from '../../../../src/main/adapters/environments/sqljs-engine'
import { PROBE_TABLES } from './server/probes'

let databases: EmbeddedDatabases
beforeAll(async () => {
  databases = await createEmbeddedDatabases()
})

/** What statements are told, and the first columns of the table afterwards. */
function run(...statements: string[]) {
  const database = databases.open(PROBE_TABLES)
  try {
    const told = statements.map((sql) => formatObservation(database.execute(sql)))
    return { told: told.at(-1), rows: database.rows('sales').map((row) => row.slice(0, 4).join('|')) }
  } finally {
    database.close()
  }
}

describe('rows whose key is there already', () => {
  it.each([
    [
      'INSERT INTO sales (id, amount) VALUES (1, 3) ON DUPLICATE KEY UPDATE amount = amount + VALUES(amount)',
      '1|South|Tea|13',
    ],
    [
      'INSERT INTO sales (id, amount) VALUES (1, 3) AS fresh ON DUPLICATE KEY UPDATE amount = fresh.amount',
      '1|South|Tea|3',
    ],
    [
      'INSERT INTO sales (id, amount) VALUES (1, 3) AS fresh(a, b) ON DUPLICATE KEY UPDATE amount = b * 2, region = amount',
      '1|6|Tea|6',
    ],
    ['INSERT INTO sales (id, amount) SELECT 1, 5 ON DUPLICATE KEY UPDATE amount = 77', '1|South|Tea|77'],
    ['INSERT IGNORE INTO sales (id, amount) VALUES (1, 3)', '1|South|Tea|10'],
    ['REPLACE INTO sales (id, amount) VALUES (1, 3)', '1|||3'],
  ])('%s', (sql, first) => {
    const { told, rows } = run(sql)
    expect(told).toBe('[]')
    expect(rows[0]).toBe(first)
    expect(rows).toHaveLength(5)
  })

  it("are refused in MySQL's words", () => {
    expect(run('INSERT INTO sales (id) VALUES (9), (2)').told).toBe(
      "1062 (23000): Duplicate entry '2' for key 'sales.PRIMARY'",
    )
    expect(run('INSERT INTO sales (id) VALUES (NULL)').told).toBe("1048 (23000): Column 'id' cannot be null")
    expect(run('INSERT INTO sales (amount) VALUES (1)').told).toBe(
      "1364 (HY000): Field 'id' doesn't have a default value",
    )
    expect(run('INSERT INTO sales (id, nope) VALUES (1, 2) ON DUPLICATE KEY UPDATE x = 1').told).toMatch(
      /^1054 /,
    )
    expect(
      run('INSERT INTO sales (id) VALUES (1) ON DUPLICATE KEY UPDATE amount = (SELECT MAX(id) FROM sales)')
        .told,
    ).toMatch(/^1093 /)
  })

  it('are new ones in a table without a key', () => {
    const sql =
      "INSERT INTO regions (name, head) VALUES ('South', 'Dan') ON DUPLICATE KEY UPDATE head = 'Eve'"
    expect(run(sql, "SELECT head FROM regions WHERE name = 'South'").told).toBe("[('Ann',), ('Dan',)]")
  })
})

describe('WITH ROLLUP', () => {
  it.each([
    [
      'SELECT region, SUM(amount) FROM sales GROUP BY region WITH ROLLUP',
      "[('East', Decimal('7')), ('North', Decimal('27')), ('South', Decimal('25')), (None, Decimal('59'))]",
    ],
    [
      "SELECT COALESCE(region, 'all'), product, COUNT(*) FROM sales WHERE region <> 'East' GROUP BY region, product WITH ROLLUP",
      "[('North', 'Cocoa', 1), ('North', 'Tea', 1), ('North', None, 2), ('South', 'Coffee', 1), ('South', 'Tea', 1), ('South', None, 2), ('all', None, 4)]",
    ],
    [
      "SELECT IF(GROUPING(region), 'all', region) AS r, MAX(amount) AS m FROM sales GROUP BY region WITH ROLLUP ORDER BY m DESC, r LIMIT 2",
      "[('all', 20), ('North', 20)]",
    ],
    [
      'SELECT region AS r, SUM(amount) AS s FROM sales GROUP BY r WITH ROLLUP HAVING s > 20 AND r IS NOT NULL',
      "[('North', Decimal('27')), ('South', Decimal('25'))]",
    ],
    ['SELECT region FROM sales GROUP BY region WITH ROLLUP', "[('East',), ('North',), ('South',), (None,)]"],
    ['SELECT region, COUNT(*) FROM sales WHERE id > 99 GROUP BY region WITH ROLLUP', '[]'],
    [
      'SELECT SUM(s) FROM (SELECT SUM(amount) AS s FROM sales GROUP BY region WITH ROLLUP) t',
      "[(Decimal('118'),)]",
    ],
  ])('%s', (sql, told) => expect(run(sql).told).toBe(told))
})

describe('JSON', () => {
  it.each([
    ["SELECT note->'$.kind', note->>'$.kind' FROM sales WHERE id = 1", `[('"a"', 'a')]`],
    [
      "SELECT JSON_EXTRACT(note, '$.tags'), JSON_EXTRACT(note, '$.tags[last]') FROM sales WHERE id = 1",
      `[('["x", "y"]', '"y"')]`,
    ],
    [
      "SELECT JSON_EXTRACT(note, '$.*'), JSON_EXTRACT(note, '$**.z') FROM sales WHERE id = 3",
      `[('["a", {"er": [1, 2, {"z": null}]}]', '[null]')]`,
    ],
    [
      "SELECT id FROM sales WHERE JSON_EXTRACT(note, '$.n') > 2 OR note->>'$.kind' = 'c d' ORDER BY id",
      '[(1,), (5,)]',
    ],
    ["SELECT id FROM sales WHERE note->'$.kind' = 'a' ORDER BY id", '[(1,), (3,)]'],
    [
      `SELECT JSON_OBJECT('b', 1, 'a', JSON_ARRAY(1, 'x', NULL)), JSON_SET('{"a": [1]}', '$.a[1]', 2, '$.b', 'y')`,
      `[('{"a": [1, "x", null], "b": 1}', '{"a": [1, 2], "b": "y"}')]`,
    ],
    [
      "SELECT JSON_EXTRACT('{', '$.a')",
      '3141 (22032): Invalid JSON text in argument 1 to function json_extract: "Invalid value." at position 0.',
    ],
    [
      "SELECT JSON_EXTRACT('{}', 'a')",
      '3143 (42000): Invalid JSON path expression. The error is around character position 1.',
    ],
    [
      "SELECT JSON_EXTRACT(NULL, '$.a'), JSON_LENGTH('[1, 2]'), JSON_CONTAINS('[1, [2]]', '2')",
      '[(None, 2, 1)]',
    ],
  ])('%s', (sql, told) => expect(run(sql).told).toBe(told))

  it('is no way to hang: deep and long documents are refused or answered', () => {
    expect(run(`SELECT JSON_LENGTH('${'['.repeat(5000)}${']'.repeat(5000)}')`).told).toMatch(/^3141 /)
    expect(run(`SELECT JSON_EXTRACT('[1]', '$${'[0]'.repeat(5000)}')`).told).toMatch(/^\[\('1',\)\]$/)
  })
})

describe('patterns that agents write', () => {
  const stubborn = `'${'a'.repeat(40)}!'`

  it.each([
    [`SELECT ${stubborn} REGEXP '^(a+)+$'`, '3699 (HY000): Timeout exceeded in regular expression match.'],
    [
      `SELECT REGEXP_REPLACE(${stubborn}, '^(a|aa)+$', '')`,
      '3699 (HY000): Timeout exceeded in regular expression match.',
    ],
    [
      "SELECT 'aab' REGEXP '^(a+)+b$', REGEXP_REPLACE('a1b22', '([a-z]+)([0-9]+)', '\\\\2\\\\1')",
      "[(1, '1a22b')]",
    ],
    [
      "SELECT 'a' REGEXP '('",
      '3696 (HY000): The regular expression contains an unrecognized or unclosed part.',
    ],
  ])('%s', (sql, told) => expect(run(sql).told).toBe(told))
})

describe('names and values', () => {
  it.each([
    [
      'SELECT id, SUM(amount) OVER w FROM sales WINDOW w AS (PARTITION BY region ORDER BY id) ORDER BY id LIMIT 3',
      "[(1, Decimal('10')), (2, Decimal('20')), (3, Decimal('25'))]",
    ],
    ['SELECT SUM(amount) OVER nothing FROM sales', "3579 (HY000): Window name 'nothing' is not defined."],
    ["SELECT * FROM regions NATURAL JOIN (SELECT 'South' AS name, 1 AS n) t", "[('South', 'Ann', 1)]"],
    [
      "INSERT INTO sales (id, day) VALUES (9, 'someday')",
      "1292 (22007): Incorrect date value: 'someday' for column 'day' at row 1",
    ],
    [
      "UPDATE sales SET region = 'a name that is far too long'",
      "1406 (22001): Data too long for column 'region' at row 1",
    ],
  ])('%s', (sql, told) => expect(run(sql).told).toBe(told))
})
