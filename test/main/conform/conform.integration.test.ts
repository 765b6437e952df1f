import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { conform } from '../../../src/main/conform/conform'
import { draw } from '../../../src/main/conform/draw'

const FIXTURES = resolve('test/fixtures/modules')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-conform-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const brokenOf = async (seam: string, path: string): Promise<string[]> =>
  (await conform(seam, path, () => undefined)).flatMap(({ name, broken }) =>
    broken === null ? [] : [`${name}: ${broken}`],
  )

it.each([
  ['method', 'plain-notes'],
  ['environment', 'sums'],
  ['provider', 'parrot'],
  ['format', 'cards'],
  ['tool-server', 'dice'],
  ['memory-kind', 'remark'],
])('the example of the seam %s keeps every rule', async (seam, name) => {
  expect(await brokenOf(seam, join(FIXTURES, name))).toEqual([])
})

it('names the rule that a module breaks', async () => {
  const copy = join(folder, 'sums')
  await cp(join(FIXTURES, 'sums'), copy, { recursive: true })
  const code = join(copy, 'index.mjs')
  await writeFile(code, (await readFile(code, 'utf8')).replace('answer === a + b', 'answer !== a'))
  const broken = await brokenOf('environment', copy)
  expect(broken.map((rule) => rule.split(':')[0])).toEqual([
    'agrees with the solutions of its sample stream',
    'answers every bad reply with an observation or an unsolved end',
  ])
  expect(broken[1]).toContain('solves the task')
})

it('refuses a module of another seam, and a seam that there is not', async () => {
  await expect(brokenOf('method', join(FIXTURES, 'sums'))).rejects.toThrow(/seam environment/)
  await expect(brokenOf('kitchen', join(FIXTURES, 'sums'))).rejects.toThrow(/no seam "kitchen"/)
})

it('draws what a schema allows, and the same for the same seed', () => {
  const schema = {
    type: 'object',
    properties: {
      word: { type: 'string', minLength: 8, maxLength: 12 },
      colour: { enum: ['red', 'green'] },
      count: { type: 'integer', minimum: 2, maximum: 4 },
      places: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'boolean' } },
    },
    required: ['word', 'colour', 'count', 'places'],
  }
  for (let seed = 0; seed < 50; seed++) {
    const value = draw(schema, createRng(String(seed))) as Record<string, unknown>
    expect(draw(schema, createRng(String(seed)))).toEqual(value)
    expect(String(value['word']).length).toBeGreaterThanOrEqual(8)
    expect(String(value['word']).length).toBeLessThanOrEqual(12)
    expect(['red', 'green']).toContain(value['colour'])
    expect([2, 3, 4]).toContain(value['count'])
    expect(value['places']).toHaveLength(2)
  }
})
