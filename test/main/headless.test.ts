import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dialSocket, exchangeToken } from '../../src/renderer/connection/dial-socket'
import type { LoamClient } from '../../src/renderer/client-type'
import { createCookieBrowser, tokenOf } from '../contract/hosts'

const root = resolve(import.meta.dirname, '../..')
const entry = join(root, 'out/main/headless.js')
const built = existsSync(entry) && existsSync(join(root, 'out/renderer/index.html'))

interface Running {
  readonly child: ChildProcess
  readonly url: Promise<string>
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

describe.skipIf(!built)('the headless host as a process (skipped until there is a build in out/)', () => {
  let data: string
  let started: Running[]

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'loam-host-'))
    started = []
  })
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    rmSync(data, { recursive: true, force: true })
  })

  function start(...args: string[]): Running {
    const child = spawn(process.execPath, [entry, '--data', data, '--no-open', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    const url = new Promise<string>((found) => {
      child.stdout.on('data', (chunk) => {
        out += String(chunk)
        const match = /http:\/\/\S+\s/.exec(out)
        if (match) found(match[0].trim())
      })
    })
    child.stderr.on('data', (chunk) => (err += String(chunk)))
    const ended = new Promise<{ code: number | null; out: string; err: string }>((done) => {
      child.on('close', (code) => done({ code, out, err }))
    })
    const running = { child, url, ended }
    started.push(running)
    return running
  }

  it('prints its address and why there is no window, answers, and stops in good order', async () => {
    const { url, child, ended } = start('--why', 'this machine has no display')
    const browser = createCookieBrowser(await url)
    await exchangeToken(tokenOf(await url), browser)
    const { link, closed } = await dialSocket(browser)
    const client: LoamClient = createORPCClient(link)
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
