import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { useServedModel } from './served-model'
import { shoot } from './shoot'

const usage = { promptTokens: 900, completionTokens: 124, reusedTokens: 0, ms: 1 }

/** Sentences that differ, since a reply that repeats itself is ended. */
const LONG_TEXT = Array.from({ length: 400 }, (_, i) => `Pump ${i} lifts ${i * 7} litres. `).join('')

test('what was said in another ask goes into the prompt as a file, and what is cut is said', async ({
  app,
}) => {
  const { page } = app
  const heard: string[] = []
  const model: LanguageModel = {
    name: 'pump',
    path: 'pump',
    contextSize: 2048,
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate({ messages }, { onToken } = {}) {
      heard.push(messages.map(({ content }) => content).join('\n'))
      // Longer than what a second ask may be given of it.
      const text = heard.length === 1 ? `A bilge pump. ${LONG_TEXT}` : 'Twelve volts.'
      onToken?.(text)
      return Promise.resolve({ text, usage, finish: 'end' })
    },
  }
  const server = await startModelServer('pump', model)
  try {
    await useServedModel(page, 'pump', server.url)
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    const open = page.getByRole('region', { name: 'The open ask' })
    await task.fill('Which pump suits a small boat?')
    await task.press('Enter')
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('A bilge pump.')
    // The ask that is open is not offered to itself, and there is no other yet.
    await open.getByRole('button', { name: 'Add another ask' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add another ask' })
    await expect(dialog).toContainText('There is no other ask with an answer yet.')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'New ask' }).first().click()
    await page.getByRole('button', { name: 'Add another ask' }).click()
    await dialog.getByRole('searchbox', { name: 'Find an ask' }).fill('zebra')
    await expect(dialog).toContainText('No ask holds these words.')
    await dialog.getByRole('searchbox', { name: 'Find an ask' }).fill('small boat')
    const choice = dialog.getByRole('button', { name: /Which pump suits a small boat\?/ })
    await expect(choice).toBeVisible()
    await shoot(page, 'add-ask')
    expect(await violations(page, 'add ask')).toEqual([])
    await choice.click()
    await expect(dialog).toHaveCount(0)
    const files = page.getByRole('list', { name: 'Files' })
    await expect(files).toContainText('which-pump-suits-a-small-boat.md')
    await task.fill('How many volts has it?')
    await shoot(page, 'add-ask-draft')
    await task.press('Enter')
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Twelve volts.')
    expect(heard.at(-1)).toContain('File which-pump-suits-a-small-boat.md, in part')
    expect(heard.at(-1)).toContain('A bilge pump.')
    await expect(open).toContainText(/which-pump-suits-a-small-boat\.md read in part/)
    await shoot(page, 'add-ask-answer')
    await open.getByRole('button', { name: /^which-pump-suits-a-small-boat\.md/ }).click()
    await expect(page.getByRole('dialog', { name: 'which-pump-suits-a-small-boat.md' })).toContainText(
      'A bilge pump.',
    )
  } finally {
    await server.close()
  }
})
