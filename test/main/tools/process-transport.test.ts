import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'

const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor

afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
  vi.unstubAllEnvs()
})

it.skipIf(process.platform === 'win32')(
  'starts npx and other .cmd files on Windows through its command interpreter, safely quoted',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-cmd-'))
    const interpreter = join(folder, 'cmd.sh')
    await writeFile(interpreter, `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(folder, 'said')}\nexec cat\n`)
    await chmod(interpreter, 0o755)
    await writeFile(join(folder, 'npx.cmd'), '')
    await chmod(join(folder, 'npx.cmd'), 0o755)
    vi.stubEnv('PATH', folder)
    vi.stubEnv('PATHEXT', '.EXE;.CMD;.cmd')
    vi.stubEnv('comspec', interpreter)
    vi.resetModules()
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
    const { ProcessTransport } = await import('../../../src/main/mcp/process-transport')
    const transport = new ProcessTransport({
      command: 'npx',
      args: ['-y', 'a server & more'],
      env: { PATH: '/bin:/usr/bin' },
    })
    await transport.start()
    await expect.poll(() => readFile(join(folder, 'said'), 'utf8').catch(() => '')).toContain('npx')
    const said = await readFile(join(folder, 'said'), 'utf8')
    Object.defineProperty(process, 'platform', platform)
    await transport.close()
    expect(said.split('\n').slice(0, 3)).toEqual(['/d', '/s', '/c'])
    expect(said).toMatch(/npx(\.cmd)? \^+"-y\^+" \^+"a\^+ server\^+ \^+&\^+ more\^+"/i)
  },
)
