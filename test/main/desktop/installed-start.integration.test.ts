import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectTo } from '../headless-process'

const root = join(import.meta.dirname, '../../..')
const standIn = join(root, 'test/electron-stand-in')
const isBuilt = existsSync(join(root, 'out/main/desktop/watch-start.js'))

describe.skipIf(process.platform !== 'linux' || !isBuilt)('an installed Loam, in the stand-in', () => {
  let folder = ''
  afterEach(async () => {
    // The host of the browser was let go by who started it.
    const lock = join(folder, 'data/host.json')
    if (existsSync(lock)) {
      const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }
      process.kill(pid)
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow())
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Starts the built entry as Electron starts an installed one, and ends it by `how`. Answers how it ended. */
  function start(how: NodeJS.Signals): Promise<string | number | null> {
    folder = mkdtempSync(join(tmpdir(), 'loam-installed-'))
    const opener = join(folder, 'xdg-open')
    writeFileSync(
      opener,
      `#!/bin/sh\necho "$1" > "${folder}/address.part"\nmv "${folder}/address.part" "${folder}/address"\n`,
    )
    chmodSync(opener, 0o755)
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...{ STAND_IN_PACKAGED: '1', STAND_IN_CRASH: how, DISPLAY: ':7', TMPDIR: folder },
      ...{ CI: '', SSH_CONNECTION: '', PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    }
    const args = [
      '--import',
      'tsx',
      '--import',
      join(standIn, 'register.mjs'),
      join(standIn, 'boot.ts'),
      root,
    ]
    const child = spawn(process.execPath, [...args, '--data', join(folder, 'data')], {
      cwd: root,
      stdio: 'ignore',
      env,
    })
    return new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)))
  }

  it.each(['SIGSEGV', 'SIGKILL'] as const)(
    'that is ended by %s before its window opens the browser with the reason',
    async (how) => {
      expect(await start(how)).toBe(how)
      await vi.waitFor(() => expect(existsSync(join(folder, 'address'))).toBe(true), 60_000)
      const { client } = await connectTo(readFileSync(join(folder, 'address'), 'utf8').trim())
      expect((await client.app.info()).windowless).toContain('ended before its window appeared')
      // Nothing of the start is left behind.
      expect(readdirSync(folder).filter((name) => name.startsWith('loam-start-'))).toEqual([])
    },
  )
})
