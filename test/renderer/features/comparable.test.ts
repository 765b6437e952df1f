import { expect, it } from 'vitest'
import { comparable } from '../../../src/renderer/features/run/comparable'
import { methodTitle, runDistinction } from '../../../src/renderer/ground/run-title'
import { runInfo } from '../fixtures'
import { experiment } from './experiments/fixtures'

const run = (id: string, method: string, k: number, seed: number) => {
  const base = runInfo()
  return { ...base, id, curve: [1 as const], config: { ...base.config, method, k, seed } }
}
const cellOf = (method: string, k: number, seed: number) =>
  run(`exp-1-${method}-e${k}-s${seed}`, method, k, seed)

it('stands a cell beside the cells like it, and a person’s own run beside none', () => {
  const all = [
    cellOf('none', 0, 1),
    cellOf('none', 0, 2),
    cellOf('replay', 4, 1),
    cellOf('replay', 16, 1),
    cellOf('case-bank', 4, 1),
    run('run-1', 'replay', 4, 1),
    run('exp-2-replay-e4-s1', 'replay', 4, 1),
  ]
  const ids = (of: (typeof all)[number], experimentId: string | null) =>
    comparable(of, all, experimentId).map(({ id }) => id)
  expect(ids(cellOf('replay', 4, 1), 'exp-1').sort()).toEqual([
    'exp-1-case-bank-e4-s1',
    'exp-1-none-e0-s1',
    'exp-1-replay-e4-s1',
  ])
  expect(ids(run('run-1', 'replay', 4, 1), null)).toEqual(['run-1'])
})

it('tells runs of one method apart by seed, and by K where that differs', () => {
  const two = [cellOf('replay', 4, 1), cellOf('replay', 4, 2)]
  expect(two.map((each) => runDistinction(each, two))).toEqual(['seed 1', 'seed 2'])
  const three = [...two, cellOf('replay', 16, 1)]
  expect(three.map((each) => runDistinction(each, three))).toEqual([
    'seed 1, K 4',
    'seed 2, K 4',
    'seed 1, K 16',
  ])
  expect(runDistinction(cellOf('none', 0, 1), three)).toBe('')
  const plain = cellOf('evosc', 4, 1)
  const own = {
    ...plain,
    config: { ...plain.config, settings: { agent: { told: 'answer', planFirst: true } } },
  }
  const same = { ...plain, config: { ...plain.config, settings: { agent: { planFirst: true } } } }
  expect([own, same].map((each) => runDistinction(each, [own, same]))).toEqual(['told: answer', 'seed 1'])
})

it('calls the cell of a variant by the variant’s name', () => {
  const { cells: _cells, ...head } = experiment()
  const variant = { name: 'no-EE', method: 'evosc', settings: {} }
  const withVariant = { ...head, definition: { ...head.definition, methods: ['evosc', variant] } }
  expect(methodTitle(run('exp-1-no-EE-e4-s1', 'evosc', 4, 1), null, withVariant)).toBe('no-EE')
  expect(methodTitle(run('exp-1-evosc-e4-s1', 'evosc', 4, 1), null, withVariant)).toBe('evosc')
})
