import type { Session, WebContents } from 'electron'
import { isOwnPage } from './window-options'

/** Shuts every way out of the page: other addresses, new windows, webviews. Links that would open a window are told to `openLink`. */
export function guardContents(contents: WebContents, openLink: (url: string) => void): void {
  contents.on('will-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isOwnPage(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
}

/** Permissions the page may have; everything else a page can ask for is denied. */
const GRANTED: readonly string[] = ['clipboard-sanitized-write', 'notifications']

/** Denies permissions, devices, and every request of the page that does not stay inside the app. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    answer(GRANTED.includes(permission) && isOwnPage(contents.getURL()))
  })
  session.setPermissionCheckHandler((contents, permission, origin) => {
    // Whoever checks for notifications is told by its origin alone: Electron gives no contents.
    const url = permission === 'notifications' ? origin : contents?.getURL()
    return GRANTED.includes(permission) && url !== undefined && isOwnPage(url)
  })
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest((details, answer) => {
    const inside = isOwnPage(details.url) || /^(devtools|blob|data):/.test(details.url)
    answer({ cancel: !inside })
  })
}

/** What an IPC message says about where it came from. */
export interface Sender {
  readonly senderFrame: { readonly url: string } | null
  readonly sender: { readonly mainFrame: unknown }
}

/** Whether a message comes from our own page itself, not from a frame inside it or another page. */
export function isOwnSender({ sender, senderFrame }: Sender): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url)
}
