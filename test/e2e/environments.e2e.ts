import { expect, test } from './fixtures'

test('environments go by their titles, and their settings are asked for in the run form', async ({ app }) => {
  await app.goTo('Task streams')
  await expect(app.page.getByText('14 tasks · Spreadsheets').first()).toBeVisible()
  await expect(app.page.getByText('9 tasks · Questions').first()).toBeVisible()
  const sheets = app.page.getByRole('listitem').filter({ hasText: 'Spreadsheets' }).first()
  await sheets.getByRole('button', { name: 'Use in a run' }).click()
  await app.page.getByText('Task settings').click()
  const rounds = app.page.getByLabel('Rounds')
  await expect(rounds).toHaveValue('5')
  await rounds.fill('2')
  await rounds.blur()
  await expect(app.page.getByText('Task settings').getByText('1 changed')).toBeVisible()
  await expect(app.page.getByText('Rows shown')).toBeVisible()
})
