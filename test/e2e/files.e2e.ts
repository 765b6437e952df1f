import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { inDemoWorld } from './demo-world'
import { expect, needsDemoModel, test } from './fixtures'
import { reachable } from './axe'

const shots = process.env['LOAM_SHOTS']

/** A picture for a person to look at, where a folder for them is named. */
async function shot(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) })
}

let own = ''
test.beforeEach(needsDemoModel)
test.beforeEach(async () => {
  own = await mkdtemp(join(tmpdir(), 'loam-own-'))
  await mkdir(join(own, 'notes'))
  await writeFile(
    join(own, 'notes', 'harbor.md'),
    '# Harbor\n\nPrices of bookings are kept in cents.\nArchived bookings carry a B.\n',
  )
  await writeFile(join(own, 'notes', 'garden.txt'), 'Tomatoes are watered in the morning.\n')
})
test.afterEach(() => rm(own, { recursive: true, force: true, maxRetries: 5 }))

test('a folder is read, an ask in its words recalls a passage with its citation, which opens the place', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Memory')
  await page.getByRole('button', { name: /^Open memory:/ }).click()
  await page.getByRole('menuitem', { name: 'New memory…' }).click()
  await page.getByLabel('Name of the memory').fill('Harbor work')
  await page.getByRole('button', { name: 'Create' }).click()

  // A folder that is not there is refused in words; the right one is looked up and added.
  await page.getByRole('button', { name: 'My files', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'My files' })
  await expect(panel).toContainText('No folder yet')
  await panel.getByRole('button', { name: 'Add a folder' }).click()
  const browser = page.getByRole('dialog', { name: 'Add a folder' })
  await browser.getByLabel('Folder', { exact: true }).fill(join(own, 'nowhere'))
  await page.keyboard.press('Enter')
  await expect(browser.getByRole('alert')).toContainText(`There is no folder ${join(own, 'nowhere')}`)
  await browser.getByLabel('Folder', { exact: true }).fill(own)
  await page.keyboard.press('Enter')
  await expect(browser.getByRole('option')).toHaveText(['notes'])
  await browser.getByRole('listbox').focus()
  await page.keyboard.press('Enter')
  await expect(browser).toContainText('There is no folder in here.')
  await reachable(page)
  await browser.getByRole('button', { name: 'Add this folder' }).click()
  const folder = panel.getByRole('list', { name: 'Folders' }).locator('> li')
  await expect(folder).toContainText('2 files, 2 passages; in step', { timeout: 60_000 })

  // What has changed is taken in, what cannot be read is named.
  await writeFile(join(own, 'notes', 'picture.bin'), Buffer.from([1, 0, 2, 0]))
  await folder.getByRole('button', { name: 'Bring notes in step' }).click()
  await expect(folder).toContainText('1 file could not be read', { timeout: 60_000 })
  await folder.getByText('1 file could not be read').click()
  await expect(folder).toContainText('picture.bin')
  await reachable(page)
  await shot(page, 'own-files')
  // The note that it is in step may be there: the key is the panel's all the same.
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('listbox', { name: 'Items' }).getByRole('option')).toHaveCount(2)

  // A passage says where it is from, and whether the file still says so.
  await page
    .getByRole('listbox', { name: 'Items' })
    .getByRole('option', { name: /^garden/ })
    .click()
  const item = page.getByRole('region', { name: 'The open item' })
  await expect(item).toContainText('My files · never recalled')
  await item.getByRole('tab', { name: 'Where it came from' }).click()
  await expect(item.getByRole('tabpanel')).toContainText('garden.txt, line 1 · the file still says so')

  // An ask in the words of one of the files.
  await app.goTo('Ask')
  await inDemoWorld(page, '4')
  await expect(page.getByRole('switch', { name: 'Use my files' })).toBeChecked()
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('Harbor: Count the bookings whose prices in cents are over 32.')
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByRole('region', { name: 'The answer' })).toBeVisible({ timeout: 120_000 })
  const cited = open
    .getByRole('list', { name: 'Recalled' })
    .getByRole('listitem')
    .filter({ hasText: 'harbor.md' })
  await expect(cited).toContainText('harbor.md, lines 1 to 4 · the file still says so')
  await cited.getByRole('button', { name: 'Open harbor.md, lines 1 to 4' }).click()
  const place = page.getByRole('dialog', { name: 'harbor.md, lines 1 to 4' })
  await expect(place).toContainText('Prices of bookings are kept in cents.')
  await expect(place).toContainText(join(own, 'notes', 'harbor.md'))
  await reachable(page)
  await shot(page, 'own-files-citation')
  await place.getByRole('button', { name: 'Close' }).click()

  // The file says something else by now: the citation says that it does.
  await writeFile(join(own, 'notes', 'harbor.md'), '# Harbor\n\nPrices are kept in euro.\n')
  await page.reload()
  await expect(cited).toContainText('the file has changed since it was read')

  // Switched off, nothing of them is recalled.
  await page.getByRole('button', { name: 'New ask' }).click()
  await inDemoWorld(page, '4')
  await page.getByRole('switch', { name: 'Use my files' }).click()
  await task.fill('Harbor: Count the bookings whose prices in cents are over 33.')
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
  await expect(open.getByText('Without my files')).toBeVisible()
  await expect(open.getByText('Nothing in memory fitted.')).toBeVisible({ timeout: 120_000 })

  // Read no longer.
  await app.goTo('Memory')
  await page
    .getByRole('listbox', { name: 'Items' })
    .getByRole('option', { name: /^garden/ })
    .click()
  await page.getByRole('button', { name: 'My files', exact: true }).click()
  await folder.getByRole('button', { name: 'Remove notes' }).click()
  const asked = page.getByRole('dialog', { name: 'Stop reading this folder?' })
  await reachable(page)
  await asked.getByRole('button', { name: 'Remove it' }).click()
  await expect(panel).toContainText('No folder yet')
  await page.keyboard.press('Escape')
  // What was open says that it went, and the list why it is empty.
  await expect(item.getByRole('button', { name: 'Restore' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Memory', exact: true })
  await expect(list.getByRole('heading', { name: 'Nothing is in use' })).toBeVisible()
  await list.getByRole('button', { name: 'Show what is not in use' }).click()
  await expect(
    page.getByRole('listbox', { name: 'Items' }).getByRole('option', { name: /^garden/ }),
  ).toBeVisible()
})
