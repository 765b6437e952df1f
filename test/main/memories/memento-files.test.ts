import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditedCases } from '../../../src/core/memory/cases/learner'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { emptyMemory, taken, written } from '../../core/formats/memories'
import { tempFolder } from '../runs/rig-app'

let folder: string
let memory: StoredMemory
beforeEach(async () => {
  folder = await tempFolder()
  memory = await emptyMemory(join(folder, 'space'))
})
afterEach(async () => {
  await memory.close()
  await rm(folder, { recursive: true, force: true })
})

const rowsOf = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

const released = resolve('../shared/data/memento')
test.skipIf(!existsSync(released)).each([
  ['memory.jsonl', 'memory', 900],
  ['dummy_memo.jsonl', 'dummy', 8],
] as const)('the released %s comes out as it went in (needs ../shared)', async (name, format, count) => {
  const content = readFileSync(join(released, name), 'utf8')
  const report = await taken(memory, 'auto', content)
  expect(report).toMatchObject({ format, rows: count, imported: count, duplicates: 0, left: [] })
  expect(rowsOf(await written(memory, format))).toEqual(rowsOf(content))
  // Once more changes nothing, and a file that has grown brings only what is new.
  const [first = ''] = content.split('\n')
  expect(await taken(memory, format, `${content.trimEnd()}\n${first}\n`)).toMatchObject({
    imported: 1,
    duplicates: count,
  })
  expect((await memory.info()).cases).toBe(count + 1)
})

const training = [
  { query: 'q1', case: 'a', case_label: 'positive', plan: 'pa', truth_label: true },
  { query: 'q1', case: 'b', case_label: 'negative', plan: 'pb', truth_label: true },
  { query: 'q2', case: 'a', case_label: 'positive', plan: 'pa', truth_label: false },
]

test('training pairs become attempts that case selection learns from, and come out as they went in', async () => {
  const content = training.map((row) => JSON.stringify(row)).join('\n')
  const report = await taken(memory, 'auto', content)
  expect(report).toMatchObject({ format: 'training', rows: 3, imported: 3, duplicates: 0, left: [] })
  const credits: [string, number, number][] = []
  for await (const write of memory.writes(0))
    if (write.attempt) credits.push([write.case.state, creditedCases(write).length, write.case.reward])
  expect(credits).toEqual([
    ['q1', 2, 1],
    ['q2', 1, 0],
  ])
  // Only the cases that were shown can be recalled.
  expect((await memory.info()).cases).toBe(2)
  expect(rowsOf(await written(memory, 'training'))).toEqual(training)
})

test('bad rows are told by line, rows of another form too', async () => {
  const report = await taken(
    memory,
    'memory',
    [
      '{"case": "a", "plan": "p", "case_label": "positive"}',
      '',
      'no json',
      '{"case": "b", "plan": "p", "case_label": "maybe"}',
      '{"question": "c", "plan": "p", "reward": 1}',
      '{"other": 1}',
    ].join('\n'),
  )
  expect(report).toMatchObject({ rows: 5, imported: 1 })
  expect(report.left.map(({ line }) => line)).toEqual([3, 4, 5, 6])
  expect(report.left[1]?.why).toContain('case_label')
  await expect(taken(memory, 'auto', '{"other": 1}')).rejects.toMatchObject({ code: 'BAD_INPUT' })
})
