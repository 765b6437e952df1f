import { expect, test } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { watchDrift } from '../../../src/core/recall/drift'
import { createValueModel } from '../../../src/core/recall/value-model'

const item = (key: string, features: Record<string, number> = { item: 1 }) => ({ key, features })

test('an item that keeps failing sinks while one shown beside it that also succeeds does not', () => {
  const model = createValueModel({ item: 1 })
  for (let i = 0; i < 40; i++) {
    model.learn([item('good')], 1)
    model.learn([item('good'), item('bad')], 0)
  }
  const [good, bad] = [model.effect('good'), model.effect('bad')]
  expect(bad.mean).toBeLessThan(-0.8)
  expect(good.mean).toBeGreaterThan(bad.mean + 0.8)
  expect(bad.mean + 1.28 * bad.deviation).toBeLessThan(0)
  expect(model.predict([item('good')])).toBeGreaterThan(model.predict([item('good'), item('bad')]))
})

test('a feature that goes with success gets weight', () => {
  const model = createValueModel({ item: 0 })
  for (let i = 0; i < 60; i++) {
    model.learn([item(`a${i}`, { item: 1, fits: 1 })], 1)
    model.learn([item(`b${i}`, { item: 1 })], 0)
  }
  expect(model.value(item('new', { item: 1, fits: 1 }))).toBeGreaterThan(model.value(item('new')) + 0.3)
  expect(model.parts(item('new', { fits: 1 }))['fits']).toBeGreaterThan(0.3)
})

test('one outcome that nothing explains moves little, and exploring vanishes with what is known', () => {
  const model = createValueModel({ item: 6 })
  const before = model.value(item('x'))
  model.learn([item('x')], 0)
  expect(before - model.value(item('x'))).toBeLessThan(0.2)
  const spread = (uses: number): number => {
    const known = createValueModel({ item: 0 })
    for (let i = 0; i < uses; i++) known.learn([item('x')], i % 2 === 0 ? 1 : 0)
    const rng = createRng('draw')
    const draws = Array.from({ length: 200 }, () => known.value(item('x'), { rng, scale: 1 }))
    return Math.max(...draws) - Math.min(...draws)
  }
  expect(spread(200)).toBeLessThan(spread(0) / 1.5)
})

test('a model is kept whole in a checkpoint', () => {
  const model = createValueModel({ item: 1 })
  model.learn([item('a'), item('b')], 1)
  const again = createValueModel(
    { item: 1 },
    JSON.parse(JSON.stringify(model.save())) as ReturnType<typeof model.save>,
  )
  model.learn([item('a')], 0)
  again.learn([item('a')], 0)
  expect(again.save()).toEqual(model.save())
})

test('drift is noticed within some failures, and seldom where nothing changes', () => {
  const watch = watchDrift()
  for (let i = 0; i < 100; i++) expect(watch.step(0.9 - 1)).toBeNull()
  const steps = Array.from({ length: 6 }, () => watch.step(0.9))
  expect(steps.findIndex((since) => since !== null)).toBeGreaterThan(0)
  const rng = createRng('steady')
  const calm = watchDrift()
  const alarms = Array.from({ length: 1000 }, () => calm.step(0.9 - (rng.chance(0.9) ? 1 : 0))).filter(
    (since) => since !== null,
  )
  expect(alarms.length).toBeLessThan(25)
})
