import { describe, expect, it } from 'vitest'
import {
  adaptation,
  backwardTransfer,
  endRate,
  forgettingOver,
  transferMatrix,
  type PlacedTask,
} from '../../src/shared/figures/lifelong'

const at = (stage: number, more: Partial<PlacedTask> = {}): PlacedTask => ({
  stage,
  probe: false,
  twinOf: null,
  changed: false,
  ...more,
})
const ones = (n: number): 1[] => Array.from({ length: n }, () => 1)
const zeros = (n: number): 0[] => Array.from({ length: n }, () => 0)

/**
 * Three stages: two probes in each of the first two (places 1 and 2, 5 and 6), their twins at the start of the later ones.
 * 0 new | 1 2 probes | 3 4 twins of 1 2 | 5 6 probes | 7 8 twins of 1 2 | 9 10 twins of 5 6 | 11 new
 */
const LIFE: PlacedTask[] = [
  at(0),
  at(0, { probe: true }),
  at(0, { probe: true }),
  at(1, { twinOf: 1 }),
  at(1, { twinOf: 2 }),
  at(1, { probe: true }),
  at(1, { probe: true }),
  at(2, { twinOf: 1 }),
  at(2, { twinOf: 2 }),
  at(2, { twinOf: 5 }),
  at(2, { twinOf: 6 }),
  at(2),
]
const rates = (life: PlacedTask[], rewards: number[]) =>
  transferMatrix(life, rewards).map((row) => row.map((cell) => cell && [cell.rate, cell.n]))

describe('the transfer matrix of a lifetime', () => {
  // Probes of stage 0: half; in stage 1 all; in stage 2 none. Probes of stage 1: none; in stage 2 half.
  const rewards = [1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1]

  it('has probes as they were first played on its diagonal and their twins below', () => {
    expect(rates(LIFE, rewards)).toEqual([
      [[0.5, 2], null, null],
      [[1, 2], [0, 2], null],
      [[0, 2], [0.5, 2], null],
    ])
  })

  it('gives backward transfer as GEM has it: the last row minus the diagonal', () => {
    // ((0 - 0.5) + (0.5 - 0)) / 2
    expect(backwardTransfer(transferMatrix(LIFE, rewards))).toBe(0)
    // ((1 - 0.5) + (1 - 0)) / 2
    expect(backwardTransfer(transferMatrix(LIFE, [1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1]))).toBe(0.75)
  })

  it('gives forgetting as Chaudhry has it: the best of all earlier rows minus the last', () => {
    // ((max(0.5, 1) - 0) + (0 - 0.5)) / 2
    expect(forgettingOver(transferMatrix(LIFE, rewards))).toBe(0.25)
  })

  it('leaves out twins whose rules changed, and what was not played', () => {
    const drifted = LIFE.map((task, i) => (i === 8 ? { ...task, changed: true } : task))
    expect(rates(drifted, rewards)[2]).toEqual([[0, 1], [0.5, 2], null])
    expect(rates(LIFE, rewards.slice(0, 4))[1]).toEqual([[1, 1], null, null])
    expect(backwardTransfer(transferMatrix(LIFE, rewards.slice(0, 7)))).toBeNull()
    expect(forgettingOver(transferMatrix([at(0)], [1]))).toBeNull()
  })
})

describe('adaptation time', () => {
  it('counts tasks up to the first from which on twenty go as well as the last twenty before', () => {
    // Level 1, allowed 19 of 20: five lost in a row; from the fifth on one of them is left in the twenty.
    expect(adaptation([...ones(30), ...zeros(5), ...ones(35)], [30])).toEqual({
      tasks: 4,
      changes: 1,
      never: 0,
    })
    expect(adaptation([...ones(30), ...ones(30)], [30])).toEqual({ tasks: 0, changes: 1, never: 0 })
  })

  it('counts all tasks up to the next change where the level is not reached', () => {
    const rewards = [...ones(30), ...zeros(30), ...zeros(30)]
    // After the second change there is no level to lose.
    expect(adaptation(rewards, [30, 60])).toEqual({ tasks: 15, changes: 2, never: 1 })
  })

  it('is nothing, and not 0, where nothing changed or too little was played', () => {
    expect(adaptation(ones(100), [])).toBeNull()
    expect(adaptation(ones(45), [30])).toBeNull()
    expect(adaptation(ones(45), [10])).toBeNull()
  })
})

describe('how it goes in the end', () => {
  it('is the last third, at most a hundred tasks', () => {
    expect(endRate([...zeros(80), ...ones(40)])).toBe(1)
    expect(endRate([...zeros(900), ...ones(50), ...zeros(50)])).toBe(0.5)
    expect(endRate([])).toBeNull()
  })
})
