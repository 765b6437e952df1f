import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageModel } from '../../src/core/ground/chat'
import { inDemoWorld } from './demo-world'
import { startModelServer } from '../fixtures/model-server'
import { expect, needsDemoModel, test } from './fixtures'
import { reachable } from './axe'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const STORY = 'The quick ship sails on and on. '

/** Looks the stock up, then tells what it was told; asked for a story it writes until it is stopped. */
const clerk = (aborted: () => void): LanguageModel => ({
  name: 'clerk',
  path: 'clerk',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate({ messages }, { onToken, signal } = {}) {
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (asked.includes('story')) {
      signal?.addEventListener('abort', aborted)
      for (let i = 0; i < 20_000; i++) {
        signal?.throwIfAborted()
        onToken?.(STORY)
        await new Promise((later) => setTimeout(later, 5))
      }
    }
    const answered = messages.filter(({ role }) => role === 'tool')
    if (answered.length === 0)
      return {
        text: '',
        toolCalls: [{ id: 'c0', name: 'look_up_stock', arguments: { item: 'paper' } }],
        usage,
        finish: 'tool-calls',
      }
    const text = `Heard “${asked.slice(-80)}”. ${answered.at(-1)?.content ?? ''}. Half is $$\\frac{7}{2}$$.`
    onToken?.(text)
    return { text, usage, finish: 'end' }
  },
})

test('a server of one’s own is used in an ask: permission and words in line, formulas drawn, and it stops', async ({
  app,
  page,
}) => {
  test.skip(!existsSync('out/main/mcp/index.js'), 'needs a build')
  test.setTimeout(180_000)
  let aborted = 0
  const server = await startModelServer(
    'clerk',
    clerk(() => aborted++),
  )
  try {
    await app.goTo('Advanced')
    await page.getByRole('button', { name: 'Add server' }).click()
    await page.getByLabel('Name', { exact: true }).fill('stock')
    await page.getByLabel('Command').fill(process.execPath)
    const program = join(import.meta.dirname, '..', 'fixtures', 'mcp', 'stock-server.mjs')
    await page.getByLabel('Arguments, one a line').fill(program)
    await page.getByRole('button', { name: 'Save and test' }).click()
    await expect(page.getByRole('button', { name: '2 tools' })).toBeVisible({ timeout: 60_000 })

    await app.goTo('Ask')
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('How much paper is there?')
    await useServedModel(page, 'clerk', server.url)
    await page.getByRole('button', { name: 'Ask', exact: true }).last().click()

    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByText('May it use look_up_stock?')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const words = open.getByRole('textbox', { name: 'Say something while it works' })
    await words.fill('Say it in halves.')
    await open.getByRole('button', { name: 'Say now' }).click()
    await expect(open.getByText('Waits for the next step: “Say it in halves.”')).toBeVisible()
    await open.getByRole('button', { name: 'Once' }).click()

    const answer = open.getByRole('region', { name: 'The answer' })
    await expect(answer).toContainText(/Heard “Say it in halves\.”\..*paper: 7 pieces/s, { timeout: 60_000 })
    await expect(answer.locator('math mfrac')).toHaveCount(1)
    await open.getByText('1 step', { exact: true }).click()
    await open.getByText(/^1\. look_up_stock/).click()
    await expect(open.getByLabel('What it did')).toContainText('"item": "paper"')

    // Stopping ends the writing at the server too, and what was asked and written stays.
    const next = open.getByRole('textbox', { name: 'The next message' })
    await next.fill('Tell me a story.')
    await next.press('Enter')
    const second = open.getByRole('region', { name: 'Message 2' })
    await expect(second.getByText(/sails on and on/)).toBeVisible({ timeout: 60_000 })
    await open.getByRole('button', { name: 'Stop' }).click()
    await expect(second.getByText('It was stopped before its end.')).toBeVisible()
    await expect(second).toContainText('sails on and on')
    await expect.poll(() => aborted).toBe(1)
    await expect.poll(server.atWork).toBe(0)
    await expect(second).toContainText('Tell me a story.')
  } finally {
    await server.close()
  }
})

test(
  'a folder is added by keyboard; planned work of the demo model is begun again from one of its steps',
  { tag: '@long' },
  async ({ app, page }, info) => {
    needsDemoModel()
    test.skip(!existsSync('out/main/mcp/index.js'), 'needs a build')
    test.setTimeout(240_000)
    const own = info.outputPath('costs')
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'costs.csv'), 'item,euro\nink,40\n')
    await app.goTo('Ask')
    await inDemoWorld(page)
    await page.getByRole('button', { name: /^World:/ }).click()
    await page.getByRole('menuitemradio', { name: /^No world/ }).click()
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('How much does all of it cost?')
    await page.getByLabel('A folder for the task').setInputFiles(own)
    await expect(page.getByText('costs.csv')).toBeVisible()
    // A model as small plans only with tools that a person chose.
    await page.getByRole('button', { name: /^Tools:/ }).click()
    await page.getByRole('menuitemcheckbox').nth(1).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^How it works:/ }).click()
    await page.getByRole('menuitemradio', { name: /^Plan first/ }).click()
    // The focus is on what was chosen last, and the keys ask all the same.
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    const judgement = open.getByRole('region', { name: 'Your judgement' })
    await expect(judgement).toBeVisible({ timeout: 120_000 })
    // How much of the context is taken is told of planned work as well.
    await expect(open.getByText(/^Context: [\d,]+ of [\d,]+ tokens in its fullest step/)).toBeVisible()
    await shoot(page, 'planned-context')

    await page.keyboard.press('w')
    await open
      .getByRole('region', { name: 'Plan 1' })
      .getByRole('button', { name: 'It went wrong here' })
      .last()
      .click()
    await expect(judgement.getByLabel(/What was wrong in step \d of plan 1/)).toBeVisible()
    await reachable(page)

    await open
      .getByRole('region', { name: 'Plan 1' })
      .getByRole('button', { name: 'Again from here' })
      .nth(1)
      .click()
    const dialog = page.getByRole('dialog', { name: 'From step 1 of plan 1 on' })
    await dialog.getByRole('radio', { name: 'I write it' }).click()
    await dialog.getByLabel('What is to be done in this step').fill('RESULT: It costs 40 euro.')
    await reachable(page)
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await expect(open.getByText('from step 1 of plan 1 on, which you wrote')).toBeVisible({
      timeout: 120_000,
    })
    await expect(open.getByRole('region', { name: 'Plan 1' })).toContainText('Result: It costs 40 euro.')
    await open.getByRole('button', { name: 'Side by side' }).click()
    await expect(open.getByRole('region', { name: 'Plan 1' })).toHaveCount(2)
    await open.getByRole('button', { name: 'Side by side' }).click()

    // Whoever tries again while another try is looked at sees the new one; what is stopped leaves the others.
    await page.setViewportSize({ width: 900, height: 700 })
    await open.getByRole('radio', { name: 'Try 1' }).click()
    const word = page.getByRole('textbox', { name: 'Say something while it works' })
    // A try that ends before it is looked at is followed by another.
    await expect(async () => {
      await open.getByRole('button', { name: 'Try again', exact: true }).click({ timeout: 2_000 })
      await expect(open.getByRole('radio', { name: 'Now' })).toBeChecked({ timeout: 2_000 })
      expect(
        await word.evaluate((box) => box.scrollHeight <= box.clientHeight, null, { timeout: 2_000 }),
      ).toBe(true)
      await page.getByRole('button', { name: 'Stop' }).click({ timeout: 2_000 })
    }).toPass({ timeout: 60_000 })
    await expect(open.getByText(/was stopped before (?:its end|it wrote anything)\./)).toBeVisible()
  },
)
