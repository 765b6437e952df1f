import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { AppPage } from './pages/app-page'

const root = join(import.meta.dirname, '..', '..')
/** What a development server needs of the repository. */
const PARTS = [
  ...['src', 'scripts', 'resources', 'package.json', 'package-lock.json'],
  ...[
    'electron.vite.config.ts',
    'tsconfig.base.json',
    'models/registry.json',
    'models/loam-encoder.bin',
    'models/loam-telling.bin',
  ],
]
const ADDRESS = /for development: (\S+)/

const changeText = async (path: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path, 'utf8')
  expect(text).toContain(from)
  await writeFile(path, text.replace(from, to))
}

/** What the child prints, and a promise of the first match. */
function listen(child: ChildProcess) {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return {
    said: () => said,
    match: async (pattern: RegExp): Promise<RegExpExecArray> => {
      await expect.poll(() => said, { timeout: 120_000 }).toMatch(pattern)
      return pattern.exec(said) as RegExpExecArray
    },
  }
}

test(
  'a changed window is shown without a reload, and a changed host is started anew and joined',
  { tag: '@long' },
  async ({ page }) => {
    const copy = await mkdtemp(join(tmpdir(), 'loam-dev-'))
    for (const part of PARTS) await cp(join(root, part), join(copy, part), { recursive: true })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    const data = join(copy, 'data')
    const child = spawn(process.execPath, ['scripts/dev.mjs', '--data', data], { cwd: copy })
    const output = listen(child)
    try {
      const [, address = ''] = await output.match(ADDRESS)
      await page.goto(address)
      await expect(page.getByRole('button', { name: /demo/i }).first()).toBeVisible()
      await new AppPage(page).goTo('Task streams')
      await expect(page.getByRole('button', { name: 'Generate a world' })).toBeVisible()

      await page.evaluate(() => void (document.body.dataset['kept'] = 'yes'))
      const component = join(copy, 'src/renderer/features/streams/generate-stream.tsx')
      await changeText(component, 'Generate a world', 'Make a world')
      await expect(page.getByRole('button', { name: 'Make a world' })).toBeVisible()
      expect(await page.evaluate(() => document.body.dataset['kept'])).toBe('yes')

      await changeText(
        join(copy, 'src/main/headless.ts'),
        'main(readStart',
        'main(readStart'.replace('m', ' m'),
      )
      await output.match(/The host was started anew/)
      // While the page is loaded anew there is nothing to ask.
      const mark = () => page.evaluate(() => document.body.dataset['kept'] ?? 'gone').catch(() => 'loading')
      await expect.poll(mark).toBe('gone')
      await new AppPage(page).goTo('Task streams')
      await expect(page.getByRole('button', { name: 'Make a world' })).toBeVisible()
    } finally {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
      // No host outlives the server: the last one let go of its data folder.
      expect(existsSync(join(data, 'lock'))).toBe(false)
      await rm(copy, { recursive: true, force: true })
    }
  },
)
