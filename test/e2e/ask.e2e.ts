import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDemoWorld } from './demo-world'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import type { Page } from '@playwright/test'
import { expect, needsDemoModel, test } from './fixtures'
import { reachable } from './axe'
import { useServedModel } from './served-model'

const shots = process.env['LOAM_SHOTS']

/** A picture for a person to look at, where a folder for them is named. */
async function shot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  for (const theme of ['light', 'dark']) {
    await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
    for (const [width, height] of [
      [1280, 800],
      [900, 700],
    ] as const) {
      await page.setViewportSize({ width, height })
      // Colours fade for a moment.
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.beforeEach(needsDemoModel)

test('ask in the words of a house-rules world, teach, ask again and see it recalled', async ({ app }) => {
  const { page } = app
  // The window opens here.
  await expect(page.getByRole('heading', { name: 'What is to be done?' })).toBeVisible()
  await inDemoWorld(page, '4')
  await expect(page.getByText('Harbor: Count the bookings with price over 32.')).toBeVisible()
  await shot(page, 'ask-new')
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('Harbor: Count the bookings with price over 32.')
  await page.keyboard.press('Control+Enter')

  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 60_000 })
  await expect(open.getByText('Nothing in memory fitted.')).toBeVisible()
  await shot(page, 'ask-done')

  // One key, then what it should have been.
  await page.keyboard.press('w')
  await expect(open.getByRole('button', { name: /^Wrong/ })).toHaveAttribute('aria-pressed', 'true')
  await open.getByRole('button', { name: 'It went wrong here' }).nth(2).click()
  await open
    .getByLabel('What it should have done')
    .fill("SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';")
  await open.getByLabel('What was wrong in step 3').fill('it ran out of rounds')
  await open.getByRole('button', { name: 'Teach this' }).click()
  const learned = open.getByRole('region', { name: 'What was learned' })
  await expect(learned.getByRole('heading', { name: 'Learned from it: 2 items' })).toBeVisible()
  await shot(page, 'ask-taught')

  // Why it failed, with what was said beside what it did.
  await open.getByRole('button', { name: 'Why did this fail?' }).click()
  const why = open.getByRole('region', { name: 'Why it failed' })
  await expect(why).toContainText('Step 3: it ran out of rounds')
  await expect(why.getByLabel('Expected against given')).toContainText('price > 3200')
  await shot(page, 'ask-why')
  await reachable(page)

  // What misled can be struck out, and brought back.
  const failed = learned.getByRole('listitem').filter({ hasText: 'as failed' })
  await failed.getByRole('button', { name: 'Strike out' }).click()
  await expect(failed).toContainText('struck out')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(failed.getByRole('button', { name: 'Strike out' })).toBeVisible()

  await page.getByRole('button', { name: 'New ask' }).click()
  await task.fill('Harbor: Count the bookings with price over 45.')
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
  await expect(open.getByRole('region', { name: 'The answer' })).toContainText('[(3,)]', { timeout: 60_000 })
  const recalled = open.getByRole('list', { name: 'Recalled' })
  await expect(recalled.getByRole('listitem')).toHaveCount(2)
  await expect(recalled).toContainText('Recalled because it is like this task')
  await page.keyboard.press('r')
  await expect(learned.getByRole('heading', { name: 'Learned from it: 1 item' })).toBeVisible()
  await expect(recalled).toContainText('helped 1 of 1 times')
  await shot(page, 'ask-again')

  // All of it as a curve, and as a stream on which another method is replayed.
  await page.getByRole('button', { name: 'Your curve' }).click()
  const curve = page.getByRole('region', { name: 'Your curve' })
  await expect(curve).toContainText('1 of 2 judged asks were right')
  await expect(curve).toContainText(/Seconds per ask\s*\d+\.\d on average/)
  await expect(curve.getByRole('region', { name: 'When the memory changed' })).toContainText(
    '4 learned, 1 gone',
  )
  await shot(page, 'ask-curve')
  const recalls = curve.getByRole('region', { name: 'What would be recalled' })
  await recalls.getByRole('button', { name: 'Look' }).click()
  await expect(recalls.getByRole('status')).toContainText('No judged ask can be looked at yet.')
  await expect(recalls.getByRole('status')).toContainText('Left out')
  await reachable(page)
  await curve.getByRole('button', { name: 'Make a stream of them' }).click()
  await expect(curve.getByRole('region', { name: 'Replay them' })).toContainText('2 tasks')
  await curve.getByRole('button', { name: 'Replay with another method or model' }).click()
  await page.getByRole('button', { name: /^Method:/ }).click()
  await page.getByRole('menuitemradio', { name: /^No memory/ }).click()
  await page.getByRole('button', { name: 'Start run' }).click()
  const meaning = page.getByRole('region', { name: 'What it means' })
  await expect(meaning).toContainText('Without memory it solved 0 of 2 tasks', { timeout: 60_000 })
  await shot(page, 'run-meaning')
  await reachable(page)
  // What it knows by now: by topic, several at once, and as it was.
  await app.goTo('Memory')
  await app.chooseMemory(/^My memory/)
  await page.getByRole('button', { name: 'By topic…' }).click()
  await page.getByRole('list', { name: 'Topics' }).getByRole('button').first().click()
  const items = page.getByRole('listbox', { name: 'Items' })
  // Three attempts, and the line that proved right.
  const attempts = items.getByRole('option').filter({ hasText: 'Case' })
  await expect(items.getByRole('option')).toHaveCount(4)
  await page.getByRole('button', { name: /^About/ }).click()
  await page.getByRole('button', { name: 'Choose several' }).click()
  await attempts.nth(0).click()
  await attempts.nth(1).click()
  const several = page.getByRole('group', { name: 'Change several' })
  await expect(several).toContainText('2 items chosen')
  await several.getByRole('button', { name: 'Tag…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Tags' }).fill('harbor')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(items).toContainText('#harbor')
  await shot(page, 'memory-several')
  await reachable(page)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(items).not.toContainText('#harbor')
  await several.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(attempts).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(attempts).toHaveCount(3)
  await page.getByRole('button', { name: 'As it was…' }).click()
  await expect(page.getByRole('slider', { name: 'The memory as it was' })).toBeFocused()
  await page.getByRole('slider', { name: 'The memory as it was' }).press('Home')
  await expect(items).not.toContainText('over 45')
  await shot(page, 'memory-then')
  await reachable(page)
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(page.getByRole('button', { name: 'As it was…' })).toBeFocused()
  await expect(items).toContainText('over 45')
  await app.goTo('Ask')
  await page.getByRole('listbox', { name: 'Asks' }).getByText('over 45').click()

  // A reload comes back to it.
  await page.reload()
  await expect(recalled).toContainText('helped 1 of 1 times')
  const list = page.getByRole('listbox', { name: 'Asks' })
  await expect(list.getByRole('option')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search asks' }).fill('over 32')
  await expect(list.getByRole('option')).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search asks' }).fill('')
  await open.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list.getByRole('option')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(list.getByRole('option')).toHaveCount(2)
})

test('a conversation goes on, is branched from a step, compared side by side, filed and found', async ({
  app,
}) => {
  const { page } = app
  await inDemoWorld(page, '4')
  await expect(page.getByText('Harbor: Count the bookings with price over 32.')).toBeVisible()
  await page
    .getByRole('textbox', { name: 'The task', exact: true })
    .fill('Harbor: Count the bookings with price over 32.')
  await page.keyboard.press('Control+Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 60_000 })

  // The third step, in the person's own words.
  await open.getByRole('button', { name: 'Again from here' }).nth(2).click()
  const dialog = page.getByRole('dialog', { name: 'From step 3 on' })
  await dialog.getByRole('radio', { name: 'I write it' }).click()
  await dialog
    .getByRole('textbox', { name: 'What it should do in this step' })
    .fill("SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';")
  await shot(page, 'ask-branch')
  await reachable(page)
  await dialog.getByRole('button', { name: 'Try it' }).click()
  await expect(open.getByText('from step 3 on, which you wrote')).toBeVisible({ timeout: 60_000 })
  await open.getByRole('button', { name: 'Side by side' }).click()
  await expect(open.getByRole('region', { name: 'Try 1' })).toBeVisible()
  await expect(open.getByRole('region', { name: 'Try 2' })).toContainText('[(3,)]')
  await shot(page, 'ask-beside')
  await reachable(page)
  // Two tries stand there in their order, also once the one beside is chosen.
  await open.getByRole('radio', { name: 'Try 1' }).click()
  await expect(open.getByRole('region', { name: /^Try \d$/ })).toHaveCount(2)
  await expect(open.getByRole('region', { name: /^Try \d$/ }).last()).toHaveAccessibleName('Try 2')
  await open.getByRole('radio', { name: 'Try 2' }).click()
  await open.getByRole('button', { name: 'Side by side' }).click()
  // However many there are, the first can be looked at.
  for (const tries of [3, 4, 5]) {
    await open.getByRole('button', { name: 'Try again', exact: true }).click()
    const newest = open.getByRole('radio', { name: `Try ${tries}` })
    const chosen = open.getByRole('button', { name: `Tries: Try ${tries}` })
    await expect(tries < 5 ? newest : chosen).toBeVisible({ timeout: 60_000 })
  }
  await open.getByRole('button', { name: /^Tries:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Try 1', exact: true }).click()
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible()
  await open.getByRole('button', { name: /^Tries:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Try 2', exact: true }).click()

  const next = open.getByRole('textbox', { name: 'The next message' })
  await next.fill('Harbor: Count the bookings with price over 45.')
  await next.press('Enter')
  const second = open.getByRole('region', { name: 'Message 2' })
  await expect(second).toContainText('price > 4500', { timeout: 60_000 })
  await expect(second).toContainText('you said it before in this conversation')
  await shot(page, 'ask-conversation')
  await reachable(page)

  await open.getByRole('button', { name: 'Put in a project' }).click()
  await page.getByRole('menuitem', { name: 'New project…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Harbor')
  await page.getByRole('dialog').getByRole('button', { name: 'Put it there' }).click()
  await expect(page.getByRole('region', { name: 'Asks' }).getByText('Harbor', { exact: true })).toBeVisible()
})

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

const ANSWER =
  '## Costs\n\nThey come to **42 euro**; see `sum.txt`.\n\n| item | euro |\n|---|---|\n| ink | 40 |\n| pen | 2 |\n\n<img src=x onerror="document.title=1">\n\n```\n40 + 2 = 42\n```\n'

const bookkeeper: LanguageModel = {
  name: 'bookkeeper',
  path: 'bookkeeper',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate({ messages }, { onToken } = {}) {
    const answered = messages.filter(({ role }) => role === 'tool').length
    const call = (name: string, given: Record<string, unknown>) => ({
      text: '',
      toolCalls: [{ id: `c${answered}`, name, arguments: given }],
      usage,
      finish: 'tool-calls' as const,
    })
    if (answered === 0) return call('read_file', { path: 'costs.csv' })
    if (answered === 1) return call('write_file', { path: 'sum.txt', text: '42\n' })
    for (const piece of ANSWER.match(/.{1,6}/gs) ?? []) {
      onToken?.(piece)
      await new Promise((later) => setTimeout(later, 15))
    }
    return { text: ANSWER, usage, finish: 'end' }
  },
}

test('ask with a file: tools in view, the answer as Markdown, what it made looked at and saved', async ({
  app,
}) => {
  test.skip(!existsSync('out/main/mcp/index.js'), 'needs a build')
  const { page } = app
  const server = await startModelServer('bookkeeper', bookkeeper)
  try {
    await app.goTo('Ask')
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Add up the costs.')
    await page.getByLabel('Files for the task').setInputFiles({
      name: 'costs.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('item,euro\nink,40\npen,2\n'),
    })
    await expect(page.getByRole('list', { name: 'Files' })).toContainText('costs.csv')
    await useServedModel(page, 'bookkeeper', server.url)
    await expect(page.getByRole('button', { name: /^Model: bookkeeper, at / })).toBeVisible()
    await shot(page, 'ask-file-new')
    await page.getByRole('button', { name: 'Ask', exact: true }).last().click()

    const open = page.getByRole('region', { name: 'The open ask' })
    const answer = open.getByRole('region', { name: 'The answer' })
    await expect(answer.getByRole('table')).toContainText('ink', { timeout: 60_000 })
    await expect(answer.getByRole('heading', { name: 'Costs' })).toBeVisible()
    // What a model writes as HTML is nothing.
    await expect(answer.locator('img')).toHaveCount(0)
    await open.getByText('2 steps').click()
    await open.getByText(/^1\. read_file/).click()
    await expect(open.getByText('ink,40')).toBeVisible()
    await shot(page, 'ask-file-done')
    const download = page.waitForEvent('download')
    await answer.getByRole('button', { name: 'Save sum.txt' }).click()
    expect((await download).suggestedFilename()).toBe('sum.txt')
    await answer.getByRole('button', { name: /^sum.txt/ }).click()
    await expect(page.getByRole('dialog', { name: 'sum.txt' })).toContainText('42')
    await page.keyboard.press('Escape')

    await page.keyboard.press('p')
    await open.getByLabel('The answer should have been').fill('42 euro')
    await open.getByRole('button', { name: 'Teach this' }).click()
    await expect(open.getByRole('heading', { name: 'Learned from it: 2 items' })).toBeVisible()
    await page.getByRole('button', { name: 'New ask' }).click()
    // What was chosen is what the next one begins with.
    await expect(page.getByRole('button', { name: /^Model: bookkeeper, at / })).toBeVisible()
  } finally {
    await server.close()
  }
})
