import { EventEmitter } from 'node:events'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeBrowser } from './browser'
import { preventable, tell } from './events'
import { BrowserWindow, windowEvents } from './window'

/** Whether a process with this id is there. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Electron's `app`, as far as a program with one window needs it. */
export class StandInApp extends EventEmitter {
  readonly isPackaged = process.env['STAND_IN_PACKAGED'] === '1'
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

  /**
   * Electron keeps its lock in the `userData` folder, which it makes for it; who finds it taken has handed over what it says once it ends. Here
   * that goes over files, so that answering needs no wait.
   */
  requestSingleInstanceLock(more?: unknown): boolean {
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    const post = join(folder, 'handed-over')
    mkdirSync(post, { recursive: true })
    const lock = join(folder, 'SingletonLock')
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch {
      if (isAlive(Number(readFileSync(lock, 'utf8')))) {
        const name = join(post, randomUUID())
        writeFileSync(`${name}.part`, JSON.stringify(more))
        renameSync(`${name}.part`, `${name}.json`)
        return false
      }
      writeFileSync(lock, String(process.pid))
    }
    setInterval(() => this.#takePost(post), 100).unref()
    return true
  }

  #takePost(post: string): void {
    if (!this.#ready) return
    for (const name of readdirSync(post).filter((file) => file.endsWith('.json'))) {
      const more = JSON.parse(readFileSync(join(post, name), 'utf8')) as unknown
      rmSync(join(post, name))
      this.emit('second-instance', preventable(), [], '', more)
      tell({ kind: 'second', more })
    }
  }

  getVersion(): string {
    return '0.0.1'
  }

  setAboutPanelOptions(): void {}
  showAboutPanel(): void {
    tell({ kind: 'system', what: 'about', words: true })
  }
  setBadgeCount(count: number): void {
    tell({ kind: 'system', what: 'badge', words: count })
  }
  setAsDefaultProtocolClient(): void {}
  addRecentDocument(path: string): void {
    tell({ kind: 'system', what: 'recent', words: path })
  }
  clearRecentDocuments(): void {}

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
