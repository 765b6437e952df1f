import { preventable, tell } from './events'

type Answer = (response: { cancel?: boolean }) => void
type BeforeRequest = (details: { url: string; method: string }, answer: Answer) => void
type Handler = (request: { url: string; method: string }) => Promise<Response> | Response

/** What the page saves. */
interface DownloadItem {
  getURL(): string
  getFilename(): string
  setSaveDialogOptions(options: object): void
}
type WillDownload = (event: { preventDefault(): void }, item: DownloadItem) => void

let beforeRequest: BeforeRequest | null = null
let willDownload: WillDownload | null = null
const handlers = new Map<string, Handler>()
const nothing = (): void => undefined

/** The one session: what a page asks for is looked at by `onBeforeRequest`. */
export const session = {
  defaultSession: {
    setPermissionRequestHandler: nothing,
    setPermissionCheckHandler: nothing,
    setDevicePermissionHandler: nothing,
    setSpellCheckerEnabled: nothing,
    on: (_event: 'will-download', listener: WillDownload) => {
      willDownload = listener
    },
    webRequest: {
      onBeforeRequest: (listener: BeforeRequest) => {
        beforeRequest = listener
      },
    },
  },
}

/** Custom schemes. */
export const protocol = {
  registerSchemesAsPrivileged: nothing,
  handle: (scheme: string, handler: Handler) => void handlers.set(scheme, handler),
}

const REAL = 'https://loam.stand-in/'
const OWN = 'app://loam/'

/** An address as Chromium can open it, and as the app knows it. */
export const toReal = (url: string): string => url.replace(OWN, REAL)
export const toOwn = (url: string): string => url.replace(REAL, OWN)

/** The app's answer to a request of a page; null when it is not allowed or nobody answers. */
export async function answerRequest(
  realUrl: string,
  method: string,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer } | null> {
  const url = toOwn(realUrl)
  const cancelled = await new Promise<boolean>((resolve) => {
    if (beforeRequest === null) resolve(false)
    else beforeRequest({ url, method }, ({ cancel }) => resolve(cancel === true))
  })
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  if (cancelled || !handler) return null
  const response = await handler({ url, method })
  const body = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    // The page asks which scheme it came by; here that is another one.
    body: url.endsWith('.js')
      ? Buffer.from(
          body.toString().replace(/location\.protocol===(["'`])app:\1/g, 'location.protocol===`https:`'),
        )
      : body,
  }
}

/** The page saves a file: the app says how a person is asked for its place, or that it may not. */
export function askForSaving(url: string, name: string): void {
  const event = preventable()
  willDownload?.(event, {
    getURL: () => toOwn(url),
    getFilename: () => name,
    setSaveDialogOptions: (options) => tell({ kind: 'system', what: 'save', words: options }),
  })
  if (event.defaultPrevented) tell({ kind: 'system', what: 'save', words: null })
}
