import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { browserCommand, canOpenBrowser } from '../../src/main/open-browser'
import { readStartOptions } from '../../src/main/start-options'

describe('readStartOptions', () => {
  it('has defaults', () => {
    expect(readStartOptions([])).toMatchObject({ data: undefined, port: 0, open: true })
  })

  it('reads links beside files, and takes one that it does not understand for no file', () => {
    const { files, links } = readStartOptions(['loam://ask?text=a', 'package.json', 'LOAM://x'], 'window')
    expect(files).toHaveLength(1)
    expect(links).toEqual([{ kind: 'ask', text: 'a' }, { kind: 'refused' }])
  })

  it('reads every option', () => {
    const args = ['--headless', '--port', '4321', '--no-open', '--data', 'somewhere', '--why', 'no display']
    expect(readStartOptions(args)).toEqual({
      ...{ data: 'somewhere', port: 4321, open: false, why: 'no display' },
      ...{ files: [], links: [], said: undefined, untilLeft: false, newAsk: false },
    })
  })

  it.each([[['--port', 'x']], [['--port', '70000']], [['--port', '1.5']], [['--prot', '1']], [['stray']]])(
    'says BAD_INPUT for %j',
    (args) => {
      expect(() => readStartOptions(args)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    },
  )

  it('begins with an empty ask in a window alone', () => {
    expect(readStartOptions(['--new-ask'], 'window').newAsk).toBe(true)
    expect(() => readStartOptions(['--new-ask'])).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
  })

  it('takes files that are there as files to open', () => {
    expect(readStartOptions(['package.json', '--no-open'], 'window').files).toEqual([resolve('package.json')])
  })

  it('takes files by their address, as a desktop on Linux gives those that are opened', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loam start '))
    const file = join(folder, 'käse 100%.loam')
    writeFileSync(file, '')
    expect(readStartOptions([pathToFileURL(file).href], 'window').files).toEqual([file])
    rmSync(folder, { recursive: true })
    for (const address of [pathToFileURL(file).href, 'file://elsewhere/a.loam', 'file:///%zz'])
      expect(() => readStartOptions([address])).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
  })

  it('lets Chromium’s own switches pass in the desktop app', () => {
    expect(readStartOptions(['--no-sandbox', '--enable-features=X', '--data', 'd'], 'window').data).toBe('d')
  })

  it.each(['page', 'window'] as const)('refuses what it does not know (%s)', (mode) => {
    for (const args of [['--prot', '1'], ['stray'], ['--no-sandboxx']]) {
      expect(() => readStartOptions(args, mode)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    }
  })
})

describe('canOpenBrowser', () => {
  it.each([
    ['darwin', {}, true, true],
    ['win32', {}, true, true],
    ['linux', { DISPLAY: ':0' }, true, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true, true],
    ['linux', {}, true, false],
    ['darwin', {}, false, false],
    ['darwin', { CI: '1' }, true, false],
    ['linux', { DISPLAY: ':0', SSH_CONNECTION: 'x' }, true, false],
  ] as const)('on %s with %j and terminal %s: %s', (platform, env, terminal, expected) => {
    expect(canOpenBrowser(platform, env, terminal)).toBe(expected)
  })
})

describe('browserCommand', () => {
  it.each(['linux', 'darwin', 'win32'] as const)(
    'hands the address over whole and without a shell on %s',
    (platform) => {
      const [, args] = browserCommand('http://127.0.0.1:1/#token=a-b_c', platform)
      expect(args.at(-1)).toBe('http://127.0.0.1:1/#token=a-b_c')
    },
  )
})
