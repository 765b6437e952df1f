import { EventEmitter } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeBrowser } from './browser'
import { preventable, tell } from './events'
import { BrowserWindow, windowEvents } from './window'

/** Electron's `app`, as far as a program with one window needs it. */
export class StandInApp extends EventEmitter {
  readonly isPackaged = false
  readonly #paths = new Map<string, string>([['userData', join(tmpdir(), `loam-stand-in-${process.pid}`)]])
  #ready = false

  constructor() {
    super()
    windowEvents.on('web-contents-created', (...args: unknown[]) =>
      this.emit('web-contents-created', ...args),
    )
    windowEvents.on('window-all-closed', () => {
      if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
      else this.quit()
    })
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    return this.#paths.get(name) ?? tmpdir()
  }

  /** Electron keeps its lock in the `userData` folder, which it makes for it. */
  requestSingleInstanceLock(_more?: unknown): boolean {
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SingletonLock'), String(process.pid))
    return true
  }

  enableSandbox(): void {
    if (this.#ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  isReady(): boolean {
    return this.#ready
  }

  whenReady(): Promise<void> {
    return this.#ready ? Promise.resolve() : new Promise((resolve) => this.once('ready', () => resolve()))
  }

  quit(): void {
    const before = preventable()
    this.emit('before-quit', before)
    if (before.defaultPrevented) {
      tell({ kind: 'quit-held-up' })
      return
    }
    for (const window of BrowserWindow.getAllWindows()) window.close()
    const will = preventable()
    this.emit('will-quit', will)
    if (will.defaultPrevented) return
    this.emit('quit', preventable(), 0)
    this.exit(0)
  }

  exit(code = 0): void {
    tell({ kind: 'exit', code })
    void closeBrowser().finally(() => process.exit(code))
  }

  /** The entry has run: Electron is ready. */
  begin(): void {
    this.#ready = true
    this.emit('ready', preventable())
  }
}
