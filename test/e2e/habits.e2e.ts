import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

test.use({ shared: true })

/** Makes a memory with the switcher and leaves it open. */
async function makeMemory(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Open memory:/ }).click()
  await page.getByRole('menuitem', { name: 'New memory…' }).click()
  await page.getByLabel('Name of the memory').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('button', { name: `Open memory: ${name}` })).toBeVisible()
}

test('a menu in a dialog lies above it and can be used with the mouse', async ({ app }) => {
  const { page } = app
  await makeMemory(page, 'Logs')
  await app.goTo('Memory')
  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('button', { name: /^Format:/ }).click()
  const option = page.getByRole('menuitemradio').nth(1)
  const words = (await option.textContent()) ?? ''
  await option.click({ timeout: 5000 })
  await expect(dialog.getByRole('button', { name: `Format: ${words}` })).toBeVisible()
})

test('a file of Memento far above four million bytes is read', { tag: '@long' }, async ({ app }) => {
  const { page } = app
  await makeMemory(page, 'Memento')
  await app.goTo('Memory')
  const plan = 'Look it up, step by step. '.repeat(2400)
  const lines = Array.from({ length: 100 }, (_, i) =>
    JSON.stringify({ case: `Question number ${i}?`, plan, case_label: 'positive' }),
  )
  const buffer = Buffer.from(`${lines.join('\n')}\n`)
  expect(buffer.length).toBeGreaterThan(6_000_000)
  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog
    .getByLabel('Files to import')
    .setInputFiles({ name: 'memory.jsonl', mimeType: 'application/x-ndjson', buffer })
  await expect(dialog.getByText('100 of 100 rows would come in')).toBeVisible({ timeout: 60_000 })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('100 of 100 rows read').first()).toBeVisible({ timeout: 60_000 })
})

test('a reload comes back to the screen and the memory, and Back walks through both', async ({ app }) => {
  const { page } = app
  await makeMemory(page, 'First')
  await makeMemory(page, 'Second')
  await app.chooseMemory(/^First/)
  await app.goTo('Task streams')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Task streams' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open memory: First' })).toBeVisible()
  await app.goTo('Models')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Task streams' })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible()
})

test('a number that does not count says why, what counts until then, and sends nothing', async ({ app }) => {
  const { page } = app
  await app.goTo('Runs')
  const tasks = page.getByLabel('K: items recalled per task')
  await tasks.fill('900')
  await expect(page.getByText('A whole number from 0 to 64.')).toBeVisible()
  await tasks.blur()
  await expect(tasks).toHaveValue('900')
  await expect(
    page.getByText('“900” is not a whole number from 0 to 64. Until it is, the default counts.'),
  ).toBeVisible()

  // Nothing is made of another number than the one that stands there.
  await app.goTo('Task streams')
  await page.getByRole('button', { name: 'Generate a world' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate a world' })
  const world = dialog.getByLabel('World number')
  await world.fill('-3')
  await world.press('Enter')
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await expect(dialog).toBeVisible()
  await expect(world).toHaveValue('-3')
  await expect(dialog.getByText(/^“-3” is not a whole number from 0|^A whole number from 0/)).toBeVisible()
  await expect(page.getByText('is ready')).toHaveCount(0)
})

test('the row of processor threads leaves room for its words', async ({ app }) => {
  const { page } = app
  await app.goTo('Model and speed')
  await page.getByText('The engine', { exact: true }).click()
  const field = await page.getByRole('button', { name: /^Processor threads/ }).boundingBox()
  const words = await page.getByRole('heading', { name: 'Processor threads' }).boundingBox()
  expect(field?.width).toBeLessThan(220)
  expect(words?.width).toBeGreaterThan(400)
})

test('what is recalled per task is called K everywhere', async ({ app, run }) => {
  await expect(run.start).toBeVisible()
  await app.goTo('Experiments')
  await expect(app.page.getByRole('group', { name: /^K: items recalled per task/ })).toBeVisible()
  await expect(app.page.getByRole('main')).not.toContainText(/\bExp\b/)
  await expect(app.page.getByRole('button', { name: 'K 16', exact: true })).toBeVisible()
})

test('every key that is shown for a screen can be pressed', async ({ app }) => {
  const { page } = app
  await app.openPalette()
  const screens = app.palette.getByRole('option', { name: /^Go to .*Alt/ })
  await expect(screens.first()).toBeVisible()
  const rows = await screens.allTextContents()
  await page.keyboard.press('Escape')
  expect(rows).toHaveLength(5)
  for (const row of rows) {
    const [, title = '', keys = ''] = /^Go to (.*?)ScreenAlt(.+)$/.exec(row) ?? []
    expect(keys).toMatch(/^[0-9]$/)
    await page.keyboard.press(`Alt+${keys}`)
    await expect(page.getByRole('main', { name: title, exact: true })).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current="page"]'),
    ).toHaveCount(1)
  }
})

test.describe('with runs that end in seconds', () => {
  test.use({ model: 'scripted' })

  test(
    'a search by likeness says that the word matcher compares words',
    { tag: '@long' },
    async ({ app, run }) => {
      const { page } = app
      await app.goTo('Model and speed')
      await page.getByRole('radio', { name: /^Built-in word matcher/ }).click()
      await app.goTo('Runs')
      await run.choose('Method', /^Case bank/)
      await run.tasks(3)
      await run.start.click()
      await expect(run.progress).toContainText('3 of 3', { timeout: 60_000 })
      await app.chooseMemory(/, seed \d+/)
      await app.goTo('Memory')
      await page.getByRole('searchbox', { name: 'Search the memory' }).fill('count')
      await page.getByRole('radio', { name: 'Alike words' }).click()
      await expect(
        page.getByText(/The built-in word matcher is on: texts are alike when they share words/),
      ).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText('meaning instead')
    },
  )

  test('a rate over the last tasks says so, and cancelling asks first', async ({ app, run }) => {
    const { page } = app
    await run.choose('Method', /^Case bank/)
    await run.tasks(120)
    await run.start.click()
    await expect(run.pause).toBeVisible()
    // Pressed in the page itself: on a busy machine the run is over before a click from outside gets there.
    const pause = await run.pause.elementHandle()
    await run.progress.evaluate(async (progress, button) => {
      while (Number.parseInt(progress.textContent ?? '') <= 20)
        await new Promise((resolve) => setTimeout(resolve, 20))
      ;(button as HTMLElement).click()
    }, pause)
    await expect(run.curves().last()).toContainText(/last 20 of \d\d/)
    await run.cancel.click()
    const question = page.getByRole('dialog', { name: 'Cancel the run?' })
    await expect(question).toContainText(/of 120 tasks are done/)
    await question.getByRole('button', { name: 'Keep going' }).click()
    await expect(run.resume).toBeVisible()
    await run.cancel.click()
    await question.getByRole('button', { name: 'Cancel the run' }).click()
    await expect(run.resume).toBeHidden()
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  })
})

test.describe('with a host that is killed', () => {
  test.use({ shared: false })
  test('nothing claims to be live while the host is gone', async ({ page, host }) => {
    // The page of this test logs that its socket is gone, so it is not looked at for complaints.
    await page.goto(host.url)
    const status = page.getByRole('contentinfo', { name: 'Status' })
    await expect(status).toContainText('0 outgoing connections')
    host.kill()
    await expect(status).toContainText('Loam’s host does not answer.')
    await expect(status).not.toContainText('outgoing connections, ')
    await expect(status).not.toContainText('0 outgoing')
  })
})
