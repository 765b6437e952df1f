import { expect, test } from 'vitest'
import { pairedPower } from '../bench/paired-power'

const world = (won: number, lost: number, same: number) => ({
  one: [...Array<number>(won).fill(1), ...Array<number>(lost).fill(0), ...Array<number>(same).fill(1)],
  other: [...Array<number>(won).fill(0), ...Array<number>(lost).fill(1), ...Array<number>(same).fill(1)],
})

test('the tasks that a paired difference takes are those of the formula by hand', () => {
  // (1.96 + 0.84)² (0.1 - 0.03²) / 0.03²
  const power = pairedPower([world(6, 4, 90)], 0.03)
  expect(power).toMatchObject({ worlds: 1, tasks: 100, won: 0.06, lost: 0.04, tasksNeeded: 865 })
  expect([power.between, power.worldsNeeded]).toEqual([null, null])
  expect(power.difference).toBeCloseTo(0.02)
  expect(power.within).toBeCloseTo(0.0618, 3)
})

test('worlds that differ by more than their tasks explain are needed in larger number', () => {
  const alike = pairedPower([world(5, 5, 90), world(5, 5, 90)], 0.03)
  expect(alike).toMatchObject({ between: 0, worldsNeeded: Math.ceil(alike.tasksNeeded / 100) })
  const unlike = pairedPower([world(10, 0, 90), world(0, 10, 90)], 0.03)
  expect(unlike.between).toBeGreaterThan(0.1)
  expect(unlike.worldsNeeded).toBeGreaterThan(10 * (alike.worldsNeeded ?? 0))
})

test('nothing is said of tasks that are not the same', () => {
  expect(() => pairedPower([], 0.03)).toThrow('no world')
  expect(() => pairedPower([{ one: [1], other: [] }], 0.03)).toThrow('same tasks')
})
