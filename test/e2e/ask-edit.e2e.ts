import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 900, completionTokens: 124, reusedTokens: 0, ms: 1 }

/** Says what it was asked last. */
const echo: LanguageModel = {
  name: 'echo',
  path: 'echo',
  contextSize: 4096,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate(request, { onToken } = {}) {
    const text = `Heard: ${request.messages.at(-1)?.content ?? ''}`
    onToken?.(text)
    return Promise.resolve({ text, usage, finish: 'end' })
  },
}

test('an answer is edited, branched and deleted with undo; a temporary ask is kept on demand', async ({
  app,
}) => {
  const { page } = app
  const server = await startModelServer('echo', echo)
  try {
    await useServedModel(page, 'echo', server.url)
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    await page.getByRole('switch', { name: 'Temporary' }).click()
    await expect(page.getByRole('switch', { name: 'Remember this one' })).toHaveCount(0)
    await shoot(page, 'ask-temporary')
    await task.fill('Name a pump')
    await task.press('Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    const answer = open.getByRole('region', { name: 'The answer' })
    await expect(answer).toContainText('Heard: Name a pump', { timeout: 60_000 })
    await open.getByRole('button', { name: 'Keep this ask' }).click()
    await expect(open.getByRole('button', { name: 'Keep this ask' })).toHaveCount(0)

    await answer.getByRole('button', { name: 'Edit the answer' }).click()
    // Who types goes on in the answer, not in the next message.
    await expect(answer.getByRole('textbox', { name: 'The answer in your words' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('A bilge pump.')
    await shoot(page, 'ask-edit-answer')
    expect(await violations(page, 'edit answer')).toEqual([])
    await answer.getByRole('button', { name: 'Keep these words' }).click()
    await expect(answer).toContainText('In your words.')
    await expect(open.getByText('which you wrote')).toHaveCount(0)
    await expect(open.getByRole('radio', { name: 'Try 2' })).toBeChecked()

    const next = open.getByRole('textbox', { name: 'The next message' })
    await next.fill('Where is it?')
    await next.press('Enter')
    const second = open.getByRole('region', { name: 'Message 2' })
    await expect(second.getByRole('region', { name: 'The answer' })).toContainText('Where is it?', {
      timeout: 60_000,
    })
    await expect(open.getByRole('meter', { name: 'Context in use' })).toHaveAttribute('aria-valuenow', '1024')
    await shoot(page, 'ask-answer-actions')
    expect(await violations(page, 'answer actions')).toEqual([])
    await second.getByRole('button', { name: 'Delete this message' }).click()
    await expect(second).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(second).toContainText('Where is it?')

    await second.getByRole('button', { name: 'Branch into its own ask' }).click()
    await expect(open.getByRole('heading', { name: 'Name a pump (branch)' })).toBeVisible()
    await next.fill('On in the branch')
    await next.press('Enter')
    await expect(open.getByRole('region', { name: 'Message 3' })).toContainText('Heard: On in the branch', {
      timeout: 60_000,
    })
    await expect(page.getByRole('listbox', { name: 'Asks' }).getByRole('option')).toHaveCount(2)
  } finally {
    await server.close()
  }
})
