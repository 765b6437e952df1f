import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SqlEngine, SqlSession, SqlTable } from '../../../../../src/core/ground/ports'
import { labDbEntrySchema } from '../../../../../src/core/tasks/lab-db/entry'
import { createLabDbEnvironment } from '../../../../../src/core/tasks/lab-db/environment'
import { formatObservation } from '../../../../../src/core/tasks/lab-db/observation'
import { verifyEntry } from '../../../../../src/core/tasks/lab-db/verify'
import { parseStream } from '../../../../../src/core/streams/parse-stream'
import { createSqlEngines } from '../../../../../src/main/adapters/environments/sql-engines'
import { MARIADB_ALONE, PROBE_TABLES, PROBES } from './probes'
import { NO_MARIADB, startMariaDb, type MariaDb } from './mariadb'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const DATASET = join(process.cwd(), '..', 'shared', 'data', 'lifelongagentbench', 'db_bench.json')
const TABLE: SqlTable = {
  name: 'bookings',
  columns: [
    { name: 'id', type: 'INT' },
    { name: 'guest', type: 'TEXT' },
  ],
  rows: [
    [1, 'Ada'],
    [2, "O'Neil"],
  ],
}

describe.skipIf(NO_MARIADB !== null)(
  `a MariaDB server${NO_MARIADB === null ? '' : ` (${NO_MARIADB})`}`,
  () => {
    let server: MariaDb
    let address: string
    let engine: SqlEngine
    const enginesWith = (password: string | null) =>
      createSqlEngines({ network: () => false, password: () => Promise.resolve(password) })
    beforeAll(async () => {
      server = await startMariaDb()
      address = `mysql://loam@127.0.0.1:${server.port}`
      engine = await enginesWith('secret').find(address)
    })
    afterAll(() => server.stop())

    /** Names that are left of databases and users. */
    const left = async (): Promise<string[]> => {
      const root = await server.connect()
      const [databases] = await root.query("SHOW DATABASES LIKE 'loam\\_%'")
      const [users] = await root.query("SELECT user FROM mysql.user WHERE user LIKE 'loam\\_%'")
      await root.end()
      return [...(databases as object[]), ...(users as object[])].flatMap(
        (row) => Object.values(row) as string[],
      )
    }
    const told = async (session: SqlSession, sql: string) => formatObservation(await session.execute(sql))

    it('is named, and answers as the embedded engine does', async () => {
      expect(engine.name).toMatch(/^MariaDB \d+\.\d+/)
      const session = await engine.open([TABLE])
      expect(await told(session, 'SELECT * FROM bookings')).toBe(`[(1, 'Ada'), (2, "O'Neil")]`)
      expect(await told(session, 'SELECT AVG(id), 1 / 3, COUNT(*) FROM bookings')).toBe(
        "[(Decimal('1.5000'), Decimal('0.3333'), 2)]",
      )
      expect(
        await told(session, "INSERT INTO bookings VALUES (3, 'Cleo'); SELECT MAX(id) FROM bookings"),
      ).toBe('[(3,)]')
      expect(await told(session, 'SELECT nope FROM bookings')).toMatch(
        /^1054 \(42S22\): Unknown column 'nope'/,
      )
      expect(await told(session, 'SELECT DATABASE()')).toBe("[('bookings',)]")
      expect(await session.rows('bookings')).toHaveLength(3)
      await session.close()
      await session.close()
    })

    it('shows a task nothing but its own database, which is gone afterwards', async () => {
      const [session, other] = [await engine.open([TABLE]), await engine.open([TABLE])]
      expect(await told(session, 'SHOW DATABASES')).toBe("[('information_schema',), ('bookings',)]")
      await other.execute('DELETE FROM bookings')
      expect(await session.rows('bookings')).toHaveLength(2)
      for (const sql of [
        'SELECT * FROM mysql.user',
        'CREATE DATABASE loam_other',
        "CREATE USER x@'%'",
        'GRANT ALL ON *.* TO CURRENT_USER()',
        'SET GLOBAL max_connections = 1',
        "SELECT 1 INTO OUTFILE '/tmp/loam-outfile'",
        'SHUTDOWN',
      ])
        expect([sql, await told(session, sql)]).toEqual([
          sql,
          expect.stringMatching(/^1\d\d\d \(\w{5}\): .*denied/),
        ])
      expect(await told(session, "SELECT LOAD_FILE('/etc/passwd')")).toBe('[(None,)]')
      await Promise.all([session.close(), other.close()])
      await vi.waitFor(async () => expect(await left()).toEqual([]))
    })

    it('stops what takes too long, answers too much, or ends its own connection', async () => {
      const session = await engine.open([TABLE])
      expect(await told(session, 'SELECT SLEEP(60)')).toMatch(/^1969 .*interrupted/)
      expect(
        await told(
          session,
          'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT a.i FROM n a, n b',
        ),
      ).toMatch(/^3024 /)
      await session.execute('KILL CONNECTION_ID()')
      await session.execute('SELECT 1')
      expect(await told(session, 'SELECT 1')).toBe('[(1,)]')
      await session.execute('DROP TABLE bookings')
      expect(await session.rows('bookings')).toBeNull()
      await session.close()
    })

    it('drops what a killed process left behind, and nothing that is in use', async () => {
      const inUse = await engine.open([TABLE])
      const script = `
      import { createSqlEngines } from '${join(process.cwd(), 'src/main/adapters/environments/sql-engines.ts')}'
      const engines = createSqlEngines({ network: () => false, password: async () => 'secret' })
      const engine = await engines.find('${address}')
      await engine.open([{ name: 't', columns: [{ name: 'a', type: 'INT' }], rows: [[1]] }])
      console.log('open')
      setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
      onTestFinished(() => void child.kill('SIGKILL'))
      await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
      expect((await left()).length).toBe(4)
      child.kill('SIGKILL')
      await new Promise<void>((resolve) => child.once('close', () => resolve()))
      await vi.waitFor(async () => {
        const another = await enginesWith('secret').find(address)
        await (await another.open([TABLE])).close()
        expect((await left()).length).toBe(2)
      })
      expect(await told(inUse, 'SELECT COUNT(*) FROM bookings')).toBe('[(2,)]')
      await inUse.close()
      await vi.waitFor(async () => expect(await left()).toEqual([]))
    })

    it('plays an attempt, graded on the server', async () => {
      const payload = {
        instruction: 'Rename Ada.',
        answer_info: { sql: "UPDATE bookings SET guest = 'Eve' WHERE id = 1", md5: null, direct: null },
        table_info: { name: 'bookings', column_info_list: TABLE.columns, row_list: TABLE.rows },
      }
      const task = { id: '1', index: 0, environment: 'lab-db', instruction: '', skills: [], payload }
      for (const [sql, reward] of [
        ["UPDATE bookings SET guest = 'Eve' WHERE guest = 'Ada'", 1],
        ['DROP TABLE bookings', 0],
      ] as const) {
        const episode = createLabDbEnvironment(engine, { systemPrompt: '' }).open(task)
        await episode.step(`Action: Operation\n\`\`\`sql\n${sql}\n\`\`\``)
        expect(await episode.step('Action: Answer\nFinal Answer: done')).toMatchObject({ done: true, reward })
        episode.close()
      }
      await vi.waitFor(async () => expect(await left()).toEqual([]))
    })

    it('says so when the server is gone in the middle of an attempt, and goes on with one that is back', async () => {
      const own = await startMariaDb()
      const there = `mysql://loam@127.0.0.1:${own.port}`
      const engines = enginesWith('secret')
      const session = await (await engines.find(there)).open([TABLE])
      await own.stop()
      await expect(session.execute('SELECT 1')).rejects.toMatchObject({
        code: 'TASK_SERVER',
        retryable: true,
      })
      await expect(session.rows('bookings')).rejects.toMatchObject({ code: 'TASK_SERVER' })
      await session.close()
      await expect((await engines.find(there)).open([TABLE])).rejects.toMatchObject({ code: 'TASK_SERVER' })
      const back = await startMariaDb(own.port)
      const next = await (await engines.find(there)).open([TABLE])
      expect(await told(next, 'SELECT 1')).toBe('[(1,)]')
      await next.close()
      await back.stop()
    })

    it.each([
      [
        'a wrong password',
        () => enginesWith('wrong').find(address),
        'TASK_SERVER',
        /1045 .*loam servers password/s,
      ],
      ['no server', () => enginesWith(null).find('mysql://loam@127.0.0.1:1'), 'TASK_SERVER', /ECONNREFUSED/],
      [
        'another machine while the network is off',
        () => enginesWith(null).find('mysql://loam@192.0.2.1'),
        'NETWORK_OFF',
        /192\.0\.2\.1/,
      ],
      [
        'a password in the address',
        () => enginesWith(null).find('mysql://loam:x@127.0.0.1'),
        'BAD_INPUT',
        /holds a password/,
      ],
      [
        'no address',
        () => enginesWith(null).find('localhost:3306'),
        'BAD_INPUT',
        /no address of a database server/,
      ],
    ])('is refused in words: %s', async (_what, find, code, words) => {
      const error = (await find().catch((thrown: unknown) => thrown)) as Error & { suggestion: string }
      expect(error).toMatchObject({ code })
      expect(`${error.message} ${error.suggestion}`).toMatch(words)
    })

    it.each(Object.entries(PROBES))('answers as the embedded engine does: %s', async (_what, statements) => {
      const embedded = await enginesWith(null).find('')
      /** What came of a statement: errors by their numbers, tables by their texts. */
      const outcome = async (on: SqlEngine, sql: string) => {
        const session = await on.open(PROBE_TABLES)
        const answer = formatObservation(await session.execute(sql))
        const tables = await Promise.all(PROBE_TABLES.map(({ name }) => session.rows(name)))
        await session.close()
        return {
          answer: /^\d{4} \(/.exec(answer)?.[0] ?? answer,
          tables: tables.map((rows) => rows?.map((row) => row.map((cell) => cell && String(cell)))),
        }
      }
      for (const sql of statements) {
        if (MARIADB_ALONE.includes(sql)) continue
        expect({ sql, ...(await outcome(embedded, sql)) }).toEqual({ sql, ...(await outcome(engine, sql)) })
      }
    })

    it.skipIf(!existsSync(DATASET))(
      "agrees with LifelongAgentBench's golds but for MariaDB's own dialect",
      async () => {
        const { tasks } = parseStream(readFileSync(DATASET, 'utf8'), DATASET)
        const embedded = await enginesWith(null).find('')
        const others: string[] = []
        const translated: string[] = []
        let agree = 0
        for (const task of tasks) {
          const { answer_info: gold } = labDbEntrySchema.parse(task.payload)
          // It knows no alias in a DELETE from one table, and takes other ones of rows that are equal before a LIMIT.
          const isDialect = /^DELETE FROM \w+ AS |\bLIMIT\b/i.test(gold.sql)
          const verdict = await verifyEntry(engine, task)
          if (verdict.kind === 'agrees') agree++
          else if (!isDialect) others.push(`${task.id}: ${verdict.why}`)
          if ((await verifyEntry(embedded, task)).kind !== 'agrees') translated.push(task.id)
        }
        expect({ others, translated }).toEqual({ others: [], translated: [] })
        expect(agree / tasks.length).toBeGreaterThan(0.95)
      },
    )
  },
)
