import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planDistillation } from '../../../src/core/soft-prompts/plan'
import { EngineSupervisor, type EngineLanguageModel } from '../../../src/main/engine-client/supervisor'
import { teach } from '../../../src/main/soft-prompts/teach'
import { hasStories, STORIES } from '../adapters/llama/stories-model'
import { solvedAttempt } from './fixtures'

const engine = new EngineSupervisor()
afterAll(() => engine.dispose())

/** Each about 40 tokens of a model that can read 512, so that twelve do not fit. */
const attempts = Array.from({ length: 12 }, (_, i) =>
  solvedAttempt(`attempt-${i}`, `Where did child number ${i} go?`, [
    'Once upon a time they went to the park to play.',
  ]),
)

describe.skipIf(!hasStories)('a teacher whose context is smaller than what it is to be shown', () => {
  let model: EngineLanguageModel
  beforeAll(async () => {
    model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
  })

  // Replies are taken as recorded; distributions read the whole of E_many.
  const how = { topK: 2, actions: 'recorded' } as const

  it('is shown half of it, and half of that, until it fits', async () => {
    const planned = planDistillation(attempts, { teacher: 12, student: 4, most: 3, holdOut: 0, seed: 1 })
    const { samples, shown } = await teach(
      model,
      planned,
      { systemPrompt: 'Answer.' },
      how,
      undefined,
      () => undefined,
    )
    expect(new Set(samples.map(({ id }) => id)).size).toBe(3)
    expect(shown).toBeGreaterThanOrEqual(1)
    expect(shown).toBeLessThan(12)
  })

  it('leaves out an attempt that does not fit even alone, and refuses only when fewer than two are left', async () => {
    const endless = solvedAttempt('endless', 'Tell it all.', ['and then they went on '.repeat(400)])
    const [one, two] = attempts
    if (!one || !two) throw new Error('There are attempts.')
    const planned = planDistillation([endless, one, two], {
      teacher: 2,
      student: 1,
      most: 3,
      holdOut: 0,
      seed: 1,
    })
    const { samples } = await teach(
      model,
      planned,
      { systemPrompt: 'Answer.' },
      how,
      undefined,
      () => undefined,
    )
    expect(new Set(samples.map(({ id }) => id))).toEqual(new Set([one.id, two.id]))
    const few = planDistillation([endless, one], { teacher: 2, student: 1, most: 2, holdOut: 0, seed: 1 })
    await expect(
      teach(model, few, { systemPrompt: 'Answer.' }, how, undefined, () => undefined),
    ).rejects.toMatchObject({
      code: 'CONTEXT_OVERFLOW',
    })
  })
})
