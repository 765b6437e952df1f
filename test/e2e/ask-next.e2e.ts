import { join } from 'node:path'
import { startModelServer } from '../fixtures/model-server'
import { parrotSaying } from '../main/asks/parrot'
import { expect, test } from './fixtures'
import { reachable } from './axe'
import { useServedModel } from './served-model'

const shots = process.env['LOAM_SHOTS']

const parrot = parrotSaying('The capital of Australia is Canberra.')

test('what a person writes next says how an answer was; their key decides', async ({ app }) => {
  const { page } = app
  const server = await startModelServer('parrot', parrot)
  try {
    await useServedModel(page, 'parrot', server.url)
    await page
      .getByRole('textbox', { name: 'The task', exact: true })
      .fill('What is the capital of Australia?')
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    const next = open.getByRole('textbox', { name: 'The next message' })
    await next.fill('Thank you so much!')
    await next.press('Enter')
    const first = open.getByRole('region', { name: 'Message 1' })
    await expect(first).toContainText('Probably right: thanks or praise followed')
    await next.fill('That is wrong.')
    await next.press('Enter')
    const second = open.getByRole('region', { name: 'Message 2' })
    const told = second.getByRole('group', { name: 'What the next message tells' })
    await expect(told).toContainText('Taken for wrong: a complaint followed.')
    if (shots !== undefined)
      for (const theme of ['light', 'dark']) {
        await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
        await page.setViewportSize({ width: 900, height: 700 })
        await page.waitForTimeout(250)
        await first.scrollIntoViewIfNeeded()
        await page.screenshot({ path: join(shots, `ask-next-${theme}.png`) })
      }
    await reachable(page)
    await told.getByRole('button', { name: 'It was right' }).click()
    await expect(told).toHaveCount(0)
    await first.getByRole('button', { name: 'It was right' }).focus()
    await page.keyboard.press('Enter')
    await expect(first.getByRole('group', { name: 'What the next message tells' })).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  } finally {
    await server.close()
  }
})

test('answers wait for a word in one list, one key each, once a day', async ({ app }) => {
  const { page } = app
  const server = await startModelServer('parrot', parrot)
  try {
    await useServedModel(page, 'parrot', server.url)
    const task = page.getByRole('textbox', { name: 'The task', exact: true })
    const open = page.getByRole('region', { name: 'The open ask' })
    for (const [i, text] of [
      'What is the capital of Australia?',
      'Which river runs through Vienna?',
    ].entries()) {
      await task.fill(text)
      await page.keyboard.press('Control+Enter')
      await expect(open.getByRole('region', { name: 'Your judgement' })).toBeVisible()
      await page.getByRole('button', { name: 'New ask' }).first().click()
      await expect(page.getByText(i === 0 ? '1 answer waits' : '2 answers wait')).toBeVisible()
    }
    await page.getByRole('button', { name: 'Go through them' }).click()
    const list = page.getByRole('dialog', { name: 'Was it right?' })
    await expect(list).toContainText('1 of 2')
    if (shots !== undefined)
      for (const theme of ['light', 'dark']) {
        await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
        await page.setViewportSize({ width: 900, height: 700 })
        await page.screenshot({ path: join(shots, `review-${theme}.png`) })
      }
    await reachable(page)
    await page.keyboard.press('w')
    await expect(list).toContainText('2 of 2')
    await page.keyboard.press('l')
    await expect(list).toHaveCount(0)
    // Asked once: the one that was put off waits until tomorrow.
    await expect(page.getByRole('button', { name: 'Go through them' })).toHaveCount(0)
  } finally {
    await server.close()
  }
})

test('the settings say who reads next messages, and turn it off', async ({ app }) => {
  const { page } = app
  await app.goTo('Settings')
  const learning = page.getByRole('region', { name: 'How asks learn' })
  await expect(learning).toContainText('no model on this machine has passed the test yet (54 of 70')
  const toggle = learning.getByRole('switch', { name: 'Read next messages while nothing works' })
  await toggle.scrollIntoViewIfNeeded()
  if (shots !== undefined)
    for (const theme of ['light', 'dark']) {
      await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
      await page.setViewportSize({ width: 900, height: 700 })
      await toggle.scrollIntoViewIfNeeded()
      await page.screenshot({ path: join(shots, `reader-${theme}.png`) })
    }
  await reachable(page)
  await toggle.click()
  await expect(learning).toContainText('Next messages are read by rules alone.')
})
