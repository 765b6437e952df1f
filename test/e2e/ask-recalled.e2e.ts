import type { Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

/** Says what it was shown besides the question. */
const reader: LanguageModel = {
  name: 'reader',
  path: 'reader',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate({ messages }, { onToken } = {}) {
    const whole = messages.map(({ content }) => content).join('\n')
    const text = whole.includes('7411') ? 'The port is 7411.' : 'I do not know the port.'
    for (const piece of text.match(/[^]{1,4}/g) ?? []) {
      await new Promise((later) => setTimeout(later, 40))
      onToken?.(piece)
    }
    return { text, usage, finish: 'end' }
  },
}

const open = (page: Page) => page.getByRole('region', { name: 'The open ask' })

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New ask' }).click()
  await page.getByRole('textbox', { name: 'The task', exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

test('what was recalled stands beside the answer, says why, and is taken back in one click', async ({
  app,
}) => {
  const { page } = app
  const server = await startModelServer('reader', reader)
  try {
    await useServedModel(page, 'reader', server.url)
    await ask(page, 'Remember that the port of Vela is 7411')
    await expect(open(page).getByText('Loam remembers 1 fact')).toBeVisible({ timeout: 60_000 })
    // No model wrote it, and there is nothing to judge.
    await expect(page.getByRole('option', { name: /Remember that the port/ })).toContainText('Remembered ·')
    await expect(open(page).getByRole('heading', { name: 'Was it right?' })).toHaveCount(0)
    await expect(open(page).getByRole('region', { name: 'Asked with' })).toHaveCount(0)

    // In the smallest window what stands below the answer does not push it out of view.
    await page.setViewportSize({ width: 640, height: 400 })
    await ask(page, 'Which port does Vela use?')
    const memory = open(page).getByRole('complementary', { name: 'Memory' })
    const answer = open(page).getByRole('region', { name: 'The answer' })
    await expect(memory).toContainText('Recalled 1 item', { timeout: 60_000 })
    await expect(answer.getByText('The port is 7411.')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(memory.getByRole('listitem')).toContainText(/Recalled because .* both say “port”, “Vela”/)
    await expect(async () => {
      const [beside, own] = [await memory.boundingBox(), await answer.boundingBox()]
      expect(beside?.x).toBeGreaterThan((own?.x ?? 0) + (own?.width ?? 0))
      expect(beside?.y).toBeLessThanOrEqual((own?.y ?? 0) + 1)
    }).toPass()
    await shoot(page, 'ask-recalled')
    expect(await violations(page, 'recalled')).toEqual([])
    await page.locator('html').evaluate((root) => (root.dataset['theme'] = 'light'))
    expect(await violations(page, 'recalled, light')).toEqual([])

    // Where there is no room beside it, it stands below.
    await page.setViewportSize({ width: 900, height: 700 })
    const [below, above] = [await memory.boundingBox(), await answer.boundingBox()]
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0))

    await memory.getByRole('button', { name: 'Answer without memory' }).click()
    await expect(open(page).getByRole('radio', { name: 'Try 2' })).toBeChecked({ timeout: 60_000 })
    await expect(answer).toContainText('I do not know the port.')
    await expect(memory).toContainText('Memory was not used.')
    await open(page).getByRole('radio', { name: 'Try 1' }).click()

    await memory.getByRole('button', { name: 'Wrong place' }).click()
    await expect(memory).toContainText('Not shown for asks like this')
    await ask(page, 'Which port does Vela use now?')
    await expect(answer).toContainText('I do not know the port.', { timeout: 60_000 })
    await page.getByRole('option', { name: /Which port does Vela use\?/ }).click()
    await open(page).getByRole('radio', { name: 'Try 1' }).click()
    await memory.getByRole('button', { name: 'Show it again' }).click()
    await expect(memory.getByRole('button', { name: 'Wrong place' })).toBeVisible()
    await ask(page, 'Which port does Vela use today?')
    await expect(answer).toContainText('The port is 7411.', { timeout: 60_000 })

    await memory.getByRole('button', { name: 'This misled' }).click()
    await expect(memory).toContainText('Not recalled any more')
    const [back, panel] = [
      await memory.getByRole('button', { name: 'Recall it again' }).boundingBox(),
      await memory.boundingBox(),
    ]
    expect((back?.x ?? 0) + (back?.width ?? 0)).toBeLessThanOrEqual((panel?.x ?? 0) + (panel?.width ?? 0))
    await ask(page, 'Which port does Vela use tomorrow?')
    await expect(answer).toContainText('I do not know the port.', { timeout: 60_000 })
    await expect(memory).toContainText('Nothing in memory fitted.')

    // What is told in passing is offered, and kept only on a word.
    await ask(page, 'I am allergic to nuts. My dentist is Dr. Ferrari. Which cake is safe?')
    const offers = open(page).getByRole('region', { name: 'Told in passing' })
    await expect(offers).toContainText('I am allergic to nuts', { timeout: 60_000 })
    await shoot(page, 'ask-told')
    expect(await violations(page, 'told in passing')).toEqual([])
    await offers.getByRole('button', { name: 'Remember I am allergic to nuts.', exact: true }).click()
    await expect(open(page).getByText('Loam remembers 1 fact')).toBeVisible()
    // One key answers the next.
    await expect(
      offers.getByRole('button', { name: 'No do not remember: My dentist is Dr. Ferrari.' }),
    ).toBeVisible()
    await page.keyboard.press('n')
    await expect(offers).toHaveCount(0)
    await page.reload()
    await expect(open(page).getByRole('region', { name: 'Remembered' })).toContainText(
      'I am allergic to nuts.',
    )
    await shoot(page, 'ask-told-kept')
    await expect(offers).toHaveCount(0)
  } finally {
    await server.close()
  }
})
