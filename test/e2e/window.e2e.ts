import { expect, test } from './fixtures'

test.use({ shared: true })

test('the first start offers the demo and says what will happen', async ({ run, app }) => {
  await expect(run.demo).toBeVisible()
  await expect(app.page.getByText('It takes about a minute')).toBeVisible()
  await expect(app.status).toContainText('0 outgoing connections')
})

test('the theme follows the system until a person chooses, and the choice survives a reload', async ({
  app,
}) => {
  await app.page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => app.theme()).toBe('dark')
  await app.goTo('Settings')
  await app.page.getByRole('radio', { name: 'Light' }).click()
  await expect.poll(() => app.theme()).toBe('light')
  await app.page.reload()
  await expect.poll(() => app.theme()).toBe('light')
})

test('everything can be reached by keyboard', async ({ app }) => {
  const { keyboard } = app.page
  await app.openPalette()
  await keyboard.type('dark theme')
  await keyboard.press('Enter')
  await expect(app.palette).toBeHidden()
  await expect.poll(() => app.theme()).toBe('dark')
  await keyboard.press('Alt+3')
  await expect(app.page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible()
  await keyboard.press('?')
  await expect(app.shortcuts).toBeVisible()
  await keyboard.press('Escape')
  await expect(app.shortcuts).toBeHidden()
})

test('a fresh world can be generated and used', async ({ app, run }) => {
  await app.goTo('Task streams')
  await app.page.getByRole('button', { name: 'Generate a world' }).click()
  await app.page.getByLabel('World number').fill('9041')
  await app.page.getByLabel('Tasks').fill('12')
  await app.page.getByRole('button', { name: 'Generate', exact: true }).click()
  await app.page.getByRole('main').getByRole('button', { name: 'Use in a run' }).first().click()
  await expect(run.start).toBeVisible()
  await expect(app.page.getByRole('region', { name: 'What to run' }).getByText('12 tasks')).toBeVisible()
})

test('a whole lifetime can be kept, and is there after a reload', async ({ app, run }) => {
  await app.goTo('Task streams')
  await app.page.getByRole('button', { name: 'Generate a world' }).click()
  const dialog = app.page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^What happens in it/ }).click()
  await app.page.getByRole('menuitemradio', { name: /^Lifelong: Drift/ }).click()
  await expect(dialog).toContainText('A quarter of the rules change twice')
  await dialog.getByLabel('World number').fill('77')
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  const card = app.page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'Lifelong: Drift, world 77, order 1' })
  await expect(card).toContainText('180 tasks')
  await app.page.reload()
  await card.getByRole('button', { name: 'Use in a run' }).click()
  await expect(run.start).toBeVisible()
  await expect(app.page.getByRole('region', { name: 'What to run' }).getByText('180 tasks')).toBeVisible()
})

test('a task file that cannot be read says why and what to do', async ({ app }) => {
  await app.goTo('Task streams')
  // The list above moves the field while it comes.
  await expect(app.page.getByRole('button', { name: 'Use in a run' }).first()).toBeVisible()
  await app.page.getByLabel('Open a task file').fill('/nowhere/tasks.jsonl')
  await app.page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(app.page.getByRole('alert')).toContainText('/nowhere/tasks.jsonl')
})
