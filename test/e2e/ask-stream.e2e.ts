import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { expect, homeOf, startHost, test } from './fixtures'
import { AppPage } from './pages/app-page'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const LINES = 60
const CODE = 'const price = (cents: number): string => `${cents / 100} euro`'
const SAMPLE = `Here it is:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\n| item | euro |\n| :--- | ---: |\n| ink | 40 |\n| pen | 2 |`

/** The line behind which the poet waits until it is moved on or stopped; null: it waits nowhere. */
let pauseAfter: number | null = null

/** Writes one line after the other, at a pace that can be watched, and goes on where it was cut. */
const poet: LanguageModel = {
  name: 'poet',
  path: 'poet',
  contextSize: 32_768,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate({ messages }, { onToken, signal } = {}) {
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (asked.includes('code')) {
      onToken?.(SAMPLE)
      return { text: SAMPLE, usage, finish: 'end' }
    }
    const whole = Array.from({ length: LINES }, (_, i) => `Line ${i + 1} of it.`).join('\n\n')
    const cut = asked.includes('Go on exactly')
      ? (messages.findLast(({ role }) => role === 'assistant')?.content ?? '')
      : ''
    let text = ''
    for (const piece of whole.slice(cut.length).match(/[^]{1,6}/g) ?? []) {
      while (pauseAfter !== null && text.includes(`Line ${pauseAfter} of it.`) && !signal?.aborted)
        await new Promise((later) => setTimeout(later, 15))
      if (signal?.aborted) break
      await new Promise((later) => setTimeout(later, 15))
      text += piece
      onToken?.(piece)
    }
    return { text, usage, finish: 'end' }
  },
}

test.use({ shared: true })

test('the view follows what is written, lets go and takes hold; Stop keeps it, and it is gone on with to the letter', async ({
  app,
}) => {
  const { page } = app
  const server = await startModelServer('poet', poet)
  try {
    await useServedModel(page, 'poet', server.url)
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    await task.fill('A long poem')
    await task.press('Shift+Enter')
    await page.keyboard.insertText('in lines')
    await expect(task).toHaveValue('A long poem\nin lines')
    await page.setViewportSize({ width: 900, height: 700 })
    pauseAfter = 20
    await task.press('Enter')

    const open = page.getByRole('region', { name: 'The open ask' })
    const pane = open.locator('[data-follows]')
    const below = () => pane.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
    await expect(open.getByText('Line 20 of it.')).toBeInViewport({ timeout: 30_000 })
    await expect.poll(below).toBeLessThan(80)

    // By the wheel it lets go, and stays where it is while more comes.
    await pane.hover()
    await page.mouse.wheel(0, -200)
    const toEnd = open.getByRole('button', { name: 'To the end' })
    await expect(toEnd).toBeVisible()
    const place = () => pane.evaluate((one) => one.scrollTop)
    let top = -1
    // The wheel may still be turning.
    await expect.poll(async () => top === (top = await place())).toBe(true)
    pauseAfter = 40
    await expect(open.getByText('Line 26 of it.')).toBeAttached()
    expect(await place()).toBe(top)
    await shoot(page, 'ask-stream-away')
    // By the keyboard it takes hold again.
    await toEnd.focus()
    await page.keyboard.press('Enter')
    await expect(toEnd).toBeHidden()
    await expect.poll(below).toBeLessThan(80)

    await page.keyboard.press('Escape')
    const answer = open.getByRole('region', { name: 'The answer' })
    await expect(answer).toContainText('It was stopped before its end.')
    pauseAfter = null
    await expect(answer).toContainText('Line 26 of it.')
    await shoot(page, 'ask-stopped')
    await page.reload()
    await expect(answer).toContainText('Line 26 of it.')
    await open.getByRole('button', { name: 'Continue' }).focus()
    await page.keyboard.press('Enter')
    await expect(answer).toContainText(`Line ${LINES} of it.`, { timeout: 30_000 })
    const lines = (await answer.innerText()).match(/Line \d+ of it\./g)
    expect(lines).toEqual(Array.from({ length: LINES }, (_, i) => `Line ${i + 1} of it.`))
    await expect(open.getByText('try 1 continued')).toBeVisible()
  } finally {
    await server.close()
  }
})

test('an answer, its code and its table are copied as they are, and code is coloured', async ({ app }) => {
  const { page } = app
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const server = await startModelServer('poet', poet)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  try {
    await useServedModel(page, 'poet', server.url)
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Some code')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('region', { name: 'The answer' })
    await answer.getByRole('button', { name: 'Copy code' }).click()
    await expect(answer.getByRole('button', { name: 'Copied code' })).toBeVisible()
    await expect.poll(copied).toBe(CODE)
    await answer.getByRole('button', { name: 'Copy table' }).click()
    await expect.poll(copied).toBe('item\teuro\nink\t40\npen\t2')
    await answer.getByRole('button', { name: 'Copy answer' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(copied).toBe(SAMPLE)
    await expect(answer.locator('.hljs-keyword').first()).toHaveText('const')
    await expect(answer.getByRole('cell', { name: '40' })).toHaveCSS('text-align', 'right')
    await shoot(page, 'ask-code')
  } finally {
    await server.close()
  }
})

test('what is being written survives a reload and a host that is killed', async ({ page }) => {
  const dataPath = await mkdtemp(join(tmpdir(), 'loam-e2e-'))
  let host = await startHost(dataPath)
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  const kept = (text: string) =>
    expect
      .poll(() => readFile(join(dataPath, 'ask-drafts', 'new.json'), 'utf8').catch(() => ''))
      .toContain(`"${text}"`)
  try {
    await new AppPage(page).open(host.url)
    await task.fill('Half a thou')
    await kept('Half a thou')
    await page.reload()
    await expect(task).toHaveValue('Half a thou')
    await task.press('End')
    await page.keyboard.type('ght')
    await kept('Half a thought')
    host.kill()
    await host.stop()
    host = await startHost(dataPath)
    await new AppPage(page).open(host.url)
    await expect(task).toHaveValue('Half a thought')
  } finally {
    await host.stop()
    await rm(dataPath, { recursive: true, force: true })
    await rm(homeOf(dataPath), { recursive: true, force: true })
  }
})
