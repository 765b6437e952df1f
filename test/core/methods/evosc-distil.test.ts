import { describe, expect, it } from 'vitest'
import { evosc } from '../../../src/core/methods/evosc/evosc'
import type { SettingChanges } from '../../../src/shared/domain/setting'

const order = (rewards: readonly (0 | 1)[], total: number, settings: SettingChanges['evosc'] = {}) =>
  evosc.distil?.({ rewards, total }, { evosc: { ptc: true, ...settings } }) ?? null
const solved = (count: number) => Array.from({ length: count }, () => 1 as const)

describe('when EvoSC asks for a soft prompt', () => {
  it('never unless PTC is on', () => {
    expect(evosc.distil?.({ rewards: solved(20), total: 30 }, {})).toBeNull()
  })

  it('after a third of the tasks, with the sizes of the paper', () => {
    expect(order(solved(9), 30)).toBeNull()
    expect(order(solved(10), 30)).toMatchObject({ at: 10, teacher: 20, student: 8, length: null, steps: 100 })
  })

  it('stays with the same one afterwards, whatever happens', () => {
    const rewards: (0 | 1)[] = [...solved(10), 0, 0, 1, 1]
    for (let done = 10; done <= rewards.length; done++) expect(order(rewards.slice(0, done), 30)?.at).toBe(10)
  })

  it('waits until there are two successes to learn from', () => {
    const rewards: (0 | 1)[] = [0, 0, 1, 0, 0, 1, 0]
    expect(order(rewards.slice(0, 5), 30, { ptcAfter: 3 })).toBeNull()
    expect(order(rewards, 30, { ptcAfter: 3 })?.at).toBe(6)
  })

  it('again after every N solved, when asked to', () => {
    const rewards: (0 | 1)[] = [1, 1, 1, 0, 1, 1, 1, 0, 1]
    const at = rewards.map(
      (_, index) => order(rewards.slice(0, index + 1), 30, { ptcAfter: 2, ptcEvery: 3 })?.at,
    )
    expect(at).toEqual([undefined, 2, 2, 2, 2, 6, 6, 6, 6])
  })

  it('not when no task is left to serve it', () => {
    expect(order(solved(30), 30, { ptcAfter: 30 })).toBeNull()
    expect(order(solved(30), 30, { ptcAfter: 29 })?.at).toBe(29)
  })
})
