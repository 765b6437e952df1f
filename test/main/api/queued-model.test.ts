import { expect, it } from 'vitest'
import type { App } from '../../../src/main/app'
import { queuedModel } from '../../../src/main/api/queued-model'

it('knows how its makers want a model sampled', async () => {
  const model = { name: 'M', contextSize: 512, recommended: { temperature: 0.2, topP: 0.9 } }
  const app = {
    runs: { visitModel: () => Promise.resolve(() => undefined) },
    loadModel: () => Promise.resolve(model),
    fit: () => Promise.reject(new Error('Not measured.')),
  } as unknown as App
  expect((await queuedModel(app, '/m.gguf', null))('').recommended).toEqual(model.recommended)
})
