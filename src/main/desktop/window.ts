import { join } from 'node:path'
import type { SupportedMessagePort } from '@orpc/client/message-port'
import { BrowserWindow, ipcMain, protocol, session, type WebContents } from 'electron'
import { PORT_CHANNEL, QUICK_CHANNEL } from '../../shared/port-handshake'
import type { Transports } from '../api/transports'
import { guardSession, isOwnSender } from './window-guards'
import { QUICK_URL, quickOptions, UI_SCHEME, UI_URL, windowOptions } from './window-options'
import { answerUiRequest } from './window-protocol'

/** Declares the `app:` scheme. Has to be called before Electron is ready. */
export function declareUiScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: UI_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the interface and the contract to windows opened later. `root` is the folder of the built interface. */
export function serveWindows(root: string, transports: Pick<Transports, 'servePort'>): void {
  guardSession(session.defaultSession)
  protocol.handle(UI_SCHEME, (request) => answerUiRequest(root, request))
  // The only door: a page hands over its end of a channel, and everything else runs through the contract.
  ipcMain.on(PORT_CHANNEL, (event, message: unknown) => {
    const [port] = event.ports
    if (!isOwnSender(event) || message !== null || event.ports.length !== 1 || !port) return
    transports.servePort(port as unknown as SupportedMessagePort)
    port.start()
  })
}

/** Hears what the page of a quick ask says, from its own window alone. */
export function hearQuick(hear: (message: unknown) => void): void {
  ipcMain.on(QUICK_CHANNEL, (event, message: unknown) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents === event.sender)
    if (window && quickWindows.has(window) && isOwnSender(event)) hear(message)
  })
}

/** How a window is opened. */
export interface WindowChoice {
  /** Sees its contents before the page is loaded. */
  readonly prepare?: (contents: WebContents) => void
  /** Whether spelling is checked. Default false. */
  readonly spelling?: boolean
}

const quickWindows = new WeakSet<BrowserWindow>()

/** The window with all of Loam; null where there is none. That of a quick ask is another one. */
export const mainWindow = (): BrowserWindow | null =>
  BrowserWindow.getAllWindows().find((window) => !quickWindows.has(window)) ?? null

const preload = (): string => join(import.meta.dirname, '..', 'preload', 'index.cjs')

/** Opens the window and shows it once it has something to show. */
export function openWindow({ prepare, spelling = false }: WindowChoice = {}): Promise<BrowserWindow> {
  return load(new BrowserWindow(windowOptions(preload(), spelling)), UI_URL, prepare)
}

/** Opens the small window of a quick ask, as {@link openWindow} does. */
export function openQuickWindow({ prepare, spelling = false }: WindowChoice = {}): Promise<BrowserWindow> {
  const window = new BrowserWindow(quickOptions(preload(), spelling))
  quickWindows.add(window)
  return load(window, QUICK_URL, prepare)
}

async function load(
  window: BrowserWindow,
  url: string,
  prepare: WindowChoice['prepare'],
): Promise<BrowserWindow> {
  window.once('ready-to-show', () => window.show())
  prepare?.(window.webContents)
  await window.loadURL(url)
  return window
}
