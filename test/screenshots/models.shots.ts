import { EngineSupervisor } from '../../src/main/engine-client/supervisor'
import { chatModel } from '../../src/main/providers/llama-cpp'
import { furnish } from '../main/model-files/furnished-home'
import { demoModel, expect, homeOf, needsDemoModel, test } from '../e2e/fixtures'
import { onTwoModels } from '../e2e/on-two-models'
import { camera } from './camera'

test.beforeEach(needsDemoModel)
test.use({ seed: async ({}, use) => use((dataPath) => furnish(homeOf(dataPath))) })

test('pictures of models', async ({ app, run, host }) => {
  const { page } = app
  const shot = camera(page, homeOf(host.dataPath))
  await page.emulateMedia({ colorScheme: 'light' })
  await app.goTo('Models')
  const found = page.getByRole('list', { name: 'Found models' })
  const parts = found.getByRole('listitem').filter({ hasText: 'in 3 parts' })
  await expect(parts).toContainText(/weights .* cache/, { timeout: 60_000 })
  await parts.scrollIntoViewIfNeeded()
  await shot('26-models-found')
  // Both are real: llama.cpp behind a server plans, llama.cpp on this machine carries out.
  const engine = new EngineSupervisor()
  try {
    const planner = chatModel(
      await engine.loadModel({ path: demoModel, gpuLayers: 'cpu', contextSize: 4096 }),
    )
    await onTwoModels({ app, run }, () => shot('27-planner-and-executor'), planner)
  } finally {
    await engine.dispose()
  }
})
