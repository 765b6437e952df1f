import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from '@playwright/test'
import { createApp } from '../../src/main/app'
import { fillMemory } from '../core/formats/memories'
import { drop } from './drop'
import { expect, needsDemoModel, test } from './fixtures'
import type { AppPage } from './pages/app-page'
import { reachable } from './axe'

test.beforeEach(needsDemoModel)
test.use({
  shared: true,
  // A memory with everything in it, and an empty one beside it.
  seed: async ({}, use) =>
    use(async (dataPath) => {
      const app = await createApp({ dataPath, host: 'memory' })
      const { id } = await app.memories.create('Harbor')
      await fillMemory(await app.memories.open(id))
      await app.memories.create('Empty one')
      await app.dispose()
    }),
})

const shots = process.env['LOAM_SHOTS']

/** Holds that the screen can be used as it is now, in both themes and in a small window. */
async function usable(app: AppPage, name: string): Promise<void> {
  const { page } = app
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect.poll(() => app.theme()).toBe(colorScheme)
    await reachable(page)
    if (!shots) continue
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` })
    await page.setViewportSize({ width: 900, height: 700 })
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}-900.png` })
    await page.setViewportSize({ width: 1280, height: 800 })
  }
}

const choose = async (page: Page, box: string, option: RegExp): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`^${box}:`) }).click()
  await page.getByRole('menuitemradio', { name: option }).click()
}

test('a bundle is written, dropped into another memory with a preview, brought in and undone', async ({
  app,
}, info) => {
  const { page } = app
  await app.goTo('Memory')
  await app.chooseMemory(/^Harbor/)
  await page.getByRole('button', { name: 'Export…' }).click()
  const out = page.getByRole('dialog', { name: 'Export' })
  await choose(page, 'Format', /^Bundle/)
  // The preview says what there is; parts can be left out.
  await expect(out.getByRole('checkbox', { name: /^Lessons 3/ })).toBeChecked()
  await expect(out.getByText('With its history:')).toBeVisible()
  await out.getByRole('checkbox', { name: /^Attempts/ }).uncheck()
  await expect(out.getByText('In part: items without their history.')).toBeVisible()
  await expect(out.getByRole('checkbox', { name: /^Attempts 0.*not chosen/ })).toBeVisible()
  await out.getByRole('checkbox', { name: /^Attempts/ }).check()
  await out.getByRole('switch', { name: 'Sign it' }).click()
  await usable(app, 'export-bundle')
  const waiting = page.waitForEvent('download')
  await out.getByRole('button', { name: 'Save file' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('Harbor.loam')
  const bundle = join(info.outputDir, 'harbor.loam')
  await mkdir(dirname(bundle), { recursive: true })
  await writeFile(bundle, await readFile(await download.path()))

  // Into the memory itself: everything is there already.
  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByLabel('Files to import').setInputFiles(bundle)
  await expect(dialog).toContainText('This Loam signed it.')
  await expect(dialog.getByText(/^0 of \d+ rows would come in/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')

  // Dropped anywhere while the empty memory is open: a preview, then the whole history.
  await app.chooseMemory(/^Empty one/)
  await drop(page, bundle)
  await expect(dialog).toContainText('Its whole history comes in.')
  await usable(app, 'import-bundle')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toBeHidden()
  const count = async () => {
    await app.goTo('Memory')
    return page.getByRole('listbox', { name: 'Items' }).getByRole('option').count()
  }
  await expect.poll(count).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(count).toBe(0)
  await page.getByRole('button', { name: /^Jobs/ }).click()
  await expect(page.getByRole('dialog', { name: 'Jobs' })).toContainText(/Importing\s*Undone/)
})

test('rows that are skipped are named before anything comes in', { tag: '@long' }, async ({ app }) => {
  const { page } = app
  await app.goTo('Memory')
  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await usable(app, 'import-empty')
  const rows = 'id,kind,title,text\n1,note,One,The tide is high\n2,note,Two,The boat is red\n3,note,,\n'
  await dialog
    .getByLabel('Files to import')
    .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) })
  await expect(dialog.getByText('2 of 3 rows would come in')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: /^Notes 2 2 new/ })).toBeChecked()
  await dialog.getByText('1 row of 3 left out').click()
  await expect(dialog).toContainText('it has no text')
  await usable(app, 'import-rows')
  await dialog.getByRole('checkbox', { name: /^Notes/ }).uncheck()
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /^Notes/ }).check()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('2 of 3 rows read, 1 left out').first()).toBeVisible()
  // It can be undone later, too.
  await page.getByRole('button', { name: 'Import…' }).click()
  const before = dialog.getByRole('region', { name: 'Imported before' })
  await expect(before).toContainText('rows.csv')
  await before.getByRole('button', { name: 'Undo' }).click()
  await expect(before).toBeHidden()
})

test('a memory is served, says its configuration, answers a program with its key, and stops', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Connected programs')
  await page.getByRole('button', { name: 'Start serving' }).click()
  const served = page.getByRole('article', { name: 'Memory server' })
  await expect(served).toBeVisible()
  const url = (await served.locator('pre').first().textContent()) ?? ''
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  await expect(served.locator('pre').last()).toContainText('claude mcp add --transport http loam-memory')
  // The key stands nowhere until somebody asks to see it; what is copied is the text itself.
  await expect(served.locator('pre').last()).toContainText('Authorization: Bearer ••••')
  expect(/Bearer [\w-]/.test(await served.innerText())).toBe(false)
  await served.getByRole('button', { name: 'Show configuration for Claude Code' }).click()
  const key = /Bearer ([\w-]+)/.exec((await served.locator('pre').last().textContent()) ?? '')?.[1] ?? ''
  await served.getByRole('button', { name: 'Hide configuration for Claude Code' }).click()
  await expect(served).not.toContainText(key)
  const ask = (authorization: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'e2e', version: '1' },
        },
      }),
    })
  expect((await ask('Bearer wrong')).status).toBe(401)
  expect((await ask(`Bearer ${key}`)).status).toBe(200)

  // What a program asked, and what it was given, is listed under its name.
  const program = new Client({ name: 'web agent', version: '1.0.0' })
  const headers = { authorization: `Bearer ${key}` }
  await program.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  await program.callTool({ name: 'memory_search', arguments: { query: 'count the rows' } })
  await program.close()
  await served.getByText('1 request, the newest first').click()
  await expect(served.getByText(/^web agent, .*: search/)).toBeVisible()

  // A key for a program: shown once, listed without it, taken back.
  await page.getByLabel('Name', { exact: true }).fill('nightly-bot')
  await page.getByRole('button', { name: 'Give a key' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'nightly-bot' })).toContainText('shown this once')
  const keys = page.getByRole('list', { name: 'Keys' })
  await usable(app, 'share-server')
  await expect(keys.getByRole('listitem')).toHaveText(/nightly-bot.*read/)
  await page.getByRole('button', { name: 'Take the key of nightly-bot back' }).click()
  await expect(keys).toBeHidden()

  await served.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Nothing is served.')).toBeVisible()
  await expect(ask(`Bearer ${key}`)).rejects.toThrow()
})

test('a memory goes into folders of other tools as an archive', async ({ app }) => {
  const { page } = app
  await app.goTo('Memory')
  await page.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText('This memory holds nothing yet.')).toBeVisible()
  await choose(page, 'Memory to export', /^Harbor/)
  await choose(page, 'Format', /^Obsidian vault/)
  await usable(app, 'export-vault')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save file' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/-vault\.zip$/)
  expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
})
