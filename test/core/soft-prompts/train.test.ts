import { describe, expect, it } from 'vitest'
import type { TrainingSample } from '../../../src/core/soft-prompts/samples'
import {
  type GradientSource,
  trainSoftPrompt,
  type TrainingState,
} from '../../../src/core/soft-prompts/train'
import { trainingSettingsSchema } from '../../../src/shared/domain/soft-prompt'

/** Each sample pulls the rows towards a point of its own: loss = |x - point|^2 / 2, per target. */
const bowl = (size = 4): GradientSource & { calls: number } => ({
  calls: 0,
  size,
  width: 2,
  base: new Float32Array(size),
  embeddings: (ids) => Float32Array.from(ids.flatMap((id) => [id / 10, -id / 10])),
  evaluate(samples, deltas, wantGradient) {
    this.calls++
    const gradient = new Float32Array(deltas.length)
    let loss = 0
    for (const { tokens } of samples) {
      const pull = deltas.map((delta) => delta - (tokens[0] as number))
      loss += pull.reduce((sum, g) => sum + (g * g) / 2, 0)
      for (const [index, g] of pull.entries()) (gradient[index] as number) += g
    }
    return Promise.resolve({ loss, gradient: wantGradient ? gradient : null })
  },
})
const sample = (id: number): TrainingSample => ({ id: `s${id}`, tokens: [id, 1], softAt: 0, targets: [1] })
const now = () => 0

describe('training', () => {
  const settings = trainingSettingsSchema.parse({
    length: 2,
    steps: 200,
    batch: 2,
    patience: 100,
    lookEvery: 5,
  })

  it('finds the least loss and tells how it went', async () => {
    const points: number[] = []
    const { outcome, deltas } = await trainSoftPrompt(bowl(), [2, 4].map(sample), [], settings, {
      now,
      onStep: ({ point }) => points.push(point.step),
    })
    for (const delta of deltas) expect(delta).toBeCloseTo(3, 0)
    expect(outcome.finalLoss).toBeLessThan(outcome.initialLoss)
    expect(points).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(outcome).toMatchObject({ steps: 200, bestStep: 200, heldOutLoss: null, ended: 'all-steps' })
  })

  it('keeps the rows that did best on the held-out part and stops when it gets worse', async () => {
    const patient = { ...settings, patience: 3, learningRate: 5 }
    // What helps the training part soon hurts the held-out one.
    const { outcome, deltas } = await trainSoftPrompt(bowl(), [sample(9)], [sample(1)], patient, { now })
    expect(outcome.ended).toBe('no-more-progress')
    expect(outcome.steps).toBeLessThan(200)
    expect(outcome.bestStep).toBeLessThan(outcome.steps)
    const loss = deltas.reduce((sum, delta) => sum + (delta - 1) ** 2 / 2, 0)
    expect(loss).toBeCloseTo(outcome.heldOutLoss as number, 5)
  })

  it('goes on from any state to the same end', async () => {
    const samples = [1, 2, 3, 4, 5].map(sample)
    const states: TrainingState[] = []
    const keep = (state: () => TrainingState) => Promise.resolve(void states.push(state()))
    const whole = await trainSoftPrompt(bowl(), samples, [sample(6)], settings, { now, keep })
    const resumed = await trainSoftPrompt(
      bowl(),
      samples,
      [sample(6)],
      settings,
      { now },
      states[76] as TrainingState,
    )
    expect(resumed).toEqual(whole)
  })

  it('ends where a pause throws', async () => {
    const source = bowl()
    const stopping: GradientSource = {
      ...source,
      async evaluate(one, deltas, wanted, pause) {
        await pause()
        return source.evaluate(one, deltas, wanted, pause)
      },
    }
    let left = 10
    const pause = () => (left-- > 0 ? Promise.resolve() : Promise.reject(new Error('stop')))
    await expect(trainSoftPrompt(stopping, [sample(1)], [], settings, { now, pause })).rejects.toThrow('stop')
    await expect(trainSoftPrompt(source, [], [], settings, { now })).rejects.toThrow(RangeError)
  })
})
