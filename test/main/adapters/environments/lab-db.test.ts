import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Task } from '../../../../src/shared/domain/task'
import type { SqlEngine } from '../../../../src/core/ground/ports'
import { createLabDbEnvironment } from '../../../../src/core/tasks/lab-db/environment'
import { readRecordings } from '../../../../src/core/ground/recording'
import { regradeRecordings } from '../../../../src/core/streams/regrade'
import { recordedModel } from '../../../../src/main/providers/recorded/recorded-model'
import { verifyEntry } from '../../../../src/core/tasks/lab-db/verify'
import { parseStream } from '../../../../src/core/streams/parse-stream'
import { createSqlJsEngine } from '../../../../src/main/adapters/environments/sqljs-engine'

const DATA = join(process.cwd(), '..', 'shared', 'data', 'lifelongagentbench')
const dataset = join(DATA, 'db_bench.json')
const sessions = join(DATA, 'db_graded_sessions.jsonl')

let engine: SqlEngine
beforeAll(async () => {
  engine = await createSqlJsEngine()
})

const task = (sql: string, gold: { md5?: string; direct?: unknown[][] } = {}): Task => ({
  id: '1',
  index: 0,
  environment: 'lab-db',
  instruction: 'Do it.',
  skills: [],
  payload: {
    instruction: 'Do it.',
    answer_info: { sql, md5: gold.md5 ?? null, direct: gold.direct ?? null },
    table_info: {
      name: 'bookings',
      column_info_list: [
        { name: 'id', type: 'INT' },
        { name: 'guest', type: 'TEXT' },
      ],
      row_list: [
        [1, 'Ada'],
        [2, 'Ben'],
      ],
    },
    extra_tables: [{ name: 'codes', column_info_list: [{ name: 'word', type: 'TEXT' }], row_list: [['K']] }],
  },
})
const operation = (sql: string) => `Action: Operation\n\`\`\`sql\n${sql}\n\`\`\``
const answer = (text: string) => `Action: Answer\nFinal Answer: ${text}`
const open = (each: Task) => createLabDbEnvironment(engine, { systemPrompt: 'rules' }).open(each)

describe('an attempt', () => {
  it('shows every table', async () => {
    expect(open(task('SELECT 1')).context).toBe('Table bookings(id INT, guest TEXT)\nTable codes(word TEXT)')
  })

  it('grades a question by its answer, with gold rows replayed when there are none', async () => {
    const episode = open(task("SELECT id FROM bookings WHERE guest = 'Ben'"))
    expect(await episode.step(operation('SELECT * FROM bookings'))).toMatchObject({
      done: false,
      observation: "[(1, 'Ada'), (2, 'Ben')]",
    })
    expect(await episode.step(answer('[(2,)]'))).toMatchObject({ done: true, finish: 'completed', reward: 1 })
  })

  it('grades a modification by the table', async () => {
    const change = "UPDATE bookings SET guest = 'Cleo' WHERE id = 2"
    const right = open(task(change))
    await right.step(operation("update bookings set guest = 'Cleo' where guest = 'ben'"))
    expect(await right.step(answer('done'))).toMatchObject({ reward: 1 })
    const wrong = open(task(change))
    await wrong.step(operation("UPDATE bookings SET guest = 'Cleo'"))
    expect(await wrong.step(answer('done'))).toMatchObject({ reward: 0 })
  })

  it('ends at a second reply in no known form, graded on what is there', async () => {
    const change = 'DELETE FROM bookings WHERE id = 1'
    const episode = open(task(change))
    await episode.step(operation(change))
    expect(await episode.step('Action: Operation')).toMatchObject({ done: false, from: 'environment' })
    expect(await episode.step('')).toMatchObject({ done: true, finish: 'invalid-action', reward: 1 })
    expect(await open(task('SELECT 1')).step('It is 2.')).toMatchObject({ finish: 'completed', reward: 0 })
  })

  it('ends at the first reply that is not in the text form when that alone is read', async () => {
    const strict = createLabDbEnvironment(engine, { systemPrompt: 'rules', replies: 'text' })
    const change = 'DELETE FROM bookings WHERE id = 1'
    const episode = strict.open(task(change))
    await episode.step(operation(change))
    expect(await episode.step('All done!')).toMatchObject({ done: true, finish: 'invalid-action', reward: 1 })
    expect(await strict.open(task('SELECT 1')).step('It is 1.')).toMatchObject({
      finish: 'invalid-action',
      reward: 0,
    })
  })

  it('ends after three rounds', async () => {
    const episode = open(task('SELECT 1'))
    expect((await episode.step(operation('SELECT 1'))).done).toBe(false)
    expect((await episode.step(operation('SELECT 1'))).done).toBe(false)
    expect(await episode.step(operation('SELECT 1'))).toMatchObject({
      done: true,
      finish: 'round-limit',
      reward: 0,
      observation: '[(1,)]',
    })
  })

  it('marks a statement that the database refused as failed, the last one too', async () => {
    const episode = open(task('SELECT 1'))
    const refused = operation('SELECT nobody FROM bookings')
    expect(await episode.step(operation('SELECT 1'))).toMatchObject({ done: false, failed: false })
    expect(await episode.step(refused)).toMatchObject({ done: false, failed: true })
    expect(await episode.step(refused)).toMatchObject({ done: true, finish: 'round-limit', failed: true })
  })

  it('starts every attempt from the same tables', async () => {
    const first = open(task('SELECT 1'))
    await first.step(operation('DELETE FROM bookings'))
    first.close()
    first.close()
    expect(await open(task('SELECT 1')).step(operation('SELECT COUNT(*) FROM bookings'))).toMatchObject({
      observation: '[(2,)]',
    })
  })

  it('refuses a task of another environment', async () => {
    expect(() => open({ ...task('SELECT 1'), payload: {} })).toThrowError(/not a database task/)
  })
})

describe.skipIf(!existsSync(dataset))('LifelongAgentBench (skipped when ../shared/data is absent)', () => {
  it('agrees with all 400 gold results', async () => {
    const { tasks } = parseStream(readFileSync(dataset, 'utf8'), dataset)
    expect(tasks).toHaveLength(400)
    const others: string[] = []
    for (const task of tasks) if ((await verifyEntry(engine, task)).kind !== 'agrees') others.push(task.id)
    expect(others).toEqual([])
  })

  it.skipIf(!existsSync(sessions))('gives recorded sessions the rewards they were given', async () => {
    const { tasks } = parseStream(readFileSync(dataset, 'utf8'), dataset)
    const environment = createLabDbEnvironment(engine, { systemPrompt: '', replies: 'text' })
    const report = await regradeRecordings(
      environment,
      readRecordings(readFileSync(sessions, 'utf8')),
      tasks,
      (recordings) => recordedModel(sessions, 'recorded', recordings),
    )
    expect(report.disagreements.every(({ why }) => why.startsWith('graded '))).toBe(true)
    expect(report.total).toBe(760)
    expect(report.agree).toBeGreaterThanOrEqual(755)
    expect(report.observations.agree / report.observations.total).toBeGreaterThan(0.95)
  })
})
