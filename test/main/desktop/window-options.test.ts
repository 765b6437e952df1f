import { describe, expect, it } from 'vitest'
import { isOwnPage, UI_URL, windowOptions } from '../../../src/main/desktop/window-options'

describe('windowOptions', () => {
  it('keeps the page sandboxed and away from Node', () => {
    const options = windowOptions('/app/out/preload/index.cjs', false)
    expect(options.webPreferences).toMatchObject({
      preload: '/app/out/preload/index.cjs',
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      spellcheck: false,
    })
  })

  it('keeps place, size and whether the window is maximised, by its name', () => {
    expect(windowOptions('/p.cjs', true)).toMatchObject({
      name: 'main',
      windowStatePersistence: true,
      webPreferences: { spellcheck: true },
    })
  })
})

describe('isOwnPage', () => {
  it.each([UI_URL, 'app://loam/index.html', 'app://loam/assets/a.js?x#y'])('takes %s', (url) => {
    expect(isOwnPage(url)).toBe(true)
  })
  it.each([
    'app://other/',
    'app://loam.evil.example/',
    'https://loam/',
    'file:///etc/passwd',
    'javascript:1',
    '',
    'about:blank',
  ])('refuses %s', (url) => expect(isOwnPage(url)).toBe(false))
})
