import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRouter } from '../../../src/main/api/router'
import { createTransports, type Transports } from '../../../src/main/api/transports'
import type { Contract } from '../../../src/shared/contract'
import { DEMO_MODEL, hasTinyModel, openAppRig, type AppRig } from '../runs/rig-app'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let rig: AppRig
let client: Transports<Contract>['client']
beforeAll(async () => {
  rig = await openAppRig(3)
  client = createTransports<Contract>(createRouter(rig.app)).client
})
afterAll(() => rig.close())

test.skipIf(!hasTinyModel)('two cells at a time in the real engine, over the contract', async () => {
  const started = await client.experiments.start({
    name: 'Side by side',
    stream: 'small',
    // Held to the form of an action, every reply acts, so that every attempt is kept.
    methods: ['none', 'case-bank'].map((method) => ({
      ...{ name: method, method },
      settings: { presentation: { replies: 'held' } },
    })),
    seeds: [1, 2],
    exp: [1],
    model: DEMO_MODEL,
    settings: { temperature: 0.8, maxTokens: 64, inFlight: 2 },
  })
  expect(started).toMatchObject({ status: 'running', name: 'Side by side', total: 12 })
  const experimentId = started.id
  let both = 0
  for await (const message of await client.experiments.watch({ experimentId })) {
    const { cells, status } = await client.experiments.get({ experimentId })
    both = Math.max(both, cells.filter((cell) => cell.status === 'running').length)
    expect(message.kind).toMatch(/snapshot|patches/)
    if (status !== 'running') break
  }
  expect(both).toBe(2)
  expect((await client.experiments.list())[0]).toMatchObject({ id: experimentId, status: 'done', done: 12 })
  const report = await client.experiments.report({ experimentId })
  expect(report.cells.map((cell) => [cell.status, cell.tasks])).toEqual(Array(4).fill(['done', 3]))
  expect(report.summary.map((row) => row.n)).toEqual([2, 2])
  // Every cell can be opened: its run, its attempts, its own cases.
  const learned = report.cells.find((cell) => cell.method === 'case-bank')
  const runId = learned?.runId ?? ''
  expect((await client.runs.trajectory({ runId, index: 2 })).recalled).toHaveLength(1)
  const { config } = await client.runs.get({ runId })
  expect((await client.items.list({ memoryId: config.memoryId, kinds: ['case'] })).total).toBe(3)
})

test.skipIf(!hasTinyModel)(
  'cells in processes of their own come to the same as one after another',
  async () => {
    const played = async (engineProcesses: 1 | 2) => {
      await client.app.saveSettings({ engineProcesses })
      const { id: experimentId } = await client.experiments.start({
        ...{ stream: 'small', methods: ['case-bank'], seeds: [1, 2], exp: [1], model: DEMO_MODEL },
        settings: { temperature: 0.8, maxTokens: 24 },
      })
      let both = 0
      for await (const _ of await client.experiments.watch({ experimentId })) {
        const { cells, status } = await client.experiments.get({ experimentId })
        both = Math.max(both, cells.filter((cell) => cell.status === 'running').length)
        if (status !== 'running') break
      }
      const processes = (await client.engine.state()).models?.map((model) => model.processes)
      return { both, processes, hash: (await client.experiments.report({ experimentId })).resultHash }
    }
    const alone = await played(1)
    expect(alone.both).toBe(1)
    expect(await played(2)).toEqual({ both: 2, processes: [2], hash: alone.hash })
  },
)

test('what cannot be begun is refused in the one error shape', async () => {
  const input = { stream: 'small', methods: ['none'], model: '/not/there.gguf' }
  await expect(client.experiments.start(input)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
  await expect(client.experiments.start({ ...input, seeds: [] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(client.experiments.report({ experimentId: 'none' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
