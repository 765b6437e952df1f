import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FORMATS } from '../../../src/core/formats'
import { MEMORY_KINDS } from '../../../src/core/memory'
import { intoProject } from '../../../src/core/memory/items/projects'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { allFormats } from '../../../src/main/transfer/bundle-format'
import { exportChoiceSchema, writtenCounts } from '../../../src/shared/domain/item-transfer'
import { emptyMemory, fillMemory, NOW } from '../../core/formats/memories'
import { doorsOf, onlyMemory } from '../../fixtures/doors'
import { attempt, timeOf } from '../memory-store/fixtures'
import { checkedBundle } from '../share/whole-bundle'

const SECRET = 'sk-abcdefghijklmnop1234567'
const KINDS = ['attempts', 'rubrics', 'pairs', ...MEMORY_KINDS.map(({ info }) => info.id)]
const WRITABLE = FORMATS.filter(({ write }) => write).map(({ id }) => id)

let folder: string
let memory: StoredMemory
let doors: ReturnType<typeof doorsOf>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-exports-'))
  memory = await emptyMemory(join(folder, 'space'))
  await fillMemory(memory)
  doors = doorsOf(onlyMemory(memory), NOW)
})
afterEach(async () => {
  await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
const preview = (choice: object = {}) =>
  doors.exports.preview({ ...exportChoiceSchema.parse(choice), memoryId: 's' })

describe.each(WRITABLE)('out as %s', (format) => {
  it('what the preview says is what is written, to a file as to the caller, and every item is accounted for', async () => {
    const looked = await preview({ format })
    const data = await doors.export('s', { format })
    const path = join(folder, 'out', format)
    const file = await doors.export('s', { format, path })
    for (const done of [data, file]) expect(done).toMatchObject({ format, kinds: looked.kinds, secrets: {} })
    expect(file).toMatchObject({ path, data: null })
    expect(data.path).toBeNull()
    expect(data.fileName).toBe(looked.fileName)
    for (const { kind, total, written, why } of looked.kinds) {
      expect(why === null).toBe(written >= total)
      expect(KINDS).toContain(kind)
    }
    const text = data.data?.encoding === 'utf8' ? data.data.text : null
    if (text !== null)
      expect([await readFile(path, 'utf8'), data.bytes]).toEqual([text, Buffer.byteLength(text)])
    if (data.fileName.endsWith('.zip')) {
      const names = Object.keys(unzipSync(Buffer.from(data.data?.text ?? '', 'base64')))
      expect(names.length).toBe(
        (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length,
      )
    }
  })

  it('secrets are counted, and stay here where they are to be taken out', async () => {
    await memory.commit(attempt(70, `Call with ${SECRET}`))
    await memory.commit([
      {
        kind: 'memory-added',
        memory: {
          ...{
            kind: 'lesson',
            id: 'secret',
            runId: 'r1',
            environment: 'lab-db',
            trajectoryIds: ['t-c00001'],
          },
          ...{ createdAt: timeOf(3), queue: 'error', text: `Never print ${SECRET}.` },
        },
      },
    ])
    const holds = async (redact: boolean): Promise<boolean> => {
      const { data } = await doors.export('s', { format, redact })
      const bytes = Buffer.from(data?.text ?? '', data?.encoding === 'base64' ? 'base64' : 'utf8')
      const files =
        data?.encoding === 'base64' && bytes.subarray(0, 2).toString() === 'PK' ? unzipSync(bytes) : { bytes }
      return Object.values(files).some((one) => Buffer.from(one).includes(SECRET))
    }
    const { secrets } = await preview({ format })
    if (await holds(false)) expect(secrets['access key']).toBeGreaterThan(0)
    expect(await holds(true)).toBe(false)
  })
})

it('chosen kinds, items and projects leave alone, and the rest stays with a reason', async () => {
  const whole = await preview()
  const lessons = await preview({ kinds: ['lesson'] })
  expect(writtenCounts(lessons.kinds)).toEqual({ lesson: writtenCounts(whole.kinds)['lesson'] })
  expect(lessons.kinds.find(({ kind }) => kind === 'attempts')).toMatchObject({
    written: 0,
    why: 'not chosen',
  })
  const one = await doors.export('s', { format: 'csv', items: [{ kind: 'lesson', id: 'l2' }] })
  expect(writtenCounts(one.kinds)).toEqual({ lesson: 1 })
  expect(one.data?.text).toContain('Count, then change.')
  await memory.commit(intoProject([{ kind: 'lesson', id: 'l2' }], 'Garden', timeOf(9)))
  const garden = await doors.export('s', { project: 'Garden' })
  expect(writtenCounts(garden.kinds)).toEqual({ lesson: 1 })
  expect(garden.fileName).toMatch(/^Garden-/)
  expect(garden.kinds.find(({ kind }) => kind === 'note')?.why).toBe('of other projects')
  await expect(doors.export('s', { items: [{ kind: 'lesson', id: 'nobody' }] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(preview({ kinds: ['wormhole'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(doors.export('s', { path: 'out.jsonl' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it('a bundle is a format like the others: whole with its history, in part without', async () => {
  expect(
    allFormats()
      .slice(0, 2)
      .map(({ id }) => id),
  ).toEqual(['loam', 'bundle'])
  const looked = await preview({ format: 'bundle' })
  expect(looked.commits).toBeGreaterThan(0)
  const path = join(folder, 'space.loam')
  const done = await doors.export('s', { format: 'bundle', path, sign: join(folder, 'key.pem') })
  expect(done).toMatchObject({ kinds: looked.kinds, commits: looked.commits, fileName: 'space.loam' })
  expect((await checkedBundle(await readFile(path))).signed).not.toBeNull()
  const some = await doors.export('s', { format: 'bundle', items: [{ kind: 'lesson', id: 'l2' }] })
  expect(some).toMatchObject({ commits: null, fileName: 'A-memory.loam' })
  const { manifest } = await checkedBundle(Buffer.from(some.data?.text ?? '', 'base64'))
  expect(Object.entries(manifest.counts).filter(([, count]) => count > 0)).toEqual([['lesson', 1]])
})
