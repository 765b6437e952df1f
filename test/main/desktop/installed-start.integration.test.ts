import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startDesktop } from '../../electron-stand-in/start-desktop'
import { addressOpened, endHostOf, startInstalled } from '../../electron-stand-in/start-installed'
import { connectTo } from '../headless-process'
import { TORTURE } from '../../torture'

const root = join(import.meta.dirname, '../../..')
const isBuilt = existsSync(join(root, 'out/main/desktop/watch-start.js'))

describe.skipIf(process.platform !== 'linux' || !isBuilt)('an installed Loam, in the stand-in', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loam-installed-'))
  })
  afterEach(async () => {
    await endHostOf(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  it.each((['SIGSEGV', 'SIGKILL'] as const).slice(0, TORTURE ? 2 : 1))(
    'that is ended by %s before its window opens the browser with the reason',
    async (how) => {
      expect(await startInstalled(root, folder, how)).toBe(how)
      const { client } = await connectTo(await addressOpened(folder))
      expect((await client.app.info()).windowless).toContain('ended before its window appeared')
      // Nothing of the start is left behind.
      expect(readdirSync(folder).filter((name) => name.startsWith('loam-start-'))).toEqual([])
    },
  )

  it('that cannot do what it was started with says so on the screen', async () => {
    vi.stubEnv('STAND_IN_PACKAGED', '1')
    const gone = join(folder, 'gone.loam')
    const { news, ended } = startDesktop('--data', join(folder, 'data'), gone)
    vi.unstubAllEnvs()
    expect((await ended).code).toBe(2)
    expect(news).toContainEqual(
      expect.objectContaining({ kind: 'error-box', content: expect.stringContaining(gone) as unknown }),
    )
  })
})
