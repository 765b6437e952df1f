import { expect, test } from 'vitest'
import { createBeliefs } from '../../../src/core/recall/beliefs'

const price = { subject: 'price', value: 'cents' }
const guest = { subject: 'guest', value: 'lower' }

test('what is seen is believed, and what else was said of the thing is not', () => {
  const beliefs = createBeliefs()
  expect(beliefs.of('a', 'price', 'cents', 0.6)).toBe(0.6)
  beliefs.see('a', 'price', 'cents', '2026-01-01')
  expect(beliefs.of('a', 'price', 'cents', 0.6)).toBeGreaterThan(0.9)
  expect(beliefs.of('a', 'price', 'units', 0.9)).toBeLessThan(0.1)
  expect(beliefs.of('b', 'price', 'units', 0.9)).toBe(0.9)
  beliefs.see('a', 'price', 'units', '2026-01-01')
  expect(beliefs.of('a', 'price', 'cents', 0.9)).toBeLessThan(0.1)
  expect(beliefs.best('a', 'price')?.value).toBe('units')
})

test('a failure speaks against what is doubtful more than against what is sure, and a success for all of it', () => {
  const beliefs = createBeliefs()
  beliefs.see('a', 'price', 'cents', '2026-01-01')
  beliefs.judge('a', [price, guest], 0)
  const [sure, told] = [beliefs.of('a', 'price', 'cents', 0), beliefs.of('a', 'guest', 'lower', 0)]
  expect(sure).toBeGreaterThan(0.85)
  expect(told).toBeLessThan(0.25)
  beliefs.judge('a', [guest], 1)
  expect(beliefs.of('a', 'guest', 'lower', 0)).toBeGreaterThan(told)
})

test('what was right for long is in doubt after some failures in a row', () => {
  const beliefs = createBeliefs()
  beliefs.see('a', 'price', 'cents', '2026-01-01')
  for (let i = 0; i < 20; i++) beliefs.judge('a', [price], 1)
  let failures = 0
  while (beliefs.of('a', 'price', 'cents', 0) > 0.5 && failures < 20) {
    beliefs.judge('a', [price], 0)
    failures++
  }
  expect(failures).toBeGreaterThan(1)
  expect(failures).toBeLessThan(5)
})

test('drift puts in doubt what was not seen since, and no more', () => {
  const beliefs = createBeliefs()
  beliefs.see('a', 'price', 'cents', '2026-01-01')
  for (let i = 0; i < 10; i++) beliefs.pass('a')
  beliefs.see('a', 'guest', 'lower', '2026-01-01')
  beliefs.shake('a', 3)
  expect(beliefs.of('a', 'price', 'cents', 0)).toBeLessThan(0.8)
  expect(beliefs.of('a', 'guest', 'lower', 0)).toBeGreaterThan(0.95)
})

test('what another agent says is believed as far as others agree', () => {
  const beliefs = createBeliefs()
  beliefs.tell('a', 'price', 'cents', 0.75)
  expect(beliefs.of('a', 'price', 'cents', 0)).toBe(0.75)
  beliefs.tell('a', 'price', 'cents', 0.75)
  expect(beliefs.of('a', 'price', 'cents', 0)).toBeGreaterThan(0.8)
  beliefs.tell('a', 'price', 'units', 0.75)
  expect(beliefs.of('a', 'price', 'cents', 0)).toBeCloseTo(0.75, 5)
  expect(beliefs.of('a', 'price', 'units', 0)).toBeLessThan(0.5)
})

test('beliefs are kept whole in a checkpoint', () => {
  const beliefs = createBeliefs()
  beliefs.see('a', 'price', 'cents', '2026-01-01')
  beliefs.pass('a')
  beliefs.judge('a', [price, guest], 0)
  const again = createBeliefs(JSON.parse(JSON.stringify(beliefs.save())) as ReturnType<typeof beliefs.save>)
  again.judge('a', [guest], 1)
  beliefs.judge('a', [guest], 1)
  expect(again.save()).toEqual(beliefs.save())
})
