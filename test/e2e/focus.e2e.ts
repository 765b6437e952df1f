import type { Page } from '@playwright/test'
import { inDemoWorld } from './demo-world'
import { expect, needsDemoModel, test } from './fixtures'
import type { AppPage } from './pages/app-page'

test.use({ shared: true })
test.beforeEach(needsDemoModel)

const open = (page: Page) => page.getByRole('region', { name: 'The open ask' })

/** Asks one task by keyboard and waits for its end. */
async function ask({ page }: AppPage): Promise<void> {
  await inDemoWorld(page, '4')
  await page
    .getByRole('textbox', { name: 'The task', exact: true })
    .fill('Harbor: Count the bookings with price over 32.')
  await page.keyboard.press('Control+Enter')
  await expect(open(page).getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 60_000 })
}

test('the focus stays where a person works: after sending, naming, filing, judging and deleting', async ({
  app,
}) => {
  const { page } = app
  // What was written in is gone; the keys that judge work, and Tab goes on in what was opened. A second ask is no other.
  // Whatever begins something new leads to the text field.
  const field = page.getByRole('textbox', { name: 'The task', exact: true })
  for (const isFirst of [true, false]) {
    if (!isFirst) await page.getByRole('button', { name: 'New ask' }).click()
    await expect(field).toBeFocused()
    await ask(app)
    await expect(open(page)).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(open(page).getByRole('button', { name: 'Try again', exact: true })).toBeFocused()
  for (const screen of ['Ask', 'Models'] as const) {
    await app.goTo(screen)
    await app.openPalette()
    await page.keyboard.type('Ask something new')
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
  }
  await page.getByRole('listbox', { name: 'Asks' }).getByRole('option').first().click()

  // Who only types goes on in the next message; no letter of it judges.
  await open(page).focus()
  await page.keyboard.type('how many of them were paid?')
  const next = open(page).getByRole('textbox', { name: 'The next message' })
  await expect(next).toHaveValue('how many of them were paid?')
  await expect(open(page).getByText('Not judged')).toBeVisible()
  await next.fill('')

  // A field that is done with gives the focus back to the button that opened it.
  const rename = open(page).getByRole('button', { name: 'Rename' })
  for (const key of ['Enter', 'Escape']) {
    await rename.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Title of the ask')).toBeFocused()
    await page.keyboard.press(key)
    await expect(rename).toBeFocused()
  }

  // So does a dialog that was opened from a menu, which is gone by then.
  const filed = open(page).getByRole('button', { name: /^Put in a project|^In “/ })
  for (const key of ['Escape', 'Enter']) {
    await filed.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'New project…' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Harbor')
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(filed).toBeFocused()
  }

  // A key that says it was wrong leads to what it should have been; Escape back to where keys judge.
  await open(page).focus()
  await page.keyboard.press('w')
  await expect(open(page).getByLabel('What it should have done')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(open(page).getByRole('button', { name: 'Wrong', exact: true })).toBeFocused()

  // What is deleted from its own page leads to the composer.
  await open(page).getByRole('button', { name: 'Delete', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'The task', exact: true })).toBeFocused()
  // A choice that folds itself away leaves the focus near it.
  await page.getByRole('button', { name: /^World:/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: /^No world/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Tools:/ })).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
  // Another screen by keyboard: what was left is gone, Tab goes on in what is shown.
  await page.keyboard.press('Alt+4')
  await expect(page.getByRole('main', { name: 'Runs' })).toBeFocused()
})

test('a dialog over another one gives the focus back to that one, and that one to what had opened it', async ({
  app,
}) => {
  const { page } = app
  // A memory is made by its words.
  await app.goTo('Memory')
  await app.openPalette()
  await page.keyboard.type('new memory')
  await expect(app.palette.getByRole('option').first()).toHaveText('New memory…Memory')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the memory')).toBeFocused()
  await page.keyboard.type('Harbor work')
  await page.keyboard.press('Enter')

  const own = page.getByRole('button', { name: 'My files', exact: true })
  await own.focus()
  await page.keyboard.press('Enter')
  const add = page.getByRole('dialog', { name: 'My files' }).getByRole('button', { name: 'Add a folder' })
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Folder', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(own).toBeFocused()
})
