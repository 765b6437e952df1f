import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HeadlessProcess } from './headless-process'
import { childrenOf, connectTo, isBuilt, isRunning, startHeadless } from './headless-process'

const SHARED_MODELS = resolve(import.meta.dirname, '../../../shared/models')

describe.skipIf(!isBuilt)('the headless host as a process (skipped until there is a build in out/)', () => {
  let data: string
  let started: HeadlessProcess[]

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'loam-host-'))
    started = []
  })
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    rmSync(data, { recursive: true, force: true })
  })

  const start = (...args: string[]) => {
    const host = startHeadless(data, ...args)
    started.push(host)
    return host
  }

  it('prints its address and why there is no window, answers, and stops in good order', async () => {
    const { url, child, ended } = start('--why', 'this machine has no display')
    const { client, closed } = await connectTo(await url)
    expect(await client.app.info()).toMatchObject({
      host: 'headless',
      windowless: 'this machine has no display',
    })
    child.kill('SIGTERM')
    await closed
    const { code, out, err } = await ended
    expect(out).toContain('because this machine has no display')
    if (process.platform !== 'win32') expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it.skipIf(process.platform !== 'linux')(
    'leaves no process behind when it is stopped in the middle of a run',
    async (context) => {
      const { url, child, ended } = start()
      const { client } = await connectTo(await url)
      await client.app.saveSettings({ modelFolders: [SHARED_MODELS] })
      const model = (await client.models.list()).find(({ problem }) => problem === null)
      if (!model) return context.skip('there is no model, neither in models/ nor in ../shared/models')
      await client.runs.start({ stream: 'house-rules-a', method: 'none', model: model.path })
      const host = child.pid ?? 0
      await expect.poll(() => childrenOf(host).length, { timeout: 60_000 }).toBeGreaterThan(0)
      const children = childrenOf(host)
      child.kill('SIGINT')
      expect((await ended).code).toBe(0)
      await expect.poll(() => children.filter(isRunning), { timeout: 10_000 }).toEqual([])
    },
  )

  it('refuses a data folder that another Loam uses', async () => {
    const first = start()
    await first.url
    const { code, err } = await start().ended
    expect(code).toBe(1)
    expect(err).toContain('Another Loam is using this data folder')
  })

  it('says what is wrong with its arguments', async () => {
    const { code, err } = await start('--port', 'x').ended
    expect(code).toBe(2)
    expect(err).toContain('x is not a port')
  })
})
