import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROVIDERS } from '../../../../src/main/providers'
import { llamaCpp } from '../../../../src/main/providers/llama-cpp'
import { openAiCompatible } from '../../../../src/main/providers/openai'
import { startModelServer } from '../../../fixtures/model-server'
import { demoModel, models, testWorld } from '../world'
import { conform, type Subject } from './suite'

/** How each provider gets a real model: a line per provider. */
const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  [llamaCpp.id]: async () => {
    const world = await testWorld()
    return {
      provider: llamaCpp.open(world),
      model: demoModel,
      missing: join(models, 'not-there.gguf'),
      close: () => world.close(),
    }
  },
  // A server on this machine whose tokens come from the same llama.cpp.
  [openAiCompatible.id]: async () => {
    const world = await testWorld()
    const served = await llamaCpp.open(world).load(demoModel, { contextSize: 1024, sequences: 4 })
    const server = await startModelServer('loam-demo', served)
    await world.servers.save({ name: 'here', provider: openAiCompatible.id, url: server.url })
    return {
      provider: openAiCompatible.open(world),
      model: 'openai:loam-demo@here',
      missing: 'openai:another@here',
      async close() {
        await server.close()
        await world.close()
      },
    }
  },
}

it('knows how to get a model for every provider in the list', () => {
  expect(Object.keys(SUBJECTS)).toEqual(PROVIDERS.filter(({ replays }) => !replays).map(({ id }) => id))
})

for (const module of PROVIDERS) {
  const open = SUBJECTS[module.id]
  if (open) conform(module, open)
}
