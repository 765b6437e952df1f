import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inDemoWorld } from '../e2e/demo-world'
import { expect, homeOf, needsDemoModel, test } from '../e2e/fixtures'
import { camera } from './camera'

test.beforeEach(needsDemoModel)

test('pictures of what goes in and out of a memory', async ({ app, host }) => {
  test.setTimeout(120_000)
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
  await app.goTo('Memory')
  await page.getByRole('button', { name: /^Open memory:/ }).click()
  await page.getByRole('menuitem', { name: 'New memory…' }).click()
  await page.getByLabel('Name of the memory').fill('Harbor work')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'My files', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'My files' })
  await panel.getByRole('button', { name: 'Add a folder' }).click()
  const browser = page.getByRole('dialog', { name: 'Add a folder' })
  await browser.getByRole('textbox', { name: 'Folder' }).fill(own)
  await page.keyboard.press('Enter')
  await expect(browser.getByRole('option')).toHaveText(['harbor'])
  await browser.getByRole('button', { name: 'Add this folder' }).click()
  await expect(panel).toContainText('in step', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
  await shot('28-own-files')
  await page.keyboard.press('Escape')

  await app.goTo('Ask')
  await inDemoWorld(page, '4')
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('Harbor: Count the bookings whose prices in cents are over 32.')
  await page.keyboard.press('Control+Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByRole('region', { name: 'The answer' })).toBeVisible({ timeout: 120_000 })
  await open.getByRole('list', { name: 'Recalled' }).scrollIntoViewIfNeeded()
  await shot('29-own-files-cited')

  await app.goTo('Memory')
  await page.getByRole('button', { name: 'Import…' }).click()
  await shot('30-import')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByRole('button', { name: /^Format:/ }).click()
  await page.getByRole('menuitemradio', { name: /^Bundle/ }).click()
  await shot('31-export-bundle')
  await page.keyboard.press('Escape')
  await app.goTo('Connected programs')
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
