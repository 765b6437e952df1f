import type { Session, WebContents } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { guardContents, guardSession, isOwnSender } from '../../../src/main/desktop/window-guards'

/** Catches what a guard registers, under the name it registers it. */
function recorder() {
  const handlers = new Map<string, (...args: never[]) => unknown>()
  const keep = (name: string) => (handler: (...args: never[]) => unknown) => void handlers.set(name, handler)
  const call = (name: string, ...args: unknown[]) => {
    const handler = handlers.get(name)
    if (!handler) throw new Error(`nothing handles ${name}`)
    return handler(...(args as never[]))
  }
  return { handlers, keep, call }
}

describe('guardContents', () => {
  const { handlers, keep, call } = recorder()
  const openLink = vi.fn()
  guardContents(
    {
      on: (name: string, handler: (...args: never[]) => unknown) => void handlers.set(name, handler),
      setWindowOpenHandler: keep('window-open'),
    } as unknown as WebContents,
    openLink,
  )
  const prevented = (name: string, details: object) => {
    const preventDefault = vi.fn()
    call(name, { ...details, preventDefault })
    return preventDefault.mock.calls.length > 0
  }

  it.each(['will-navigate', 'will-redirect'])('lets %s lead only to the page itself', (name) => {
    expect(prevented(name, { url: 'app://loam/' })).toBe(false)
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'app://other/']) {
      expect(prevented(name, { url })).toBe(true)
    }
  })

  it('denies frames, webviews and new windows', () => {
    expect(prevented('will-frame-navigate', { url: 'app://loam/', isMainFrame: false })).toBe(true)
    expect(prevented('will-frame-navigate', { url: 'app://loam/', isMainFrame: true })).toBe(false)
    expect(prevented('will-attach-webview', {})).toBe(true)
    expect(call('window-open', { url: 'https://example.com' })).toEqual({ action: 'deny' })
    expect(call('window-open', { url: 'app://loam/' })).toEqual({ action: 'deny' })
    expect(openLink.mock.calls).toEqual([['https://example.com'], ['app://loam/']])
  })
})

describe('guardSession', () => {
  const { keep, call } = recorder()
  guardSession({
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    webRequest: { onBeforeRequest: keep('before-request') },
  } as unknown as Session)
  const page = (url: string) => ({ getURL: () => url })

  it.each(['media', 'geolocation', 'clipboard-read', 'openExternal', 'fileSystem', 'made-up'])(
    'denies %s',
    (permission) => {
      const answer = vi.fn()
      call('request', page('app://loam/'), permission, answer)
      expect(answer).toHaveBeenCalledWith(false)
      expect(call('check', page('app://loam/'), permission)).toBe(false)
    },
  )

  it('lets our own page copy text, and nobody else', () => {
    expect(call('check', page('app://loam/'), 'clipboard-sanitized-write')).toBe(true)
    expect(call('check', page('https://example.com/'), 'clipboard-sanitized-write')).toBe(false)
    expect(call('check', null, 'clipboard-sanitized-write')).toBe(false)
    expect(call('device', {})).toBe(false)
  })

  it('lets our own page say when work is done, which Electron asks about by the origin alone', () => {
    const answer = vi.fn()
    call('request', page('app://loam/'), 'notifications', answer)
    call('request', page('https://example.com/'), 'notifications', answer)
    expect(answer.mock.calls).toEqual([[true], [false]])
    expect(call('check', null, 'notifications', 'app://loam')).toBe(true)
    expect(call('check', null, 'notifications', 'https://example.com')).toBe(false)
    expect(call('check', null, 'geolocation', 'app://loam')).toBe(false)
  })

  it.each([
    ['app://loam/assets/a.js', false],
    ['https://example.com/', true],
    ['http://127.0.0.1:4000/', true],
    ['ws://127.0.0.1:4000/rpc', true],
    ['file:///etc/passwd', true],
    ['app://other/', true],
  ])('answers a request for %s with cancel: %s', (url, cancel) => {
    const answer = vi.fn()
    call('before-request', { url }, answer)
    expect(answer).toHaveBeenCalledWith({ cancel })
  })
})

describe('isOwnSender', () => {
  const frame = { url: 'app://loam/' }
  it('takes only the main frame of our own page', () => {
    expect(isOwnSender({ senderFrame: frame, sender: { mainFrame: frame } })).toBe(true)
    expect(isOwnSender({ senderFrame: { ...frame }, sender: { mainFrame: frame } })).toBe(false)
    expect(isOwnSender({ senderFrame: null, sender: { mainFrame: frame } })).toBe(false)
    const foreign = { url: 'https://example.com/' }
    expect(isOwnSender({ senderFrame: foreign, sender: { mainFrame: foreign } })).toBe(false)
  })
})
