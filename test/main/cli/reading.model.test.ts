import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rm } from 'node:fs/promises'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'
import { openMemory } from '../../../src/main/memory-store/memory'
import { contentsOf, fillMemory } from '../../core/formats/memories'
import { tempFolder } from '../runs/rig-app'
import { lastLine, loamHere, type Ended } from './loam-process'

let folder: string
/** Five bundled tasks, indented, the third one without a quote, the fifth with a wrong solution. */
let broken: string
let wrong: string
beforeAll(async () => {
  folder = await tempFolder()
  const lines = (await readFile('resources/streams/house-rules-a.jsonl', 'utf8')).split('\n')
  const entries = lines.slice(1, 6).map((line) => JSON.parse(line) as { id: string; answer_info: object })
  const text = JSON.stringify(entries, null, 2)
  broken = join(folder, 'broken.json')
  await writeFile(broken, text.replace('"id": "t2"', '"id": "t2'))
  wrong = join(folder, 'wrong.json')
  const other = {
    ...entries[4],
    answer_info: { ...entries[4]?.answer_info, md5: 'f'.repeat(32), direct: [['no']] },
  }
  await writeFile(wrong, JSON.stringify([...entries.slice(0, 4), other]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<Ended> => loamHere(...args, '--data', join(folder, 'data'))

test(
  'a run says how many rows of its stream were read, which were not, and why',
  { timeout: 120_000 },
  async () => {
    const ended = await run('run', '--stream', broken, '--method', 'none', '--tasks', '1', '--json')
    expect(ended.code).toBe(0)
    expect(lastLine(ended.out)).toMatchObject({
      tasks: 1,
      reading: {
        rows: 5,
        imported: 4,
        duplicates: 0,
        moreLeft: 0,
        left: [{ entry: 3, why: expect.any(String) as string }],
      },
    })
    expect(ended.err).toContain('4 of 5 rows read, 1 left out')
    expect(ended.err).toMatch(/Line \d+, entry 3: it is broken: /)
  },
)

test(
  'verify-env fails when a gold answer disagrees, and says what was left out',
  { timeout: 60_000 },
  async () => {
    const [right, bad] = await Promise.all([
      run('verify-env', 'lab-db', broken, '--json'),
      run('verify-env', 'lab-db', wrong, '--json'),
    ])
    expect({ code: right.code, report: lastLine(right.out) }).toMatchObject({
      code: 0,
      report: { total: 4, agree: 4, reading: { rows: 5, imported: 4 } },
    })
    expect({ code: bad.code, report: lastLine(bad.out) }).toMatchObject({
      code: 1,
      report: { total: 5, agree: 4, unknown: 0, failures: [{ id: 't4' }] },
    })
  },
)

test(
  'an exported memory says what it holds, and any import brings it back',
  { timeout: 120_000 },
  async () => {
    const memory = join(folder, 'space')
    const full = await openMemory({ folder: memory, embedder: lexicalEmbedder })
    await fillMemory(full)
    const contents = await contentsOf(full)
    await full.close()
    const file = join(folder, 'space.jsonl')
    const exported = await run('export', '--memory', memory, '--out', file, '--json')
    expect({ code: exported.code, report: lastLine(exported.out) }).toMatchObject({
      code: 0,
      report: {
        path: file,
        format: 'loam',
        counts: {
          attempts: 7,
          case: 5,
          lesson: 2,
          workflow: 1,
          note: 2,
          summary: 2,
          experience: 2,
          document: 2,
          rubrics: 1,
        },
      },
    })
    expect(exported.err).toContain(
      '5 cases, 2 lessons, 1 workflow, 2 notes, 2 summaries, 2 experiences, 2 guides',
    )
    for (const [name, ...args] of [
      ['by-import', 'import', file],
      ['by-kb', 'kb', 'import', file, '--format', 'loam'],
    ]) {
      const target = join(folder, name ?? '')
      const ended = await run(...args, '--memory', target, '--json')
      expect({ code: ended.code, report: lastLine(ended.out) }).toMatchObject({
        code: 0,
        report: { format: 'loam', rows: 24, imported: 24, duplicates: 0, left: [] },
      })
      const again = await openMemory({ folder: target, embedder: lexicalEmbedder })
      expect(await contentsOf(again)).toEqual(contents)
      await again.close()
    }
  },
)
