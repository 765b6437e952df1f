import { expect, test } from 'vitest'
import { createRng } from '../../../src/shared/random'
import {
  bestOf,
  compareReplays,
  comparisonSentence,
  nextLook,
  oneSided,
} from '../../../src/shared/figures/method-looks'

const titleOf = (id: string): string => ({ notes: 'Linked notes', bank: 'Case bank' })[id] ?? id
const times = (count: number, value: boolean): boolean[] => Array<boolean>(count).fill(value)

test('a difference is worth saying only at a look, and only when luck rarely makes it', () => {
  expect(oneSided(8, 0)).toBeCloseTo(1 / 256)
  expect(oneSided(4, 0)).toBeCloseTo(1 / 16)
  expect(oneSided(0, 0)).toBe(1)
  expect([0, 19, 20, 160].map(nextLook)).toEqual([20, 20, 40, null])
  const right = [...times(8, true), ...times(12, false)]
  const at = (n: number) =>
    compareReplays({ method: 'notes', right: right.slice(0, n), rightNow: times(n, false) }, 4)
  expect(at(19)).toMatchObject({ n: 19, look: null, chance: null, standing: 'open' })
  expect(at(20)).toMatchObject({ n: 20, look: 20, standing: 'better', right: 8, rightNow: 0 })
  // Four more of twenty, none fewer: luck makes that one time in sixteen.
  const four = compareReplays(
    { method: 'notes', right: [...times(4, true), ...times(16, false)], rightNow: times(20, false) },
    4,
  )
  expect(four.standing).toBe('open')
  expect(comparisonSentence(four, 'bank', titleOf)).toBe(
    'In a replay of 20 asks, Linked notes would have solved 4 more than Case bank (4 only with it, 0 only with Case bank). That may be luck.',
  )
  expect(bestOf([four, at(20)])).toMatchObject({ right: 8 })
  const behind = compareReplays({ method: 'notes', right: times(10, false), rightNow: times(10, true) }, 4)
  expect(behind.standing).toBe('behind')
})

/** The share of lives in which one of four methods is called better at some look. `shares`: how often each is right; the first is in use. */
function offers(shares: readonly number[], asks: number, draws: number): number {
  const rng = createRng('lives')
  const random = (): number => rng.next()
  let count = 0
  for (let draw = 0; draw < draws; draw++) {
    const [rightNow = [], ...others] = shares.map((): boolean[] => [])
    let offered = false
    for (let i = 0; i < asks && !offered; i++) {
      const difficulty = (random() + random() + random() - 1.5) * 3
      shares.forEach((chance, m) => {
        const logit = Math.log(chance / (1 - chance)) * 1.4 + difficulty
        ;[rightNow, ...others][m]?.push(random() < 1 / (1 + Math.exp(-logit)))
      })
      // Between looks nothing new is told apart, except that a lead is lost.
      if (nextLook(i) !== i + 1) continue
      const each = others.map((right, m) =>
        compareReplays({ method: String(m), right, rightNow }, others.length),
      )
      offered = bestOf(each) !== null
    }
    if (offered) count++
  }
  return count / draws
}

test('where no method is better, one is offered in at most 5 of 100 lives, however often is looked', () => {
  expect(offers([0.5, 0.5, 0.5, 0.5, 0.5], 160, 1500)).toBeLessThanOrEqual(0.05)
  expect(offers([0.3, 0.7, 0.3, 0.3, 0.3], 80, 300)).toBeGreaterThan(0.8)
})
