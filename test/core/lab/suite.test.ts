import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planCells } from '../../../src/core/lab/experiment'
import type { CellResult } from '../../../src/core/lab/experiment-report'
import { suiteResults } from '../../../src/core/lab/suite-report'
import { METHODS } from '../../../src/core/methods'
import { openNamedStream } from '../../../src/core/tasks/generators'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { readStudy, readStudyFile } from '../../../src/main/experiments/study-file'
import type { CellPlan, Study } from '../../../src/shared/domain/experiment'
import type { StepEvent } from '../../../src/core/lab/run-record'
import type { Task } from '../../../src/shared/domain/task'

const suiteOf = (suite: object, methods: string[] = ['none', 'case-bank'], seeds = [1]): Study =>
  readStudy({ stream: 'lifelong', suite, methods, seeds })

/** A step with that reward, which took 100 tokens. */
const step = (reward: 0 | 1, index: number): StepEvent => ({
  ...{ kind: 'step', index, taskId: `t${index}`, trajectoryId: `r-t${index}`, reward, finish: 'completed' },
  usage: { promptTokens: 90, completionTokens: 10, reusedTokens: 0, ms: 1 },
  ...{ ms: 1, at: '', rounds: 2, toolCalls: 1 },
})
const tasksOf = (name: string): readonly Task[] => parseStream(openNamedStream(name)?.text ?? '', name).tasks

/** Results of all cells, each task solved where `solved` says so. */
function played(
  definition: Study,
  solved: (cell: CellPlan, index: number) => boolean,
  status: (cell: CellPlan) => CellResult['status'] = () => 'done',
  builtTokens?: number,
) {
  const cells = planCells('exp', definition)
  const tasks = new Map(cells.map(({ stream = '' }) => [stream, tasksOf(stream)]))
  const results = cells.map((plan): CellResult => ({
    plan,
    status: status(plan),
    problem: null,
    builtTokens,
    steps: (tasks.get(plan.stream ?? '') ?? []).map((_, i) => step(solved(plan, i) ? 1 : 0, i)),
  }))
  return suiteResults(definition, results, tasks)
}

describe('the lives of a suite', () => {
  it('are methods times streams, worlds, orders and seeds, world by world', () => {
    const cells = planCells('exp', suiteOf({ streams: ['drift', 'steady'], worlds: [7, 8], orders: 2 }))
    expect(cells.length).toBe(16)
    expect(cells.slice(0, 4).map(({ key }) => key)).toEqual([
      'steady-w7-o1-none-s1',
      'steady-w7-o1-case-bank-s1',
      'drift-w7-o1-none-s1',
      'drift-w7-o1-case-bank-s1',
    ])
    expect(cells[0]).toMatchObject({ stream: 'lifelong:steady?world=7&order=1', exp: 0 })
    expect(cells[1]).toMatchObject({ exp: 4, runId: 'exp-steady-w7-o1-case-bank-s1' })
  })

  it('bring what poisoned is compared with, keep some methods to some streams, and play some in more worlds', () => {
    const keys = planCells(
      'exp',
      suiteOf({
        streams: ['poisoned', 'long'],
        worlds: [7],
        more: { worlds: [9], methods: ['case-bank'] },
        only: { long: ['case-bank'] },
      }),
    ).map(({ key }) => key.replace(/-o1|-s1/g, ''))
    expect(keys).toEqual([
      ...['long-w7-case-bank', 'poisoned-w7-none', 'poisoned-w7-case-bank'],
      ...['given-w7-none', 'given-w7-case-bank'],
      ...['long-w9-case-bank', 'poisoned-w9-case-bank', 'given-w9-case-bank'],
    ])
  })

  it('take the K of a variant, and no list of them', () => {
    const definition = {
      ...suiteOf({ streams: ['steady'], worlds: [7] }),
      methods: [1, 16].map((k) => ({ ...{ name: `cases-${k}`, method: 'case-bank' }, settings: {}, k })),
    }
    expect(planCells('exp', definition).map(({ exp }) => exp)).toEqual([1, 16])
    expect(planCells('exp', { ...definition, exp: [2] }).map(({ exp }) => exp)).toEqual([2, 2])
    expect(() => planCells('exp', { ...definition, exp: [1, 4] })).toThrow(/one value of K, not 1, 4/)
  })

  it('are refused where a stream, a method or a world cannot be meant', () => {
    const refused = (suite: object) => () => planCells('exp', suiteOf(suite))
    expect(refused({ streams: ['drifty'], worlds: [1] })).toThrow(/no stream "drifty"/)
    expect(refused({ streams: ['drift'], worlds: [1, 1] })).toThrow(/worlds is named twice/)
    expect(refused({ streams: ['drift'], worlds: [1], only: { drift: ['loam'] } })).toThrow(
      /no method "loam"/,
    )
  })
})

describe('the figures of a suite', () => {
  it('are null where a stream has none, and never 0', () => {
    const { summary } = played(
      suiteOf({ streams: ['steady', 'drift'], worlds: [7] }, ['case-bank']),
      () => true,
    )
    const [steady, drift] = summary
    expect(steady).toMatchObject({ stream: 'steady', mean: 1, last: 1, adaptation: null, damage: null })
    expect(steady).toMatchObject({ forwardTransfer: null, forgetting: 0, backwardTransfer: 0 })
    expect(drift).toMatchObject({ stream: 'drift', adaptation: 0, tokensPerTask: 100 })
    expect(steady).toMatchObject({ low: null, high: null, n: 1, over: 'orders' })
  })

  it('share out over all tasks what was built between them', () => {
    const definition = suiteOf({ streams: ['steady'], worlds: [7] }, ['case-bank'])
    const { summary, cells } = played(
      definition,
      () => true,
      () => 'done',
      60_000,
    )
    const [{ rewards } = { rewards: [] }] = cells
    expect(summary[0]?.tokensPerTask).toBe(100 + 60_000 / rewards.length)
  })

  it('compare with the baseline and with the clean stream on the same tasks', () => {
    const definition = suiteOf({ streams: ['poisoned'], worlds: [7] })
    // 120 tasks: none solves the first 30, case-bank all but the first 12 where it is poisoned.
    const { summary } = played(definition, ({ method, stream = '' }, i) =>
      method === 'none' ? i < 30 : !stream.includes('poisoned') || i >= 12,
    )
    const row = summary.find(({ stream, method }) => stream === 'poisoned' && method === 'case-bank')
    expect(row?.damage).toBeCloseTo(0.1, 10)
    expect(row?.mean).toBeCloseTo(0.9, 10)
    // Of 119 tasks after the first: 108 solved, 29 without memory.
    expect(row?.forwardTransfer).toBeCloseTo((108 - 29) / 119, 10)
    expect(summary.find(({ method }) => method === 'none')?.forwardTransfer).toBeNull()
  })

  it('count worlds as samples, each the mean over its orders', () => {
    const definition = suiteOf({ streams: ['steady'], worlds: [1, 2, 3], orders: 2 }, ['case-bank'])
    // World 1: 0 and 0.5, world 2: 0.5, world 3: 1.
    const share = (key: string): number =>
      key.includes('w1-o1') ? 0 : key.includes('w1') || key.includes('w2') ? 60 : 120
    const { summary, suite } = played(definition, ({ key }, i) => i < share(key))
    expect(summary[0]).toMatchObject({ n: 3, over: 'worlds', lives: 6, low: 0.25, high: 1 })
    expect(summary[0]?.mean).toBeCloseTo((0.25 + 0.5 + 1) / 3, 10)
    expect(suite).toEqual([{ method: 'case-bank', mean: summary[0]?.mean, low: 0.25, high: 1, n: 3 }])
  })

  it('take orders as samples in one world, and seeds that went alike as one life', () => {
    const orders = played(
      suiteOf({ streams: ['steady'], worlds: [1], orders: 2 }, ['case-bank']),
      ({ key }, i) => (key.includes('o1') ? i < 60 : true),
    )
    expect(orders.summary[0]).toMatchObject({ n: 2, over: 'orders', low: 0.5, high: 1 })
    const uniformFields = played(
      suiteOf({ streams: ['steady'], worlds: [1] }, ['case-bank'], [1, 2, 3]),
      () => true,
    )
    expect(uniformFields.summary[0]).toMatchObject({ n: 1, lives: 1, low: null, high: null })
    expect(uniformFields.notes.join(' ')).toContain('2 lives went like another seed')
  })

  it('have a mean over the suite only of streams and worlds that every method was played on', () => {
    const definition = suiteOf({
      streams: ['steady', 'drift', 'long'],
      worlds: [1],
      more: { worlds: [2], methods: ['case-bank'] },
      only: { long: ['case-bank'] },
    })
    const { suite, suiteOver } = played(definition, ({ stream = '' }) => !stream.includes(':long'))
    expect(suiteOver).toEqual({ streams: ['steady', 'drift'], worlds: [1] })
    expect(suite.map(({ method, mean, n }) => [method, mean, n])).toEqual([
      ['none', 1, 1],
      ['case-bank', 1, 1],
    ])
  })

  it('leave out lives that have not ended', () => {
    const definition = suiteOf({ streams: ['steady'], worlds: [1, 2] }, ['case-bank'])
    const { summary, pending, suite } = played(
      definition,
      () => true,
      ({ key }) => (key.includes('w2') ? 'running' : 'done'),
    )
    expect(pending).toBe(1)
    expect(summary[0]).toMatchObject({ n: 1, lives: 1 })
    expect(suite[0]).toMatchObject({ mean: 1, n: 1 })
  })
})

describe('resources/experiments/lifelong-suite.yaml', () => {
  it('plays every method in at least three worlds', async () => {
    const definition = await readStudyFile(resolve('resources/experiments/lifelong-suite.yaml'))
    expect([...definition.methods].sort()).toEqual(METHODS.map(({ info }) => info.id).sort())
    const cells = planCells('exp', definition)
    for (const { info } of METHODS) {
      const own = cells.filter(({ method }) => method === info.id)
      expect(new Set(own.map(({ key }) => /-w(\d+)-/.exec(key)?.[1])).size).toBeGreaterThanOrEqual(3)
    }
    expect(new Set(cells.filter(({ key }) => key.startsWith('long-')).map(({ method }) => method)).size).toBe(
      4,
    )
  })
})
