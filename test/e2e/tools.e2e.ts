import { expect, test } from './fixtures'

test('tools: a server is tested, a tool tried, a server of one’s own added and removed', async ({
  app,
  page,
}) => {
  // Servers are processes of their own, and slow ones on a busy machine.
  test.setTimeout(300_000)
  const slowly = { timeout: 120_000 }
  await app.goTo('Advanced')

  await page.getByRole('button', { name: 'Test Math' }).click()
  await page.getByRole('button', { name: 'Try calculate' }).click(slowly)
  const dialog = page.getByRole('dialog', { name: 'Try calculate' })
  await dialog.getByLabel('Arguments, as JSON').fill('{ "expression": "90 km/h to m/s" }')
  await dialog.getByRole('button', { name: 'Call it' }).click()
  await expect(dialog.getByRole('region', { name: 'Answer' })).toContainText('25 m / s', slowly)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Add server' }).click()
  await page.getByLabel('Name', { exact: true }).fill('broken')
  await page.getByLabel('Command').fill(process.execPath)
  await page.getByLabel('Arguments, one a line').fill('--eval\nconsole.error("no such plan")')
  await page.getByLabel('Environment variables').fill('KEY=sk-very-secret-value')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await expect(page.getByText(/it said: no such plan/)).toBeVisible(slowly)
  await page.reload()
  await app.goTo('Advanced')
  await page.getByRole('button', { name: 'Edit broken' }).click()
  await expect(page.getByLabel('Environment variables')).toHaveValue('KEY')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove broken' }).click()
  await expect(page.getByRole('button', { name: 'Edit broken' })).toHaveCount(0)
})
