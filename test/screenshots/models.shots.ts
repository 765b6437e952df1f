import { furnish } from '../main/adapters/models/furnished-home'
import { expect, homeOf, needsDemoModel, test } from '../e2e/fixtures'
import { onTwoModels } from '../e2e/on-two-models'
import { camera } from './camera'

test.beforeEach(needsDemoModel)
test.use({ seed: async ({}, use) => use((dataPath) => furnish(homeOf(dataPath))) })

test('pictures of models', async ({ app, run, host }) => {
  const { page } = app
  const shot = camera(page, homeOf(host.dataPath))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Go on with words' }).click()
  await app.goTo('Models')
  const found = page.getByRole('list', { name: 'Found models' })
  const parts = found.getByRole('listitem').filter({ hasText: 'in 3 parts' })
  await expect(parts).toContainText(/weights .* cache/, { timeout: 60_000 })
  await parts.scrollIntoViewIfNeeded()
  await shot('26-models-found')
  await onTwoModels({ app, run }, () => shot('27-planner-and-executor'))
})
