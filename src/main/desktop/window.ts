import { join } from 'node:path'
import type { SupportedMessagePort } from '@orpc/client/message-port'
import { BrowserWindow, ipcMain, protocol, session, type WebContents } from 'electron'
import { PORT_CHANNEL } from '../../shared/port-handshake'
import type { Transports } from '../api/transports'
import { guardSession, isOwnSender } from './window-guards'
import { UI_SCHEME, UI_URL, windowOptions } from './window-options'
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

/** How a window is opened. */
export interface WindowChoice {
  /** Sees its contents before the page is loaded. */
  readonly prepare?: (contents: WebContents) => void
  /** Whether spelling is checked. Default false. */
  readonly spelling?: boolean
}

/** Opens the window and shows it once it has something to show. */
export async function openWindow({ prepare, spelling = false }: WindowChoice = {}): Promise<BrowserWindow> {
  const preload = join(import.meta.dirname, '..', 'preload', 'index.cjs')
  const window = new BrowserWindow(windowOptions(preload, spelling))
  window.once('ready-to-show', () => window.show())
  prepare?.(window.webContents)
  await window.loadURL(UI_URL)
  return window
}
