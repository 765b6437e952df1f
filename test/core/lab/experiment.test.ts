import { expect, test } from 'vitest'
import { planCells } from '../../../src/core/lab/experiment'
import { reportResults, type CellResult } from '../../../src/core/lab/experiment-report'
import { carriedStep, type StepEvent } from '../../../src/core/lab/run-record'
import {
  studySchema,
  type CellStatus,
  type Study,
  type ExperimentInput,
} from '../../../src/shared/domain/experiment'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { fakeTasks } from '../../main/runs/fakes'

const define = (input: Partial<ExperimentInput> = {}): Study =>
  studySchema.parse({ stream: 's', methods: ['none', 'replay'], ...input })

test('cells come seed by seed; a method without a K runs once per seed and says so', () => {
  const cells = planCells('x', define({ seeds: [7, 8], exp: [0, 4] }))
  expect(cells.map((cell) => cell.key)).toEqual([
    'none-e0-s7',
    'replay-e0-s7',
    'replay-e4-s7',
    'none-e0-s8',
    'replay-e0-s8',
    'replay-e4-s8',
  ])
  expect(cells[0]).toMatchObject({ note: 'Takes no K, so it runs once per seed.', runId: 'x-none-e0-s7' })
  expect(cells[2]).toMatchObject({ exp: 4, note: null })
  // Without values of K each method has its own default.
  expect(planCells('x', define({ seeds: [1] })).map((cell) => [cell.exp, cell.note])).toEqual([
    [0, null],
    [4, null],
  ])
})

test('variants are cells of their own name', () => {
  const variant = { name: 'only-solved', method: 'case-bank', settings: { 'case-bank': { failed: false } } }
  const cells = planCells('x', define({ methods: ['case-bank', variant], seeds: [1] }))
  expect(cells.map((cell) => cell.key)).toEqual(['case-bank-e4-s1', 'only-solved-e4-s1'])
})

test('refuses what cannot be meant', () => {
  const plan = (input: Partial<ExperimentInput>) => () => planCells('x', define(input))
  expect(plan({ methods: ['magic'] })).toThrow(/magic/)
  expect(plan({ seeds: [1, 1] })).toThrow(/twice/)
  expect(plan({ methods: ['none', 'none'] })).toThrow(/twice/)
  expect(plan({ baseline: 'case-bank' })).toThrow(/not among/)
  expect(plan({ methods: ['replay'] })).not.toThrow()
  expect(studySchema.safeParse({ stream: 's', methods: ['none'], sedes: [1] }).success).toBe(false)
})

const step = (index: number, reward: 0 | 1, finish: StepEvent['finish'] = 'completed'): StepEvent => ({
  kind: 'step',
  index,
  taskId: `t${index}`,
  trajectoryId: `r-${index}`,
  reward,
  finish,
  usage: { ...NO_USAGE, promptTokens: 90, completionTokens: 10 },
  ms: 5,
  at: '',
  rounds: 2,
})

const SKILLS = [['a'], ['b'], ['a', 'b'], []]

function results(
  definition: Study,
  curves: Readonly<Record<string, readonly (0 | 1)[]>>,
  status: (key: string) => CellStatus = () => 'done',
): CellResult[] {
  return planCells('x', definition).map((plan) => ({
    plan,
    status: status(plan.key),
    problem: null,
    steps: (curves[plan.key] ?? []).map((reward, i) => step(i, reward)),
  }))
}

const CURVES = {
  'none-e0-s1': [0, 0, 1, 0],
  'none-e0-s2': [0, 0, 0, 0],
  'replay-e0-s1': [0, 0, 1, 0],
  'replay-e0-s2': [0, 0, 0, 0],
  'replay-e4-s1': [0, 1, 1, 1],
  'replay-e4-s2': [1, 0, 0, 1],
} as const

test('summary: means over seeds with interval, and differences paired by seed', () => {
  const definition = define({ seeds: [1, 2], exp: [0, 4] })
  const { cells, summary, averages, pending } = reportResults(definition, results(definition, CURVES), SKILLS)
  expect(pending).toBe(0)
  expect(cells.find((cell) => cell.key === 'replay-e4-s1')).toMatchObject({
    successRate: 0.75,
    firstRate: 0,
    lastRate: 1,
    promptTokens: 360,
    completionTokens: 40,
    wallMs: 20,
    stepsPerTask: 2,
    tokensPerTask: 100,
    // Against [0, 0, 1, 0], without the first task: (1 + 0 + 1) / 3.
    forwardTransfer: 2 / 3,
    forgetting: null,
    skills: [
      { skill: 'a', n: 2, rate: 0.5 },
      { skill: 'b', n: 2, rate: 1 },
    ],
  })
  expect(summary.map((row) => [row.method, row.exp, row.n, row.mean, row.ci95])).toEqual([
    ['none', 0, 2, 0.125, [0, 0.25]],
    ['replay', 0, 2, 0.125, [0, 0.25]],
    ['replay', 4, 2, 0.625, [0.5, 0.75]],
  ])
  expect(summary[0]).toMatchObject({ deltaToBaseline: null, deltaN: 0 })
  expect(summary[1]).toMatchObject({ deltaToBaseline: 0, deltaCi95: [0, 0], deltaN: 2 })
  // 0.75 - 0.25 and 0.5 - 0.
  expect(summary[2]).toMatchObject({ deltaToBaseline: 0.5, deltaCi95: [0.5, 0.5], deltaN: 2, lastMean: 1 })
  expect(averages).toEqual([
    { method: 'none', n: 1, mean: 0.125 },
    { method: 'replay', n: 2, mean: 0.375 },
  ])
})

test('what a memory took that was built between tasks is borne by the measured ones', () => {
  const definition = define({ seeds: [1, 2] })
  const built = results(definition, CURVES).map((result) =>
    result.plan.key.startsWith('replay') ? { ...result, builtTokens: 2000 } : result,
  )
  const { cells, summary } = reportResults(definition, built, SKILLS)
  // Four tasks at 100 tokens each.
  const cell = cells.find(({ method }) => method === 'replay')
  expect(cell).toMatchObject({ tokensPerTask: 600, buildTokensPerTask: 500, promptTokens: 360 })
  const of = (name: string) => summary.find(({ method }) => method === name)
  expect(of('replay')).toMatchObject({ tokensPerTask: 600, buildTokensPerTask: 500 })
  expect(of('none')?.tokensPerTask).toBe(100)
  expect(of('none')).not.toHaveProperty('buildTokensPerTask')
})

test('OOM cells are left out of the means and counted', () => {
  const definition = define({ seeds: [1, 2], exp: [0, 4] })
  const all = results(definition, CURVES, (key) =>
    key === 'replay-e4-s2' || key.startsWith('replay-e0') ? 'oom' : key === 'none-e0-s2' ? 'running' : 'done',
  )
  const { summary, averages, pending, cells } = reportResults(definition, all, SKILLS)
  expect(pending).toBe(1)
  expect(cells.map((cell) => cell.status)).toEqual(['done', 'oom', 'done', 'oom', 'oom'])
  expect(summary[1]).toMatchObject({ exp: 0, n: 0, oom: 2, mean: null, ci95: null, meanWithOom: 0.125 })
  expect(summary[2]).toMatchObject({
    exp: 4,
    n: 1,
    oom: 1,
    mean: 0.75,
    ci95: null,
    meanWithOom: 0.625,
    deltaN: 1,
  })
  expect(averages[1]).toEqual({ method: 'replay', n: 1, mean: 0.75 })
})

test('a cell that never began has no rates', () => {
  const definition = define({ methods: ['none'], seeds: [1] })
  const { cells, summary } = reportResults(
    definition,
    results(definition, {}, () => 'cancelled'),
    SKILLS,
  )
  expect(cells[0]).toMatchObject({ tasks: 0, successRate: null, firstRate: null, stepsPerTask: null })
  expect(summary[0]).toMatchObject({ n: 0, mean: null })
})

test('passes give pass@k, re-tests forgetting, iterations a rate each', () => {
  const passes = define({ methods: ['none'], seeds: [1], protocol: { passes: 3, retest: 3 } })
  const rewards = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1] as const
  const tasks = fakeTasks(15)
  const steps = rewards.map((reward, i) => {
    const task = tasks[i]
    return task && [4, 8, 9].includes(i) ? carriedStep('r', task, '') : step(i, reward)
  })
  const [plan] = planCells('x', passes)
  if (!plan) throw new Error('no cell')
  const [cell] = reportResults(passes, [{ plan, status: 'done', problem: null, steps }], SKILLS).cells
  expect(cell).toMatchObject({
    rewards: [1, 0, 0, 0],
    passRates: [0.25, 0.5, 0.75],
    // Last met as [1, 1, 1], then [1, 0, 1].
    forgetting: 1 / 3,
    promptTokens: 12 * 90,
    tokensPerTask: 100,
  })
  const iterations = define({ methods: ['none'], seeds: [1], protocol: { iterations: 2 } })
  const two = reportResults(
    iterations,
    results(iterations, { 'none-e0-s1': [0, 0, 0, 1, 1, 1, 0, 1] }),
    SKILLS,
  )
  expect(two.cells[0]).toMatchObject({
    tasks: 8,
    iterationRates: [0.25, 0.75],
    // What one of the iterations solved by then.
    passRates: [0.25, 0.75],
    forgetting: null,
  })
  expect(two.summary[0]?.iterationMeans).toEqual([0.25, 0.75])
})

test('what became of soft prompts that cells trained, or could not train, is in their reports', () => {
  const tried = [{ due: 2, tasks: 1, without: 0, with: 1, gain: 1, ci95: null, served: false }]
  const problem = toErrorShape(
    new LoamError('TRAINER_MEMORY', 'It takes 9 GB.', { suggestion: 'Train less.' }),
  )
  const untrained = [{ due: 4, problem }]
  const definition = define({ seeds: [1] })
  const [first, ...others] = results(definition, CURVES)
  if (!first) throw new Error('Two cells were asked for.')
  const { cells } = reportResults(definition, [{ ...first, tried, untrained }, ...others], SKILLS)
  expect(cells[0]).toMatchObject({ tried, untrained })
  expect(cells[1]).not.toHaveProperty('tried')
  expect(cells[1]).not.toHaveProperty('untrained')
})
