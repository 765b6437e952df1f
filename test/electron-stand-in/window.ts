import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from '@playwright/test'
import { openBrowser } from './browser'
import { preventable, tell } from './events'
import { PortMain } from './message-port'
import { answerRequest, askForSaving, toOwn, toReal } from './session'
import { BINDING, DELIVER, SEND, type FromPage, preloadWorld, unwire } from './wire'

const WORLD = 'Electron Isolated Context'

export const ipcMain = new EventEmitter()
/** Emits `web-contents-created` and `window-all-closed` for the app. */
export const windowEvents = new EventEmitter()

interface WindowOptions {
  readonly show?: boolean
  readonly webPreferences?: { readonly preload?: string; readonly contextIsolation?: boolean }
}

/** What is shown in a window. A page whose process ended is replaced by a new one when it is loaded again. */
class WebContents extends EventEmitter {
  page: Page | null = null
  #url = ''
  #cdp: CDPSession | null = null
  readonly #ports = new Map<string, PortMain>()
  /** The preload's world of the page that is shown now. */
  readonly #worlds = new Set<number>()
  #onOpen: (details: { url: string }) => unknown = () => undefined
  readonly mainFrame: { readonly url: string }

  constructor(
    readonly window: BrowserWindow,
    readonly preload: string | undefined,
  ) {
    super()
    const url = (): string => toOwn(this.page?.url() ?? '')
    this.mainFrame = {
      get url() {
        return url()
      },
    }
  }

  setWindowOpenHandler(handler: (details: { url: string }) => unknown): void {
    // Chromium has opened it already; the app is asked, and it is closed in any case.
    this.#onOpen = handler
  }

  /** A message to the preload's world. */
  send(channel: string, message: unknown): void {
    const expression = `${SEND}(${JSON.stringify(channel)}, ${JSON.stringify(message)})`
    for (const contextId of this.#worlds)
      void this.#cdp?.send('Runtime.evaluate', { contextId, expression }).catch(() => undefined)
  }

  print(): void {
    tell({ kind: 'system', what: 'print', words: this.getURL() })
  }

  async load(url: string): Promise<void> {
    this.#url = url
    this.page ??= await this.#open()
    await this.page.goto(toReal(url))
    tell({ kind: 'loaded', window: this.window.id })
  }

  reload(): void {
    void this.load(this.#url)
  }

  getURL(): string {
    return this.mainFrame.url
  }

  isDestroyed(): boolean {
    return this.window.isDestroyed()
  }

  /** Ends the page's process, as running out of memory does. */
  async endProcess(): Promise<void> {
    await this.#cdp?.send('Page.crash').catch(() => undefined)
  }

  async #open(): Promise<Page> {
    const page = await (await openBrowser()).newPage()
    await page.route('**/*', async (route) => {
      const answer = await answerRequest(route.request().url(), route.request().method())
      await (answer === null ? route.abort() : route.fulfill(answer))
    })
    page.on('popup', (popup) => void popup.close())
    page.on('download', (download) => askForSaving(download.url(), download.suggestedFilename()))
    page.on('load', () => this.window.emit('ready-to-show'))
    page.on('close', () => this.window.destroy())
    page.on('crash', () => {
      this.page = null
      this.#closePorts()
      tell({ kind: 'gone', window: this.window.id })
      this.emit('render-process-gone', preventable(), { reason: 'crashed', exitCode: 5 })
    })
    this.#cdp = await this.#isolate(page)
    return page
  }

  /** The preload's world, with a way to the main process; its ports close with it. */
  async #isolate(page: Page): Promise<CDPSession> {
    const cdp = await page.context().newCDPSession(page)
    cdp.on('Runtime.executionContextsCleared', () => {
      this.#worlds.clear()
      this.#closePorts()
    })
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD) this.#worlds.add(context.id)
    })
    cdp.on('Page.windowOpen', ({ url }) => void this.#onOpen({ url }))
    cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === BINDING) this.#hear(JSON.parse(payload) as FromPage, cdp, executionContextId)
    })
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD })
    if (this.preload !== undefined) {
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
        worldName: WORLD,
        source: preloadWorld(readFileSync(this.preload, 'utf8')),
      })
    }
    return cdp
  }

  #hear(said: FromPage, cdp: CDPSession, contextId: number): void {
    if (said.t === 'message') {
      this.#ports.get(said.id)?.receive(unwire(said.value))
      return
    }
    const ports = said.ids.map((id) => {
      const port = new PortMain((value) => {
        const expression = `${DELIVER}(${JSON.stringify(JSON.stringify({ id, value }))})`
        void cdp.send('Runtime.evaluate', { contextId, expression }).catch(() => undefined)
      })
      this.#ports.set(id, port)
      return port
    })
    const event = { sender: this, senderFrame: this.mainFrame, ports }
    ipcMain.emit(said.channel, event, unwire(said.message))
  }

  #closePorts(): void {
    for (const port of this.#ports.values()) port.gone()
    this.#ports.clear()
  }
}

/** A window: a page of the one Chromium. */
export class BrowserWindow extends EventEmitter {
  static readonly #all = new Map<number, BrowserWindow>()
  static #count = 0
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.#all.values()]
  }
  /** No window has the focus here: whatever ends, ends unseen. */
  static getFocusedWindow(): null {
    return null
  }

  readonly id = ++BrowserWindow.#count
  readonly webContents: WebContents
  #visible: boolean
  #destroyed = false

  constructor(options: WindowOptions = {}) {
    super()
    if (options.webPreferences?.contextIsolation !== true)
      throw new Error('The stand-in knows only isolated pages.')
    this.#visible = options.show !== false
    this.webContents = new WebContents(this, options.webPreferences.preload)
    BrowserWindow.#all.set(this.id, this)
    windowEvents.emit('web-contents-created', preventable(), this.webContents)
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.load(url)
  }

  show(): void {
    this.#visible = true
    tell({ kind: 'shown', window: this.id })
  }

  hide(): void {
    this.#visible = false
    tell({ kind: 'hidden', window: this.id })
  }

  focus(): void {
    this.emit('focus')
  }

  /** None has it here. */
  isFocused(): boolean {
    return false
  }

  setSize(width: number, height: number): void {
    tell({ kind: 'system', what: 'size', words: [width, height] })
  }

  restore(): void {
    this.emit('restore')
  }

  /** Where it was left, as a test says by `LOAM_STAND_IN_LEFT_AT`: how far from the left. */
  getBounds(): { x: number; y: number; width: number; height: number } {
    return { x: Number(process.env['LOAM_STAND_IN_LEFT_AT'] ?? 0), y: 0, width: 1280, height: 820 }
  }

  center(): void {
    tell({ kind: 'system', what: 'centre', words: true })
  }

  isMinimized(): boolean {
    return false
  }

  isVisible(): boolean {
    return this.#visible
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  close(): void {
    const event = preventable()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    BrowserWindow.#all.delete(this.id)
    void this.webContents.page?.close()
    this.emit('closed')
    if (BrowserWindow.#all.size === 0) windowEvents.emit('window-all-closed')
  }
}
