import type { Page } from '@playwright/test'
import { inDemoWorld } from './demo-world'
import { expect, needsDemoModel, test } from './fixtures'

test.beforeEach(needsDemoModel)

const open = (page: Page) => page.getByRole('region', { name: 'The open ask' })

test(
  'a second window lists what was judged in the first; what an ask was given comes back with its words, a folder that is empty is left, a server is named or asked for',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = app
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    const list = page.getByRole('listbox', { name: 'Asks' })
    // After an ask in a world, one with a file has tools to read it with.
    await inDemoWorld(page, '4')
    await task.fill('Harbor: Count the bookings with price over 32.')
    await page.keyboard.press('Control+Enter')
    await expect(open(page).getByText('It found no answer within its rounds.')).toBeVisible({
      timeout: 60_000,
    })

    // The second window hears of it once a person comes back to it.
    const second = await page.context().newPage()
    await second.goto(new URL('#/ask', page.url()).href)
    const row = second.getByRole('listbox', { name: 'Asks' }).getByRole('option')
    await expect(row).toContainText('Not judged')
    // Said once: its mark is not read aloud beside the words.
    await expect(row.getByRole('img')).toHaveCount(0)
    await page.keyboard.press('w')
    await expect(open(page).getByRole('button', { name: 'Wrong', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await second.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(row).toContainText('Wrong')
    await second.close()

    await page.getByRole('button', { name: 'New ask' }).click()
    await page
      .getByLabel('Files for the task')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('price\n3\n4\n') })
    await expect(page.getByRole('button', { name: 'Tools: As each message needs' })).toBeVisible()

    // A name without a server is asked about, not swapped for another model.
    const choose = async (typed: string) => {
      await page.getByRole('button', { name: /^Model:/ }).click()
      await page.getByRole('menuitemradio', { name: /^At a server…/ }).click()
      await expect(page.getByLabel('Model at a server')).toBeFocused()
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
    }
    await choose('llama3.2')
    await expect(page.getByRole('alert')).toContainText('Which server?')
    await page.getByLabel('Model at a server').press('Escape')
    await choose('llama3.2@http://127.0.0.1:9/v1')
    await expect(page.getByRole('button', { name: 'Model: llama3.2, at 127.0.0.1:9' })).toBeVisible()

    // In a world, too, it is no demo model.
    await page.getByText('Act in the world of a task').click()
    const world = page.getByRole('button', { name: /^World:/ })
    await world.click()
    await page.getByRole('menuitemradio', { name: /^House rules: Harbor/ }).click()
    await expect(task).toHaveAttribute('placeholder', /^Type or paste a task/)
    await world.click()
    await page.getByRole('menuitemradio', { name: /^No world/ }).click()

    // A server that is off: nothing to go on from, and what was asked can be asked of another with all it had.
    await task.fill('Add the prices up.')
    await page.keyboard.press('Control+Enter')
    await expect(open(page).getByRole('alert')).toContainText('Nobody answers at 127.0.0.1:9')
    await expect(open(page).getByRole('button', { name: 'Send' })).toHaveCount(0)
    await open(page).getByRole('alert').getByRole('button', { name: 'Change it and ask anew' }).click()
    await expect(task).toHaveValue('Add the prices up.')
    await expect(page.getByRole('list', { name: 'Files' })).toContainText('prices.csv')

    // The last ask is taken out of the folder that is looked into: all are shown again.
    await list.getByRole('option').first().click()
    await open(page).getByRole('button', { name: 'Put in a project' }).click()
    await page.getByRole('menuitem', { name: 'New project…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Prices')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Project: All asks' }).click()
    await page.getByRole('menuitemradio', { name: 'Prices' }).click()
    await expect(list.getByRole('option')).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search asks' }).fill('Harbor')
    await expect(page.getByText('No ask in “Prices” holds these words.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Project: Prices' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search asks' }).fill('')
    await expect(list.getByRole('option')).toHaveCount(1)
    await open(page).getByRole('button', { name: 'In “Prices”' }).click()
    await page.getByRole('menuitem', { name: /^Take it out/ }).click()
    await expect(list.getByRole('option')).toHaveCount(2)
  },
)
