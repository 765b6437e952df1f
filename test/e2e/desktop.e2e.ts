import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { _electron, expect, test } from '@playwright/test'

const root = resolve(import.meta.dirname, '../..')
const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
const pathFile = join(folder, 'path.txt')
const program = existsSync(pathFile) ? join(folder, 'dist', readFileSync(pathFile, 'utf8').trim()) : null
const hasProgram = program !== null && existsSync(program)
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

test.describe('the desktop window', () => {
  test.skip(!hasProgram, 'Electron’s program is not installed (npx install-electron fetches it)')
  test.skip(!hasDisplay, 'this machine has no display')

  test('shows the interface over its own scheme, without Node, and stops in good order', async () => {
    const data = mkdtempSync(join(tmpdir(), 'loam-desktop-'))
    const app = await _electron.launch({
      args: [root, '--data', data, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
    try {
      const page = await app.firstWindow()
      await expect(page.getByRole('heading', { name: 'What is to be done?' })).toBeVisible()
      expect(page.url()).toBe('app://loam/')
      const reachable = await page.evaluate(() => ({
        node: typeof Reflect.get(globalThis, 'process') + typeof Reflect.get(globalThis, 'require'),
        opened: window.open('https://example.com') !== null,
      }))
      expect(reachable).toEqual({ node: 'undefinedundefined', opened: false })
      expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
    } finally {
      await app.close()
      rmSync(data, { recursive: true, force: true })
    }
  })
})
