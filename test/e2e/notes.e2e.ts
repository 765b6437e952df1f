import type { Locator, Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const clerk: LanguageModel = {
  name: 'clerk',
  path: 'clerk',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate(_request, { onToken } = {}) {
    onToken?.('A pump moves water.')
    return Promise.resolve({ text: 'A pump moves water.', usage, finish: 'end' })
  },
}

const notes = (page: Page): Locator => page.getByRole('region', { name: 'Notes (F8)' }).getByRole('listitem')

/** How much of an element the notes cover, in pixels. */
async function covered(page: Page, element: Locator): Promise<number> {
  const target = await element.boundingBox()
  const boxes = await Promise.all((await notes(page).all()).map((note) => note.boundingBox()))
  if (!target || boxes.length === 0) throw new Error('Nothing is there to be covered, or to cover it.')
  return boxes.reduce((sum, box) => {
    if (!box) return sum
    const across = Math.min(box.x + box.width, target.x + target.width) - Math.max(box.x, target.x)
    const down = Math.min(box.y + box.height, target.y + target.height) - Math.max(box.y, target.y)
    return sum + Math.max(0, across) * Math.max(0, down)
  }, 0)
}

test('notes cover neither a dialog nor the box that is written in', async ({ app }) => {
  const { page } = app
  const server = await startModelServer('clerk', clerk)
  try {
    await page.setViewportSize({ width: 900, height: 700 })
    await useServedModel(page, 'clerk', server.url)
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('What is a pump?')
    await page.keyboard.press('Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('moves water')
    const box = open.getByRole('textbox', { name: 'The next message' })
    const dialog = page.getByRole('dialog')
    const remember = async (text: string) => {
      await open.getByRole('button', { name: 'Remember a fact…' }).click()
      await dialog.getByRole('textbox').first().fill(text)
      await dialog.getByRole('button', { name: /^(Remember|Keep|Save|Add)/ }).click()
      await expect(dialog).toHaveCount(0)
    }
    await remember('The pump stands in the cellar.')
    await expect(notes(page)).toHaveCount(1)
    // The pointer keeps it there.
    await notes(page).first().hover()
    await expect.poll(() => covered(page, box)).toBe(0)
    await shoot(page, 'note-above-box')
    await box.fill('One line\nand another\nand a third\nand a fourth')
    await expect.poll(() => covered(page, box)).toBe(0)

    for (const size of [
      { width: 900, height: 700 },
      { width: 640, height: 410 },
    ]) {
      await page.setViewportSize(size)
      await notes(page).first().getByRole('button', { name: 'Dismiss' }).focus()
      await page.keyboard.press('?')
      await expect(dialog).toBeVisible()
      await expect.poll(() => covered(page, dialog)).toBe(0)
      if (size.width === 900) await shoot(page, 'note-above-dialog')
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
  } finally {
    await server.close()
  }
})
