import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type BuiltServer } from './built-server'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.skipIf(!existsSync(resolve('out/main/mcp/index.js')))(
  'the shell of the code server (needs a build)',
  () => {
    let folder: string
    let server: BuiltServer
    const shell = (script: string) => server.call('run_shell', { script })
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'loam-shell-'))
      await writeFile(join(folder, 'rows.csv'), 'name,units\na,3\nb,4\n')
      server = await startServer('code', '--root', folder, '--time-limit', '5')
    })
    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    })

    it('works on the files of the task, beside Python, and keeps what it writes', async () => {
      expect(await shell("awk -F, 'NR>1 {s+=$2} END {print s}' rows.csv")).toEqual({
        text: '7',
        failed: false,
      })
      expect((await shell('mkdir -p out && sort -r rows.csv | head -1 > out/top.txt')).text).toBe(
        '[wrote out/top.txt]',
      )
      expect(await readFile(join(folder, 'out', 'top.txt'), 'utf8')).toBe('name,units\n')
      expect((await server.call('run_python', { code: "open('out/top.txt').read()" })).text).toContain(
        'name,units',
      )
      await server.call('write_file', { path: 'new.txt', text: 'fresh' })
      expect((await shell('cat new.txt; rm rows.csv; ls')).text).toContain('fresh')
      expect(existsSync(join(folder, 'rows.csv'))).toBe(false)
    })

    it('says the exit code, and reaches nothing of the computer', async () => {
      expect(await shell('cat nothing.txt')).toMatchObject({
        failed: true,
        text: expect.stringMatching(/exit code 1/) as string,
      })
      for (const script of [
        'cat /etc/shadow',
        `cat ${join(process.cwd(), 'package.json')}`,
        'curl http://127.0.0.1:1',
        'node -e 1',
      ])
        expect((await shell(script)).failed, script).toBe(true)
      const endless = await shell('while true; do :; done')
      expect(endless.failed).toBe(true)
      expect((await shell('echo on')).text).toBe('on')
    })
  },
)
