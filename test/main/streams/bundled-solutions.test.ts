import { openEpisode } from '../../../src/core/ground/environment'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../../src/core/ground/environment'
import { playSolution } from '../../../src/core/tasks/spreadsheet/verify'
import { writeCode } from '../../../src/core/tasks/spreadsheet/grammar'
import { readToolTask } from '../../../src/core/tasks/tool-use/environment'
import { writeCall, writeMessage } from '../../../src/core/tasks/tool-use/grammar'
import { playGold } from '../../../src/core/tasks/tool-use/verify'
import { createEnvironments, type Environments } from '../../../src/main/streams/environments'
import { findResources } from '../../../src/main/ground/resources'
import { openStreamLibrary, type StreamLibrary } from '../../../src/main/streams/stream-library'
import type { Task } from '../../../src/shared/domain/task'

let streams: StreamLibrary
let environments: Environments
beforeAll(() => {
  const resources = findResources()
  streams = openStreamLibrary(resources.streams, resources.streams)
  environments = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
})

/** Plays replies, then the last of them again until the attempt ends; its reward. */
async function play(environment: Environment, task: Task, replies: readonly string[]) {
  const episode = await openEpisode(environment, task)
  for (let round = 0; round < environment.maxRounds; round++) {
    const outcome = await episode.step(replies[Math.min(round, replies.length - 1)] ?? '')
    if (outcome.done) return outcome
  }
  throw new Error('the attempt does not end')
}

describe.each(['tools-retail', 'tools-airline'])('the bundled stream %s', (id) => {
  it('is solved by the gold actions of each task', async () => {
    const environment = await environments.acting('tool-use')
    const { tasks, info } = await streams.load(id)
    expect(info).toMatchObject({
      tasks: 14,
      reading: { left: [] },
      source: 'bundled',
      environment: 'tool-use',
    })
    for (const task of tasks) expect([task.id, await playGold(environment, task)]).toEqual([task.id, null])
  })

  it('is not solved without a write that is due, with one too many, or without a fact', async () => {
    const environment = await environments.acting('tool-use')
    const { tasks } = await streams.load(id)
    for (const task of tasks) {
      const { entry, tools } = readToolTask(task)
      const { actions, communicate_info } = entry.evaluation_criteria
      const isWrite = (name: string): boolean =>
        tools.tools.find((tool) => tool.name === name)?.writes === true
      const told = writeMessage(communicate_info.join(', ') || 'It is done.')
      const calls = actions.map((action) => writeCall(action.name, action.arguments))
      const reads = actions
        .filter(({ name }) => !isWrite(name))
        .map(({ name, arguments: args }) => writeCall(name, args))
      if (reads.length < calls.length) {
        expect([task.id, (await play(environment, task, [...reads, told])).reward]).toEqual([task.id, 0])
      }
      if (communicate_info.length > 0) {
        const mute = await play(environment, task, [...calls, writeMessage('Bye.')])
        expect([task.id, mute.reward, mute.scores?.at(-1)?.name]).toEqual([task.id, 0, 'Facts told'])
      }
      const extra =
        id === 'tools-retail'
          ? writeCall('cancel_pending_order', { order_id: '#W5002', reason: 'ordered by mistake' })
          : writeCall('send_certificate', { user_id: 'luis_amado_04', amount: 50 })
      expect([task.id, (await play(environment, task, [...calls, extra, told])).reward]).toEqual([task.id, 0])
      expect([task.id, (await play(environment, task, [told])).reward]).toEqual([task.id, 0])
    }
  })
})

describe('the bundled stream sheets', () => {
  it('is solved by the solution of each task, on three workbooks each', async () => {
    const environment = await environments.acting('spreadsheet')
    const { tasks, info } = await streams.load('sheets')
    expect(info).toMatchObject({
      tasks: 14,
      reading: { left: [] },
      source: 'bundled',
      environment: 'spreadsheet',
    })
    for (const task of tasks) {
      expect((task.payload as { cases: unknown[] }).cases).toHaveLength(3)
      expect([task.id, await playSolution(environment, task)]).toEqual([task.id, null])
    }
  })

  it('is not solved by doing nothing, and only in part by values that are written down', async () => {
    const environment = await environments.acting('spreadsheet')
    const { tasks } = await streams.load('sheets')
    for (const task of tasks) {
      expect([task.id, (await play(environment, task, ['Action: Done'])).reward]).toEqual([task.id, 0])
    }
    const totals = tasks.find(({ id }) => id === 'totals-row')
    if (!totals) throw new Error('the task is gone')
    const code = `const sheet = workbook.sheet('Budget')
const sums = [0, 0, 0]
for (const row of sheet.getRange('B2:D7')) row.forEach((value, i) => { sums[i] += value })
if (sheet.get('B2') === ${await firstValue(environment, totals)}) sheet.setRange('A8', [['Total', ...sums]])`
    const outcome = await play(environment, totals, [writeCode(code), 'Action: Done'])
    expect(outcome).toMatchObject({ done: true, finish: 'completed', reward: 0 })
    expect(outcome.scores?.[0]?.value).toBeCloseTo(1 / 3)
    expect(outcome.scores?.[0]?.detail).toMatch(/^case 2: Budget!A8/)
  })
})

async function firstValue(environment: Environment, task: Task): Promise<number> {
  const outcome = await (
    await openEpisode(environment, task)
  ).step(writeCode("print(workbook.sheet('Budget').get('B2'))"))
  return Number(outcome.observation)
}

it('lists them, after the streams for the demo model', async () => {
  const ids = (await streams.list()).filter(({ source }) => source === 'bundled').map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['sheets', 'tools-airline', 'tools-retail']))
  expect(ids[0]).toBe('house-rules-a')
})
