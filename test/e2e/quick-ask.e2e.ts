import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { type Desktop, isBuilt, startDesktop } from '../electron-stand-in/start-desktop'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { AppPage } from './pages/app-page'
import { useServedModel } from './served-model'

// Pages of the stand-in belong to its own browser, which may be gone when a trace is put together.
test.use({ trace: 'off', screenshot: 'off' })

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const LONG = { timeout: 30_000 }

/** Answers in two parts; the second one comes once the test lets go. */
function createClerk() {
  let letGo = (): void => undefined
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  const model: LanguageModel = {
    name: 'clerk',
    path: 'clerk',
    contextSize: 8192,
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    async generate({ messages }, { onToken } = {}) {
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
      if (!asked.includes('tides')) {
        onToken?.('Yes.')
        return { text: 'Yes.', usage, finish: 'end' }
      }
      onToken?.('The tide is **high** at six')
      await gate
      onToken?.(' and low at noon.')
      return { text: 'The tide is **high** at six and low at noon.', usage, finish: 'end' }
    },
  }
  return { model, letGo }
}

const shots = process.env['LOAM_SHOTS']
/** A picture in both themes as large as the small window, where a folder for them is named. */
async function shootSmall(page: Page, name: string, height: number): Promise<void> {
  if (shots === undefined) return
  await page.setViewportSize({ width: 680, height })
  for (const theme of ['light', 'dark']) {
    await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(shots, `${name}-${theme}.png`) })
  }
}

/** Asks something in the main window, so that who answered is who answers next. */
async function askFirst(page: Page, url: string): Promise<void> {
  await useServedModel(page, 'clerk', url)
  await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Are you there?')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('region', { name: 'The open ask' }).getByRole('region', { name: 'The answer' }),
  ).toContainText('Yes.', LONG)
}

test('a quick ask: without a model it says so; else one line, the answer as it is written, kept only when one says so', async ({
  app,
  context,
}) => {
  const { model, letGo } = createClerk()
  const server = await startModelServer('clerk', model)
  try {
    const page = await context.newPage()
    const small = new AppPage(page)
    await page.setViewportSize({ width: 680, height: 460 })
    await page.goto(`${new URL(app.page.url()).origin}/#/quick`)
    const line = page.getByRole('textbox', { name: 'Ask something' })
    await expect(line).toBeFocused()
    await expect(page.getByText('No model that answers everyday asks is here yet')).toBeVisible()
    await line.fill('When are the tides?')
    await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeDisabled()
    await shootSmall(page, 'quick-none', 460)
    await page.getByRole('button', { name: 'Open Loam' }).click()
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()

    await askFirst(app.page, server.url)
    await page.evaluate(() => (window.location.hash = '#/quick'))
    await expect(line).toBeFocused()
    await expect(page.getByText('clerk answers')).toBeVisible()
    await expect(page.getByText('Not kept')).toBeVisible()
    await shootSmall(page, 'quick-line', 116)
    await page.setViewportSize({ width: 680, height: 460 })
    await line.fill('When are the tides?')
    await line.press('Enter')
    // As it is written, before it is whole.
    await expect(page.getByRole('region', { name: 'What it is doing' })).toContainText(
      'The tide is high at six',
      LONG,
    )
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    letGo()
    const answer = page.getByRole('region', { name: 'The answer' })
    await expect(answer).toContainText('The tide is high at six and low at noon.', LONG)
    await expect(answer).toContainText('Nothing in memory fitted.')
    await shootSmall(page, 'quick-answer', 460)
    for (const theme of ['light', 'dark']) {
      await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
      expect(await violations(page, `quick ask, ${theme}`)).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)

    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy answer' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('The tide is **high** at six and low at noon.')

    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open).toContainText('Temporary: gone when Loam closes')
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('low at noon')
    // Kept from the small page, it is an ask like any other.
    await page.goBack()
    await line.fill('When are the tides again?')
    await line.press('Enter')
    await page.getByRole('button', { name: 'Keep', exact: true }).click(LONG)
    await expect(page.getByText('Kept in Ask')).toBeVisible()
    await page.getByRole('button', { name: /Open in Loam/ }).click()
    await expect(open).toContainText('When are the tides again?')
    await expect(open).not.toContainText('Temporary')
    await page.goBack()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
    expect(small.complaints).toEqual([])
  } finally {
    letGo()
    await server.close()
  }
})

test.describe('in the stand-in for Electron', () => {
  test.skip(!isBuilt, 'there is no build in out/')
  let folder: string
  let desktop: Desktop
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-quick-'))
  })
  test.afterEach(async () => {
    desktop.child.kill('SIGKILL')
    await desktop.ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  test('the keys bring up a small window; Escape hides it; it leads to the main one, and does not outlive it', async () => {
    const { model, letGo } = createClerk()
    letGo()
    const server = await startModelServer('clerk', model)
    try {
      desktop = startDesktop('--data', join(folder, 'loam'))
      await desktop.heard(({ kind }) => kind === 'shown')
      const main = await desktop.page()
      const app = new AppPage(main)
      await askFirst(main, server.url)
      await app.goTo('Settings')
      const keys = main.getByRole('textbox', { name: 'Keys for a quick ask' })
      await keys.fill('Control+Shift+Space')
      await keys.press('Enter')
      await desktop.heard((news) => news.kind === 'system' && news.what === 'shortcut')

      desktop.order('press-shortcut')
      await desktop.heard((news) => news.kind === 'shown' && news.window === 2)
      await desktop.heard((news) => news.kind === 'loaded' && news.window === 2)
      // Chromium tells of a page a moment after it was loaded.
      let small = main
      await expect.poll(async () => (small = await desktop.page()) !== main).toBe(true)
      const line = small.getByRole('textbox', { name: 'Ask something' })
      await line.fill('When are the tides?')
      await line.press('Enter')
      await expect(small.getByRole('region', { name: 'The answer' })).toContainText('low at noon', LONG)
      const sizes = () =>
        desktop.news.flatMap((news) => (news.kind === 'system' && news.what === 'size' ? [news.words] : []))
      await expect.poll(() => sizes().at(-1)).toEqual([680, 460])
      await line.press('Escape')
      await desktop.heard(({ kind }) => kind === 'hidden')
      // What was answered is still there when it comes up again.
      desktop.order('press-shortcut')
      await expect
        .poll(() => desktop.news.filter((news) => news.kind === 'shown' && news.window === 2).length)
        .toBe(2)
      await expect(small.getByRole('region', { name: 'The answer' })).toContainText('low at noon')
      await line.press('Control+Enter')
      const open = main.getByRole('region', { name: 'The open ask' })
      await expect(open).toContainText('Temporary: gone when Loam closes')
      await expect(open.getByRole('region', { name: 'The answer' })).toContainText('low at noon')
      expect(desktop.news.filter(({ kind }) => kind === 'hidden')).toHaveLength(2)
      // It is hidden and still there; Loam ends with its main window all the same.
      desktop.order('close-window')
      expect((await desktop.ended).code).toBe(0)
    } finally {
      await server.close()
    }
  })
})
