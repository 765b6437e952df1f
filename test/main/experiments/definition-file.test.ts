import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStudyFile } from '../../../src/main/experiments/study-file'
import { writeReport } from '../../../src/main/experiments/report-files'
import type { ExperimentReport } from '../../../src/shared/domain/experiment'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-definition-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function read(text: string, name = 'experiment.yaml') {
  const path = join(folder, name)
  await writeFile(path, text)
  return readStudyFile(path)
}

test('YAML and JSON, with defaults filled in', async () => {
  const yaml = await read(`
stream: house-rules-a   # bundled
methods:
  - none
  - { name: only-solved, method: case-bank, settings: { case-bank: { failed: false } } }
exp: [0, 4]
protocol: { iterations: 2 }
`)
  expect(yaml).toMatchObject({
    stream: 'house-rules-a',
    seeds: [1, 2, 3],
    exp: [0, 4],
    baseline: 'none',
    model: null,
    tasks: null,
    settings: { temperature: 0.2, maxTokens: 512, inFlight: 1, contextSize: null },
    protocol: { iterations: 2, passes: 1, retest: 0 },
  })
  expect(await read(JSON.stringify(yaml), 'same.json')).toEqual(yaml)
})

test('files beside the definition are found from anywhere', async () => {
  await writeFile(join(folder, 'world.jsonl'), '')
  const found = await read('stream: world.jsonl\nmethods: [none]\nmodel: elsewhere.gguf')
  expect(found).toMatchObject({ stream: join(folder, 'world.jsonl'), model: 'elsewhere.gguf' })
})

test('a memory beside the definition is found from anywhere, another is left as it is named', async () => {
  await mkdir(join(folder, 'elsewhere'))
  const methods = 'methods: [{ name: kb, method: agent-kb, experiences: { share: 1 } }]'
  const found = (name: string) => read(`stream: house-rules-a\n${methods}\nexperiences: ${name}`)
  expect(await found('elsewhere')).toMatchObject({ experiences: join(folder, 'elsewhere') })
  expect(await found('space-1')).toMatchObject({ experiences: 'space-1' })
})

test('what is wrong is named', async () => {
  await expect(read('stream: [')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(read('stream: a\nmethods: [none]\nsedes: [1]')).rejects.toThrow(/sedes/)
  await expect(read('stream: a\nmethods: [none]\nexp: [99]')).rejects.toThrow(/exp\.0/)
  await expect(readStudyFile(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a written report says n and OOM, names no folder and can be run again', async () => {
  const definition = await read('stream: house-rules-a\nmethods: [none, replay]\nexp: [0, 16]\nseeds: [1, 2]')
  const row = {
    n: 2,
    distinct: 2,
    oom: 0,
    firstMean: 0.1,
    meanWithOom: 0.3,
    tokensPerTask: 812.4,
    passMeans: [],
    iterationMeans: [],
  }
  const cell = { key: 'replay-e16-s1', status: 'oom', overflows: 3, note: null, problem: null }
  const report = {
    id: 'exp-1',
    name: 'Two methods',
    status: 'done',
    stream: '/somewhere/private/world.jsonl',
    model: 'loam-demo',
    tasks: 120,
    baseline: 'none',
    pending: 0,
    resultHash: 'f'.repeat(64),
    cells: [cell],
    summary: [
      {
        ...row,
        method: 'none',
        exp: 0,
        mean: 0.3,
        ci95: [0.25, 0.35],
        lastMean: 0.3,
        deltaToBaseline: null,
        deltaCi95: null,
        deltaN: 0,
        deltaDistinct: 0,
      },
      {
        ...row,
        method: 'replay',
        exp: 0,
        mean: 0.5,
        ci95: [0.45, 0.55],
        lastMean: 0.8,
        deltaToBaseline: 0.2,
        deltaCi95: [0.1, 0.3],
        deltaN: 2,
        deltaDistinct: 2,
      },
      {
        ...row,
        method: 'replay',
        exp: 16,
        n: 0,
        distinct: 0,
        oom: 2,
        mean: null,
        ci95: null,
        lastMean: null,
        deltaToBaseline: null,
        deltaCi95: null,
        deltaN: 0,
        deltaDistinct: 0,
      },
    ],
    averages: [
      { method: 'none', n: 1, mean: 0.3 },
      { method: 'replay', n: 1, mean: 0.5 },
    ],
  } as unknown as ExperimentReport
  const out = join(folder, 'out')
  await writeReport(out, report, {
    definition: { ...definition, model: '/private/m.gguf' },
    name: report.name,
  })
  const text = await readFile(join(out, 'report.md'), 'utf8')
  expect(text).toContain(
    '| replay | 0 | 2 | 50.0 [45.0, 55.0] | 10.0 | 80.0 | +20.0 [+10.0, +30.0] (n = 2) | 812 |',
  )
  expect(text).toContain('| replay | 16 | 0 | OOM |')
  expect(text).toContain('| replay | 50.0 (n = 2) | OOM | 50.0 (of 1) |')
  expect(text).toContain('prompts of 3 attempts did not fit')
  for (const name of ['report.md', 'report.json', 'experiment.yaml'])
    expect(await readFile(join(out, name), 'utf8')).not.toMatch(/private/)
  expect(await readStudyFile(join(out, 'experiment.yaml'))).toMatchObject({
    methods: ['none', 'replay'],
  })
})
