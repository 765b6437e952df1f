import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import initSqlJs from 'sql.js'
import { beforeEach, expect, test } from 'vitest'
import type { ImportReport } from '../../../src/shared/domain/format'
import { importChoiceSchema } from '../../../src/shared/domain/item-transfer'
import { leftCount } from '../../../src/shared/domain/reading'
import { appPerTest } from '../app-in-temp'

/** Written by SQLite in opencode's tables, with made-up words: a first request in the database, two more in the log beside it. */
const SAMPLES = resolve('test/fixtures/kb/databases')
const SUB_AGENT = 'an agent of the program asked in this session, not a person'

const opened = appPerTest('opencode-database')
let folder: string
beforeEach(async () => {
  folder = join(opened.folder, 'opencode')
  await mkdir(folder)
})
const at = (name: string): string => join(folder, name)
const put = (name: string) => copyFile(join(SAMPLES, name), at(name))
const preview = async (path: string, format = 'auto'): Promise<ImportReport> => {
  const source = { from: 'paths' as const, paths: [path] }
  const report = await opened.app.imports.preview({
    ...importChoiceSchema.parse({ source, format }),
    memoryId: 'mine',
  })
  expect(report.rows).toBe(report.imported + report.duplicates + leftCount(report))
  return report
}
const counts = ({ format, imported, left }: ReportPart) => [format, imported, left.map(({ why }) => why)]
type ReportPart = Pick<ImportReport, 'format' | 'imported' | 'left'>

test("opencode's database is read with the log that SQLite keeps beside it", async () => {
  await put('opencode.db')
  expect(counts(await preview(at('opencode.db')))).toEqual(['opencode-database', 1, [SUB_AGENT]])
  await put('opencode.db-wal')
  expect(counts(await preview(at('opencode.db')))).toEqual(['opencode-database', 3, [SUB_AGENT]])
  const source = { from: 'paths' as const, paths: [at('opencode.db')] }
  await opened.app.imports.run({ ...importChoiceSchema.parse({ source }), memoryId: 'mine' })
  const { experiences } = await opened.app.memories.open('mine')
  const all = await Promise.all([...experiences.entries()].map(({ id }) => experiences.get(id)))
  const told = all.map((one) => [
    one?.experience.question,
    one?.experience.meta.outcome,
    one?.experience.steps.map(({ content, failed }) => [content, failed]),
  ])
  expect(told.sort()).toEqual([
    ['List the ports.', 'failure', [['ports', true]]],
    ['Thanks, that was it. Now fill them.', 'unknown', [['fill --all', false]]],
    [
      'Why does the boat list?',
      'success',
      [
        ['cat log', false],
        ['Six ballast tanks are empty.', false],
      ],
    ],
  ])
})

test('of a log that was cut, or whose bytes were changed, whole changes before that count', async () => {
  await put('opencode.db')
  const log = await readFile(join(SAMPLES, 'opencode.db-wal'))
  const importedWith = async (bytes: Uint8Array) => {
    await writeFile(at('opencode.db-wal'), bytes)
    return (await preview(at('opencode.db'))).imported
  }
  expect(await importedWith(log.subarray(0, log.length - 1))).toBe(2)
  const damaged = Buffer.from(log)
  damaged[100] = (damaged[100] ?? 0) ^ 1
  expect(await importedWith(damaged)).toBe(1)
  expect(await importedWith(Buffer.from('no log at all, but long enough to be looked at'))).toBe(1)
  expect(await importedWith(new Uint8Array())).toBe(1)
})

test('another database is declined, and named where opencode is asked for', async () => {
  const { Database } = await initSqlJs()
  const database = new Database()
  database.run('CREATE TABLE tides (at TEXT, height REAL)')
  await writeFile(at('tides.db'), database.export())
  database.close()
  await expect(preview(at('tides.db'))).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(counts(await preview(at('tides.db'), 'opencode-database'))).toEqual([
    'opencode-database',
    0,
    ["it is a database with the tables tides, and none of opencode's sessions"],
  ])
  await writeFile(at('opencode.db'), (await readFile(join(SAMPLES, 'opencode.db'))).subarray(0, 5000))
  const [why] = (await preview(at('opencode.db'))).left
  expect(why?.why).toMatch(/database/)
})
