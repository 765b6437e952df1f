import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineSupervisor } from '../../src/main/adapters/llama/supervisor'
import { chatModel } from '../../src/main/providers/llama-cpp/chat-model'
import { furnish } from '../main/adapters/models/furnished-home'
import { demoModel, expect, homeOf, needsDemoModel, test } from '../e2e/fixtures'
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

test('pictures of what goes in and out of a memory', async ({ app, host }) => {
  const { page } = app
  const home = homeOf(host.dataPath)
  const shot = camera(page, home)
  const own = join(home, 'Notes')
  await mkdir(join(own, 'harbor'), { recursive: true })
  await writeFile(join(own, 'harbor', 'prices.md'), PRICES)
  await writeFile(join(own, 'harbor', 'archive.md'), ARCHIVE)
  await writeFile(join(own, 'garden.txt'), 'Tomatoes are watered in the morning.\n')
  await writeFile(join(own, 'photo.bin'), Buffer.from([1, 0, 2, 0]))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Go on with words' }).click()
  await app.goTo('Memory')
  await page.getByRole('button', { name: /^Space:/ }).click()
  await page.getByRole('menuitem', { name: 'New space…' }).click()
  await page.getByLabel('Name of the space').fill('Harbor work')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Own files', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Own files' })
  await panel.getByRole('button', { name: 'Add a folder' }).click()
  const browser = page.getByRole('dialog', { name: 'Add a folder' })
  await browser.getByRole('textbox', { name: 'Folder' }).fill(own)
  await page.keyboard.press('Enter')
  await expect(browser.getByRole('option')).toHaveText(['harbor'])
  await browser.getByRole('button', { name: 'Add this folder' }).click()
  await expect(panel).toContainText('in step', { timeout: 60_000 })
  await shot('28-own-files')
  await page.keyboard.press('Escape')

  await app.goTo('Ask')
  await page.getByLabel('The task whose world it is').fill('4')
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('Harbor: Count the bookings whose prices in cents are over 32.')
  await page.keyboard.press('Control+Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByRole('region', { name: 'The answer' })).toBeVisible({ timeout: 120_000 })
  await open.getByRole('list', { name: 'Recalled' }).scrollIntoViewIfNeeded()
  await shot('29-own-files-cited')

  await app.goTo('Share')
  await shot('30-share-files')
  await page.getByRole('radio', { name: 'Bundles', exact: true }).click()
  await shot('31-share-bundle')
  await page.getByRole('radio', { name: 'Servers', exact: true }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('32-share-servers-dark')
})

const PRICES = `# Prices

Prices of bookings are kept in cents, so that a price of 32 is written as 3200.
The harbor master changes them on the first of each month.
`
const ARCHIVE = `# The archive

Archived bookings carry a B. Nothing that is archived is ever changed.
`
