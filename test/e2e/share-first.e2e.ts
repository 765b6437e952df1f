import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { expect, needsDemoModel, test } from './fixtures'
import { useServedModel } from './served-model'

/** A model that always says the same. */
const SAYS_SEVEN: LanguageModel = {
  name: 'tiny',
  path: '',
  contextSize: 4096,
  countTokens: (texts) => Promise.resolve(texts.map(({ length }) => length)),
  generate: (_request, { onToken } = {}) => {
    onToken?.('Seven.')
    const usage = { promptTokens: 3, completionTokens: 2, reusedTokens: 0, ms: 1 }
    return Promise.resolve({ text: 'Seven.', usage, finish: 'end' as const, tokensPerSecond: 1 })
  },
}

test.beforeEach(needsDemoModel)

test('what comes from elsewhere goes to My memory; a proxy asks the model that is chosen', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Memory')
  await expect(page.getByRole('button', { name: 'Open memory: My memory' })).toBeVisible()

  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  const give = (text: string) =>
    dialog
      .getByLabel('Files to import')
      .setInputFiles({ name: 'memory.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) })
  await give('')
  await expect(dialog.getByRole('alert')).toContainText('There is nothing in the file.')
  await dialog.getByRole('button', { name: 'Choose another' }).click()
  await give('{"case": "What is the fee?", "plan": "[\\"Look it up\\"]", "reward": 1}\n')
  await expect(dialog.getByRole('alert')).toContainText('does not look like any format')
  await expect(dialog.getByRole('button', { name: 'Memory to import into: My memory' })).toBeVisible()
  await page.keyboard.press('Escape')
  await app.goTo('Connected programs')

  // A proxy for a model at a server: what a program sends reaches it, and the memory is named as the person calls it.
  const server = await startModelServer('tiny', SAYS_SEVEN)
  try {
    await page.getByRole('button', { name: /^What to serve:/ }).click()
    await page.getByRole('menuitemradio', { name: /^Memory proxy/ }).click()
    await useServedModel(page, 'tiny', server.url)
    await page.getByRole('button', { name: 'Start serving' }).click()
    const served = page.getByRole('article', { name: /proxy/i })
    await expect(served).toContainText('My memory, since')
    await expect(served).toBeInViewport({ ratio: 1 })
    const url = (await served.locator('pre').first().textContent()) ?? ''
    await served.getByRole('button', { name: /^Show configuration/ }).click()
    const key = /OPENAI_API_KEY=([\w-]+)/.exec((await served.locator('pre').last().textContent()) ?? '')?.[1]
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'loam', messages: [{ role: 'user', content: 'How many?' }] }),
    })
    expect(await answer.text()).toContain('Seven.')
  } finally {
    await server.close()
  }
})
