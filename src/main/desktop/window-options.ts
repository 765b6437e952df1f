import type { BrowserWindowConstructorOptions } from 'electron'

/** Scheme and host the interface is served under in the desktop window. */
export const UI_SCHEME = 'app'
const UI_ORIGIN = `${UI_SCHEME}://loam`
export const UI_URL = `${UI_ORIGIN}/`

/** How the one window is made: the page is sandboxed, apart from the preload script, and has no Node. Its place and size are kept. */
export function windowOptions(preload: string, spelling: boolean): BrowserWindowConstructorOptions {
  return {
    title: 'Loam',
    name: 'main',
    windowStatePersistence: true,
    width: 1280,
    height: 820,
    minWidth: 720,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      spellcheck: spelling,
    },
  }
}

/** Whether the window may show this address: only its own page. */
export function isOwnPage(url: string): boolean {
  try {
    const parsed = new URL(url)
    // Node and Chromium disagree about the origin of a custom scheme, so its parts are compared.
    return parsed.protocol === `${UI_SCHEME}:` && parsed.host === new URL(UI_URL).host
  } catch {
    return false
  }
}
