import { expect, test } from './fixtures'

test('a model server is added under a name of its own, changed, removed and brought back', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Models')
  const servers = page.getByRole('region', { name: 'Model servers' })
  const rows = servers.getByRole('listitem')
  const dialog = page.getByRole('dialog')
  const add = async (name: string, url: string) => {
    await servers.getByRole('button', { name: 'Add a server' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Address').fill(url)
  }
  await add('attic', 'http://127.0.0.1:7999/v1')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText(/attic.*7999/)

  // A name that is taken leaves the one that has it as it is; an address that is none is told in words.
  await add('attic', 'http://127.0.0.1:7998/v1')
  await expect(dialog).toContainText('There is a server called attic already.')
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  await dialog.getByLabel('Name').fill('cellar')
  await dialog.getByLabel('Address').fill('127.0.0.1:7998')
  await expect(dialog).toContainText('The address begins with http://')
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(1)

  await rows.getByRole('button', { name: 'Change' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toBeDisabled()
  await dialog.getByLabel('Address').fill('http://127.0.0.1:7997/v1')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText(/attic.*7997/)
  await expect(rows.getByRole('button', { name: 'Change' })).toBeFocused()

  await rows.getByRole('button', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveText(/attic.*7997/)
})
