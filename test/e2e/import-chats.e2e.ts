import { resolve } from 'node:path'
import { startModelServer } from '../fixtures/model-server'
import { parrotSaying } from '../main/asks/parrot'
import { drop } from './drop'
import { expect, test } from './fixtures'
import { useServedModel } from './served-model'

test('a ChatGPT export that is dropped becomes asks, is gone on with, and is undone but for that', async ({
  app,
}) => {
  const { page } = app
  const server = await startModelServer('parrot', parrotSaying('Every other day.'))
  try {
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('A first question?')
    await useServedModel(page, 'parrot', server.url)
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Every other day.', {
      timeout: 60_000,
    })

    const dialog = page.getByRole('dialog', { name: 'Import' })
    const undoLast = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    const list = page.getByRole('listbox', { name: 'Asks' })
    await drop(page, resolve('test/fixtures/kb/logs/chatgpt.json'))
    await expect(dialog.getByRole('checkbox', { name: /^Asks 1 1 new.*Ferns/ })).toBeChecked()
    await expect(dialog.getByText('Nothing is learned')).toHaveCount(0)
    await dialog.getByRole('checkbox', { name: /^Experiences/ }).uncheck()
    await expect(dialog.getByText('Nothing is learned from them.')).toBeVisible()
    await dialog.getByLabel('Project of the asks').fill('Garden')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(list.getByRole('option', { name: /^Ferns.*Imported from ChatGPT/ })).toContainText('Garden')
    // Undone as a whole, then taken in again.
    await undoLast()
    await expect(list.getByRole('option')).toHaveCount(1)
    await drop(page, resolve('test/fixtures/kb/logs/lm-studio.conversation.json'))
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await list.getByRole('option', { name: /^Units/ }).click()
    await expect(open.getByRole('status').first()).toContainText('Imported from LM Studio')
    await expect(open.getByRole('region', { name: 'Asked with' })).toContainText('qwen2.5-7b-instruct')
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('About 9.84 feet.')

    const next = open.getByRole('textbox', { name: 'The next message' })
    await next.fill('How often?')
    await next.press('Enter')
    await expect(open.getByRole('region', { name: 'Message 2' })).toContainText('Every other day.', {
      timeout: 60_000,
    })
    await app.openPalette()
    await page.keyboard.type('Import')
    await app.palette
      .getByRole('option', { name: /^Import…/ })
      .first()
      .click()
    const before = dialog.getByRole('region', { name: 'Imported before' })
    await expect(before).toContainText('1 ask that you went on with would stay')
    await before.getByRole('button', { name: 'Undo' }).first().click()
    await expect(page.getByText('You went on with 1 ask of this import')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo the rest' }).click()
    await expect(page.getByText('The import is undone').last()).toBeVisible()
    await expect(list.getByRole('option', { name: /^Units/ })).toBeVisible()
  } finally {
    await server.close()
  }
})
