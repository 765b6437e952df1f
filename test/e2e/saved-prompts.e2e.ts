import type { Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const clerk: LanguageModel = {
  ...{ name: 'clerk', path: 'clerk', contextSize: 8192 },
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate(_request, { onToken } = {}) {
    onToken?.('Heard.')
    return Promise.resolve({ text: 'Heard.', usage, finish: 'end' })
  },
}

const task = (page: Page) => page.getByRole('textbox', { name: 'The task', exact: true })
const reply = (page: Page) => page.getByRole('textbox', { name: 'The next message' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Saved prompts' })
const rows = (page: Page) => dialog(page).getByRole('list', { name: 'Saved prompts' }).getByRole('listitem')
const list = (page: Page) => page.getByRole('listbox', { name: 'Saved prompts' })

async function save(page: Page, name: string, text: string): Promise<void> {
  await dialog(page).getByRole('button', { name: 'New prompt' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(text)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rows(page).filter({ hasText: name })).toBeVisible()
}

test.use({ shared: true })

test('by mouse: what is written is saved, inserted, edited, deleted and brought back', async ({ app }) => {
  const { page } = app
  const open = () => page.getByRole('button', { name: 'Saved prompts', exact: true }).click()
  await task(page).fill('Say it in one sentence.')
  await open()
  await expect(dialog(page)).toContainText('No prompt is saved yet.')
  await dialog(page).getByRole('button', { name: 'Save what is written' }).click()
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue(
    'Say it in one sentence.',
  )
  await page.getByRole('textbox', { name: 'Name' }).fill('Short')
  await shoot(page, 'prompt-form')
  expect(await violations(page, 'prompt form')).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await task(page).fill('')
  await open()
  await save(page, 'Letter to an office', 'Write a letter to an office about ')
  await save(page, 'Translate', 'Translate into German:')

  await shoot(page, 'prompt-dialog')
  expect(await violations(page, 'saved prompts')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Edit “Short”' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Translate')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('There is a saved prompt “Translate” already.')
  await page.getByRole('textbox', { name: 'Name' }).fill('One sentence')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Delete “Translate”' }).click()
  await expect(rows(page)).toHaveText([/^Letter to an office/, /^One sentence/])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(3)
  await rows(page)
    .getByRole('button', { name: /^One sentence/ })
    .click()
  await expect(dialog(page)).toBeHidden()
  await expect(task(page)).toHaveValue('Say it in one sentence.')
  await expect(task(page)).toBeFocused()

  await page.reload()
  await open()
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expect(task(page)).toBeFocused()
})

test('by keyboard: / in an empty box lists them; arrows choose, Enter inserts, Escape leaves what is typed', async ({
  app,
}) => {
  const { page } = app
  const server = await startModelServer('clerk', clerk)
  try {
    await useServedModel(page, 'clerk', server.url)
    await task(page).fill('')
    await task(page).pressSequentially('/')
    await expect(list(page).getByRole('option')).toHaveText([/^Letter to an/, /^One sentence/, /^Translate/])
    await shoot(page, 'prompt-list')
    expect(await violations(page, 'prompts in the box')).toEqual([])
    await task(page).pressSequentially('sentence')
    await expect(list(page).getByRole('option')).toHaveText([/^One sentence/])
    await task(page).press('Escape')
    await expect(list(page)).toBeHidden()
    await expect(task(page)).toHaveValue('/sentence')
    // A path is a message like any other.
    await task(page).fill('')
    await task(page).pressSequentially('/etc/hosts')
    await expect(list(page)).toBeHidden()
    await task(page).fill('')
    await task(page).pressSequentially('/')
    await expect(list(page).getByRole('option', { selected: true })).toHaveText(/^Letter/)
    await task(page).press('ArrowUp')
    await expect(list(page).getByRole('option', { selected: true })).toHaveText(/^Translate/)
    await task(page).press('ArrowDown')
    await task(page).press('ArrowDown')
    await task(page).press('Enter')
    await expect(task(page)).toHaveValue('Say it in one sentence.')
    await expect(list(page)).toBeHidden()
    await task(page).press('Enter')

    await expect(page.getByRole('region', { name: 'The answer' })).toContainText('Heard.')
    await reply(page).pressSequentially('/tr')
    await expect(list(page).getByRole('option')).toHaveText([/^Translate/])
    await shoot(page, 'prompt-reply')
    expect(await violations(page, 'prompts in the next message')).toEqual([])
    await reply(page).press('Enter')
    await expect(reply(page)).toHaveValue('Translate into German:')
    await reply(page).press('Home')
    await page.getByRole('button', { name: 'Saved prompts', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Find a saved prompt' }).fill('e')
    await expect(rows(page)).toHaveCount(3)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(reply(page)).toHaveValue('Say it in one sentence.Translate into German:')
    await expect(reply(page)).toBeFocused()
  } finally {
    await server.close()
  }
})
