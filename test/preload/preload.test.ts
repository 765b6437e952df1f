import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import {
  COMMAND_CHOSEN,
  COMMANDS_WANTED,
  PATHS_DROPPED,
  PORT_CHANNEL,
  PORT_OFFER,
  PORT_REQUEST,
} from '../../src/shared/port-handshake'

const folder = resolve(import.meta.dirname, '../../out/preload')
const built = existsSync(join(folder, 'index.cjs'))

interface Page {
  readonly posted: { message: unknown; origin: string; ports: unknown[] }[]
  readonly sent: { channel: string; message: unknown; ports: unknown[] }[]
  readonly required: string[]
  readonly keys: string[]
  say(event: { source?: unknown; origin?: string; data: unknown }): void
  /** Chosen in the window's menu. */
  choose(command: string): void
  drop(event: { isTrusted: boolean; dataTransfer: { files: { at: string }[] } | null }): void
}

/** Runs the built script as a sandboxed preload would: only `require('electron')`, a window, no Node. */
function runPreload(): Page {
  const listeners = new Map<string, ((event: unknown) => void)[]>()
  const commands: ((event: unknown, command: unknown) => void)[] = []
  const page = { posted: [], sent: [], required: [] } as unknown as Page & {
    posted: unknown[]
    sent: unknown[]
  }
  const window: Record<string, unknown> = {
    location: { origin: 'app://loam' },
    addEventListener: (name: string, listener: (event: unknown) => void) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    postMessage: (message: unknown, origin: string, ports: unknown[]) =>
      page.posted.push({ message, origin, ports } as never),
  }
  const before = Object.keys(window)
  const ipcRenderer = {
    on: (_channel: string, listener: (event: unknown, command: unknown) => void) => commands.push(listener),
    postMessage: (channel: string, message: unknown, ports: unknown[]) =>
      page.sent.push({ channel, message, ports } as never),
  }
  const require = (name: string) => {
    page.required.push(name)
    return { ipcRenderer, webUtils: { getPathForFile: (file: { at: string }) => file.at } }
  }
  runInNewContext(readFileSync(join(folder, 'index.cjs'), 'utf8'), {
    window,
    require,
    MessageChannel,
    module: {},
    exports: {},
  })
  return {
    ...page,
    keys: Object.keys(window).filter((key) => !before.includes(key)),
    say: (event) => {
      for (const hear of listeners.get('message') ?? [])
        hear({ source: window, origin: 'app://loam', ...event })
    },
    drop(event) {
      for (const hear of listeners.get('drop') ?? []) hear(event)
    },
    choose(command) {
      for (const hear of commands) hear({}, command)
    },
  }
}

describe.skipIf(!built)('the built preload script (skipped until there is a build in out/)', () => {
  it('is one CommonJS file that requires only electron', () => {
    expect(readdirSync(folder).filter((name) => !name.endsWith('.map'))).toEqual(['index.cjs'])
    expect(runPreload().required).toEqual(['electron'])
  })

  it('adds nothing to the window', () => {
    expect(runPreload().keys).toEqual([])
    expect(readFileSync(join(folder, 'index.cjs'), 'utf8')).not.toContain('exposeInMainWorld')
  })

  it('keeps what was chosen in the menu until the page listens', () => {
    const page = runPreload()
    page.choose('new-ask')
    expect(page.posted).toEqual([])
    page.say({ data: COMMANDS_WANTED })
    page.choose('settings')
    expect(page.posted.map(({ message }) => message)).toEqual([
      { kind: COMMAND_CHOSEN, command: 'new-ask' },
      { kind: COMMAND_CHOSEN, command: 'settings' },
    ])
  })

  it('hands out one end of a channel and sends the other to the main process', () => {
    const page = runPreload()
    page.say({ data: PORT_REQUEST })
    expect(page.sent).toMatchObject([{ channel: PORT_CHANNEL, message: null }])
    expect(page.posted).toMatchObject([{ message: PORT_OFFER, origin: 'app://loam' }])
    for (const { ports } of [...page.sent, ...page.posted]) {
      expect(ports).toHaveLength(1)
      ;(ports[0] as { close(): void }).close()
    }
  })

  it('tells the page where files lie that a person dropped, and of no others', () => {
    const page = runPreload()
    const files = [{ at: '/models/a.gguf' }, { at: '' }]
    page.drop({ isTrusted: true, dataTransfer: { files } })
    expect(page.posted.map(({ message, origin }) => [message, origin])).toEqual([
      [{ kind: PATHS_DROPPED, paths: ['/models/a.gguf'] }, 'app://loam'],
    ])
    for (const event of [
      { isTrusted: false, dataTransfer: { files } },
      { isTrusted: true, dataTransfer: { files: [{ at: '' }] } },
      { isTrusted: true, dataTransfer: null },
    ])
      page.drop(event)
    expect(page.posted).toHaveLength(1)
    expect(page.sent).toEqual([])
  })

  it.each([
    ['other messages', { data: 'something else' }],
    ['other windows', { data: PORT_REQUEST, source: {} }],
    ['other origins', { data: PORT_REQUEST, origin: 'https://example.com' }],
  ])('ignores %s', (_name, event) => {
    const page = runPreload()
    page.say(event)
    expect([page.sent, page.posted]).toEqual([[], []])
  })
})
