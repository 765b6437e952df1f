import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRouter } from '../../../src/main/api/router'
import { createTransports, type Transports } from '../../../src/main/api/transports'
import type { App } from '../../../src/main/app'
import { estimateTime } from '../../../src/main/experiments/experiment-drafts'
import type { Contract } from '../../../src/shared/contract'
import { openExperimentRig, type ExperimentRig } from './rig'

vi.setConfig({ testTimeout: 60_000 })

let folder: string
let rig: ExperimentRig
let client: Transports<Contract>['client']
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-composing-'))
  rig = await openExperimentRig(folder, new Map())
  const { experiments, drafts: experimentDrafts, jobs } = rig
  // Only what the procedures of experiments reach for.
  const app = { experiments, experimentDrafts, jobs, models: {} } as unknown as App
  client = createTransports<Contract>(createRouter(app)).client
})
afterEach(async () => {
  await rig.close()
  await rm(folder, { recursive: true, force: true })
})

test('a plan counts cells and attempts and starts nothing', async () => {
  const input = { stream: 'made-up', methods: ['none', 'replay'], seeds: [1, 2, 3], exp: [1, 4] }
  expect(await client.experiments.plan(input)).toEqual({
    cells: 9,
    attemptsPerCell: 6,
    streamTasks: 6,
    etaMs: null,
    guessed: [],
  })
  expect(
    await client.experiments.plan({ ...input, exp: [], tasks: 4, protocol: { iterations: 2, retest: 1 } }),
  ).toMatchObject({ cells: 6, attemptsPerCell: 9 })
  expect(await client.experiments.list()).toEqual([])
})

test('a plan is refused for the reasons a start would be', async () => {
  const input = { stream: 'made-up', methods: ['none'] }
  const refused = { code: 'BAD_INPUT' }
  await expect(client.experiments.plan({ ...input, methods: ['magic'] })).rejects.toMatchObject(refused)
  await expect(client.experiments.plan({ ...input, seeds: [1, 1] })).rejects.toMatchObject(refused)
  await expect(client.experiments.plan({ ...input, baseline: 'replay' })).rejects.toMatchObject(refused)
})

test('time is told from the pace of earlier runs with the same model', async () => {
  const input = { stream: 'made-up', methods: ['none', 'replay'], seeds: [1], exp: [2] }
  const model = '/m.gguf'
  const { id } = await client.experiments.start({ ...input, methods: ['none'], model })
  await rig.experiments.settled(id)
  const plan = await client.experiments.plan({ ...input, model })
  expect(plan.guessed).toEqual(['replay'])
  expect(plan.etaMs).toBeGreaterThanOrEqual(0)
  expect((await client.experiments.plan({ ...input, model: '/other.gguf' })).etaMs).toBeNull()
})

test('methods of unknown pace are taken to be as slow as the slowest known', () => {
  const paces = new Map([
    ['none', 100],
    ['replay', 300],
  ])
  const work = { methods: ['none', 'replay', 'evosc'], attemptsPerCell: 10, inFlight: 1 }
  expect(estimateTime(work, paces)).toEqual({ etaMs: 7000, guessed: ['evosc'] })
  expect(estimateTime({ ...work, inFlight: 2 }, paces).etaMs).toBe(3500)
  expect(estimateTime({ ...work, inFlight: 16 }, paces).etaMs).toBe(Math.round(7000 / 3))
  expect(estimateTime(work, new Map())).toEqual({ etaMs: null, guessed: [] })
})

test('a definition goes out as a file and comes back the same, without paths of this machine', async () => {
  const definition = {
    name: 'With & without lessons',
    stream: '/somewhere/of/mine/tasks.jsonl',
    model: '/somewhere/of/mine/model.gguf',
    methods: ['none', { name: 'no-EE', method: 'evosc', settings: { evosc: { errorLessons: false } } }],
    seeds: [4, 5],
    exp: [1, 16],
  }
  const { fileName, text } = await client.experiments.studyText(definition)
  expect(fileName).toBe('with-without-lessons.yaml')
  expect(text).not.toContain('of/mine')
  const back = await client.experiments.readStudy({ fileName, text })
  expect(back).toMatchObject({ ...definition, stream: 'tasks.jsonl', model: null, tasks: null })
  const json = await client.experiments.readStudy({ fileName: 'a.json', text: JSON.stringify(back) })
  expect(json).toEqual(back)
})

test('a file that is no definition is refused with the place of the mistake', async () => {
  const read = (text: string) => client.experiments.readStudy({ fileName: 'mine.yaml', text })
  await expect(read('stream: [')).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringContaining('mine.yaml is neither YAML nor JSON'),
  })
  await expect(read('stream: a\nmethods: [none]\nseed: 3')).rejects.toMatchObject({
    message: expect.stringContaining('seed'),
  })
})

test('a report can be compared with another method; its result hash stays', async () => {
  const { id: experimentId } = await client.experiments.start({
    stream: 'made-up',
    methods: ['none', 'replay'],
    seeds: [1, 2],
    exp: [2],
  })
  await rig.experiments.settled(experimentId)
  const usual = await client.experiments.report({ experimentId })
  expect(usual).toMatchObject({ baseline: 'none', summary: [{ deltaN: 0 }, { deltaN: 2 }] })
  const other = await client.experiments.report({ experimentId, baseline: 'replay' })
  expect(other).toMatchObject({ baseline: 'replay', summary: [{ deltaN: 2 }, { deltaN: 0 }] })
  expect(other.summary[0]?.deltaToBaseline).toBeCloseTo(-(usual.summary[1]?.deltaToBaseline ?? 0), 10)
  expect(other.resultHash).toBe(usual.resultHash)
  expect(await client.experiments.report({ experimentId, baseline: null })).toMatchObject({
    summary: [{ deltaN: 0 }, { deltaN: 0 }],
  })
  await expect(client.experiments.report({ experimentId, baseline: 'scm' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  })
})
