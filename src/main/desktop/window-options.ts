import type { BrowserWindowConstructorOptions } from 'electron'

/** Scheme and host the interface is served under in the desktop window. */
export const UI_SCHEME = 'app'
const UI_ORIGIN = `${UI_SCHEME}://loam`
export const UI_URL = `${UI_ORIGIN}/`
/** The page of a quick ask. */
export const QUICK_URL = `${UI_URL}#/quick`

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

/** How much room the window of a quick ask takes, in pixels: one line, or an answer below it. */
export const QUICK_SIZES = { line: [680, 116], answer: [680, 460] } as const

/** How the small window of a quick ask is made: no frame, over the program that a person works in, and in no list of windows. */
export function quickOptions(preload: string, spelling: boolean): BrowserWindowConstructorOptions {
  const { webPreferences } = windowOptions(preload, spelling)
  const [width, height] = QUICK_SIZES.line
  return {
    title: 'Loam: quick ask',
    ...{ width, height, minWidth: 360, minHeight: height },
    show: false,
    frame: false,
    alwaysOnTop: true,
    skipTaskbar: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    ...(webPreferences && { webPreferences }),
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
