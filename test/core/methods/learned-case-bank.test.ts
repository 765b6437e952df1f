import { expect, test } from 'vitest'
import { caseBankNec } from '../../../src/core/methods/case-bank-nec/case-bank-nec'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import { caseBankSoftQ } from '../../../src/core/methods/case-bank-softq/case-bank-softq'
import type { RecalledPart } from '../../../src/core/ground/method'
import { recalledItemSchema } from '../../../src/shared/domain/trajectory'
import { attemptAt, openLab } from './fixtures'

const METHODS = [caseBankQ, caseBankSoftQ, caseBankNec]

/** What an attempt at task `n` looks like that was shown these parts. */
const attemptWith = (n: number, reward: 0 | 1, parts: readonly RecalledPart[]) =>
  attemptAt(n, reward, { recalled: parts.map(({ item }) => ({ ...item, tokens: 3 })) })

test.each(METHODS.map((method) => [method.info.id, method] as const))(
  '%s recalls K cases with the blend of their score, best last, and learns from what was recalled',
  async (_id, method) => {
    const lab = openLab(method, [], { k: 3 })
    expect((await lab.recall(0)).retrieved).toEqual([])
    for (let n = 0; n < 12; n++) {
      const { retrieved } = await lab.recall(n)
      await lab.live(attemptWith(n, n % 3 === 0 ? 0 : 1, retrieved))
    }
    const { retrieved, errorLessons, successLessons } = await lab.recall(12)
    expect([errorLessons, successLessons]).toEqual([[], []])
    expect(retrieved).toHaveLength(3)
    const scores = retrieved.map(({ item }) => item.score ?? 0)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    for (const { item, text } of retrieved) {
      expect(recalledItemSchema.parse({ ...item, tokens: 1 })).toEqual({ ...item, tokens: 1 })
      const { similarity, value, weight } = item.blend ?? { similarity: 0, value: 0, weight: -1 }
      expect(item.score).toBeCloseTo((1 - weight) * similarity + weight * value, 12)
      expect(text).toContain(`${item.reward === 1 ? 'Solved' : 'Failed'}: ${item.title}`)
    }
    expect(retrieved.some(({ item }) => (item.blend?.weight ?? 0) > 0)).toBe(true)
    expect(await lab.recall(12)).toEqual(await lab.recall(12))
    expect(lab.kinds()).toEqual(Array.from({ length: 12 }, () => 'case-added'))
  },
)

test('cold start: similarity alone, and the blend says so', async () => {
  const lab = openLab(caseBankQ, [], { k: 2 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 0))
  const { retrieved } = await lab.recall(2)
  expect(retrieved.map(({ item }) => item.trajectoryId)).toEqual(['r1-t0001', 'r1-t0002'])
  for (const { item } of retrieved) {
    expect(item.blend?.weight).toBe(0)
    expect(item.score).toBe(item.blend?.similarity)
  }
})

test('a deleted case leaves its place to the next, and no cases are asked for with K = 0', async () => {
  const lab = openLab(caseBankQ, [], { k: 2 })
  await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 1))
  await lab.memory.commit([{ kind: 'case-deleted', caseId: 'case-r1-t0002', at: new Date(0).toISOString() }])
  const ids = (await lab.recall(2)).retrieved.map(({ item }) => item.id)
  expect([...ids].sort()).toEqual(['case-r1-t0001', 'case-r1-t0003'])
  expect((await openLab(caseBankQ, [], { k: 0 }).recall(1)).retrieved).toEqual([])
})
