import { describe, expect, it } from 'vitest'
import { AdamW, clipGradient } from '../../../src/core/ground/adamw'
import { EarlyStop } from '../../../src/core/soft-prompts/train'
import { learningRate } from '../../../src/core/soft-prompts/train'

describe('AdamW', () => {
  it('moves by the rate at first, whatever the gradient’s size', () => {
    const values = Float32Array.of(1, 1)
    new AdamW(2).step(values, Float32Array.of(1000, -0.001), 0.1)
    expect(values[0]).toBeCloseTo(0.9, 5)
    expect(values[1]).toBeCloseTo(1.1, 4)
  })

  it('follows the published algorithm over several steps, weight decay apart', () => {
    const values = Float32Array.of(0.5)
    const adam = new AdamW(1, { weightDecay: 0.1 })
    let expected = 0.5
    let mean = 0
    let square = 0
    for (const [index, g] of [0.3, -0.2, 0.7, 0.1].entries()) {
      adam.step(values, Float32Array.of(g), 0.01)
      mean = 0.9 * mean + 0.1 * g
      square = 0.999 * square + 0.001 * g * g
      const t = index + 1
      expected -= 0.01 * 0.1 * expected
      expected -= (0.01 * mean) / (1 - 0.9 ** t) / (Math.sqrt(square / (1 - 0.999 ** t)) + 1e-8)
      expect(values[0]).toBeCloseTo(expected, 5)
    }
  })

  it('goes on from a kept state as if it had never stopped', () => {
    const gradients = [0.3, -0.2, 0.7, 0.1].map((g) => Float32Array.of(g))
    const whole = Float32Array.of(0.5)
    const one = new AdamW(1)
    for (const g of gradients) one.step(whole, g, 0.01)
    const parted = Float32Array.of(0.5)
    const before = new AdamW(1)
    for (const g of gradients.slice(0, 2)) before.step(parted, g, 0.01)
    const after = new AdamW(1, {}, before.state)
    for (const g of gradients.slice(2)) after.step(parted, g, 0.01)
    expect(parted).toEqual(whole)
    expect(() => new AdamW(2, {}, before.state)).toThrow(RangeError)
  })

  it('shortens long gradients only', () => {
    const long = Float32Array.of(3, 4)
    expect(clipGradient(long, 1)).toBe(5)
    expect([...long].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800'])
    const short = Float32Array.of(0.3, 0.4)
    clipGradient(short, 1)
    expect(short).toEqual(Float32Array.of(0.3, 0.4))
  })
})

describe('the learning rate', () => {
  const schedule = { peak: 2, warmUpSteps: 4, totalSteps: 21, floor: 0.1 }
  it('rises to its peak, falls along a cosine and stays at the floor', () => {
    expect(learningRate(0, schedule)).toBe(0.5)
    expect(learningRate(3, schedule)).toBe(2)
    expect(learningRate(4, schedule)).toBe(2)
    expect(learningRate(12, schedule)).toBeCloseTo(1.1)
    expect(learningRate(20, schedule)).toBeCloseTo(0.2)
    expect(learningRate(99, schedule)).toBeCloseTo(0.2)
  })
})

describe('early stopping', () => {
  it('waits out its patience, and progress too small to count uses it up', () => {
    const stop = new EarlyStop(2, 0.01)
    expect(stop.look(1)).toEqual({ improved: true, stop: false })
    expect(stop.look(0.999)).toEqual({ improved: true, stop: false })
    expect(stop.look(0.5)).toEqual({ improved: true, stop: false })
    expect(stop.look(0.6)).toEqual({ improved: false, stop: false })
    const again = new EarlyStop(2, 0.01, stop.state)
    expect(again.look(0.6)).toEqual({ improved: false, stop: true })
  })
})
