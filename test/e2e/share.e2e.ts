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
import { reachable } from './reachable'

test.beforeEach(needsDemoModel)
test.use({
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

const part = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click()
const choose = async (page: Page, box: string, option: RegExp): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`^${box}:`) }).click()
  await page.getByRole('menuitemradio', { name: option }).click()
}

test('a bundle is written, dropped into another memory with a preview, brought in and taken back', async ({
  app,
}, info) => {
  const { page } = app
  await app.goTo('Share')
  await choose(page, 'Memory to export', /^Harbor/)
  await part(page, 'Bundles')
  // The preview says what there is; parts can be left out.
  await expect(page.getByRole('checkbox', { name: /^Lessons 3/ })).toBeChecked()
  await expect(page.getByText('Everything, with its history')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Attempts/ }).uncheck()
  await expect(page.getByText('In part: items without their history.')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Attempts/ }).check()
  await page.getByRole('switch', { name: 'Sign it' }).click()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the bundle' }).click()
  const bundle = join(info.outputDir, 'harbor.loam.zip')
  await mkdir(dirname(bundle), { recursive: true })
  await writeFile(bundle, await readFile(await (await waiting).path()))

  // Into the memory itself: everything is there already.
  const plan = page.getByRole('region', { name: 'What it would do' })
  await page.getByLabel('Bundle file').setInputFiles(bundle)
  await expect(plan).toContainText('signed by')
  await expect(plan).toContainText(/0 of \d+ rows would come in/)
  await expect(plan.getByRole('button', { name: 'Bring it in' })).toBeDisabled()
  await plan.getByRole('button', { name: 'Leave it' }).click()

  // Dropped while the empty memory is open: a preview, then the whole history.
  await choose(page, 'Memory to export', /^Empty one/)
  await expect(page.getByRole('checkbox', { name: /^Lessons 0/ })).toBeVisible()
  const zone = page.getByRole('group', { name: 'Bundle to read' })
  await zone.scrollIntoViewIfNeeded()
  await drop(page, bundle, zone)
  await expect(plan).toContainText('Its whole history comes in.')
  await usable(app, 'share-bundle')
  await plan.getByRole('button', { name: 'Bring it in' }).click()
  await expect(page.getByRole('checkbox', { name: /^Lessons 3/ })).toBeVisible()
  await page.getByRole('button', { name: 'Take the last import back' }).click()
  await expect(page.getByRole('checkbox', { name: /^Lessons 0/ })).toBeVisible()
})

test('a memory is served, says its configuration, answers a program with its key, and stops', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Share')
  await part(page, 'Servers')
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
  await app.goTo('Share')
  await choose(page, 'Format', /^Obsidian vault/)
  await usable(app, 'share-export')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/-vault\.zip$/)
  expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
})
