/** A value on its way between page and main process: text, bytes or JSON. */
export type Wired = { readonly s: string } | { readonly b: string } | { readonly j: unknown }

/** What the preload's world says to the main process. */
export type FromPage =
  | {
      readonly t: 'ports'
      readonly channel: string
      readonly message: Wired
      readonly ids: readonly string[]
    }
  | { readonly t: 'message'; readonly id: string; readonly value: Wired }

/** A value as it crosses; functions are refused, as structured clone refuses them. */
export function wire(value: unknown): Wired {
  if (typeof value === 'string') return { s: value }
  if (value instanceof ArrayBuffer) return { b: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value))
    return { b: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new Error('An object could not be cloned.')
  return { j: value ?? null }
}

/** A value that crossed. */
export function unwire(value: Wired): unknown {
  if ('s' in value) return value.s
  return 'b' in value ? new Uint8Array(Buffer.from(value.b, 'base64')) : value.j
}

/** Names of the binding a page's preload world calls, and of the function it is called back by. */
export const BINDING = 'standInHost'
export const DELIVER = 'standInDeliver'
/** Hands a message of the main process to the preload's listeners. */
export const SEND = 'standInSend'

/** The script of the preload's world: `ipcRenderer.postMessage` with ports, then the preload itself as sandboxed CommonJS. */
export const preloadWorld = (
  preload: string,
  files = process.env['LOAM_STAND_IN_FILES'] ?? '',
): string => `(() => {
  if (window !== window.top) return
  const ports = new Map()
  const toBase64 = (bytes) => { let text = ''; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text) }
  const wire = (value) => typeof value === 'string' ? { s: value }
    : value instanceof ArrayBuffer ? { b: toBase64(new Uint8Array(value)) }
    : ArrayBuffer.isView(value) ? { b: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
    : { j: value ?? null }
  const unwire = (value) => 's' in value ? value.s : 'b' in value ? Uint8Array.from(atob(value.b), (c) => c.charCodeAt(0)) : value.j
  const say = (what) => globalThis.${BINDING}(JSON.stringify(what))
  globalThis.${DELIVER} = (text) => {
    const { id, value } = JSON.parse(text)
    if (value === undefined) ports.get(id)?.close()
    else ports.get(id)?.postMessage(unwire(value))
  }
  const listeners = new Map()
  globalThis.${SEND} = (channel, message) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, message)
  }
  const ipcRenderer = {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    postMessage(channel, message, transfer = []) {
      const ids = transfer.map((port) => {
        const id = crypto.randomUUID()
        ports.set(id, port)
        port.onmessage = (event) => say({ t: 'message', id, value: wire(event.data) })
        return id
      })
      say({ t: 'ports', channel, message: wire(message), ids })
    },
  }
  // Where dropped files lie is known to Electron alone; here all of them lie in one folder.
  const webUtils = { getPathForFile: (file) => ${JSON.stringify(files)} === '' ? '' : ${JSON.stringify(files)} + '/' + file.name }
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return { ipcRenderer, webUtils }
    throw new Error('A sandboxed preload has no module ' + name)
  }
  const module = { exports: {} }
  ;(function (require, module, exports) {
${preload}
  })(require, module, module.exports)
})()`
