import { EventEmitter } from 'node:events'
import { tell } from './events'

/** An item of a menu, as it is built from. */
interface Item {
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly accelerator?: string
  readonly submenu?: readonly Item[]
  readonly click?: () => void
}

/** The menus that are shown now. */
export const menus: { app: readonly Item[]; tray: readonly Item[] } = { app: [], tray: [] }

const words = (items: readonly Item[]): unknown[] =>
  items.map(({ label, role, type, submenu }) =>
    submenu ? { [label ?? role ?? '']: words(submenu) } : (label ?? role ?? type),
  )

/** Chooses the item with this label, in whatever submenu it is. */
export function choose(items: readonly Item[], label: string): boolean {
  return items.some((item) => {
    if (item.label === label && item.click) {
      item.click()
      return true
    }
    return item.submenu ? choose(item.submenu, label) : false
  })
}

/** Electron's menus: none is drawn, all are told. */
export class Menu {
  constructor(readonly items: readonly Item[]) {}
  static buildFromTemplate(items: readonly Item[]): Menu {
    return new Menu(items)
  }
  static setApplicationMenu({ items }: Menu): void {
    menus.app = items
    tell({ kind: 'system', what: 'menu', words: words(items) })
  }
  popup(): void {
    tell({ kind: 'system', what: 'place-menu', words: words(this.items) })
  }
}

/** A sign beside the clock. */
export class Tray extends EventEmitter {
  constructor() {
    super()
    tell({ kind: 'system', what: 'tray', words: true })
  }
  setToolTip(): void {}
  setContextMenu({ items }: Menu): void {
    menus.tray = items
  }
  destroy(): void {
    tell({ kind: 'system', what: 'tray', words: false })
  }
}

const shortcuts = new Map<string, () => void>()
export const pressShortcut = (): void => shortcuts.forEach((press) => press())
export const globalShortcut = {
  register: (keys: string, press: () => void): boolean => {
    shortcuts.set(keys, press)
    tell({ kind: 'system', what: 'shortcut', words: keys })
    return true
  },
  unregister: (keys: string): void => void shortcuts.delete(keys),
}

const told = (what: string) => (value: unknown) => tell({ kind: 'system', what, words: value })
export const clipboard = { writeText: told('copy') }
export const shell = {
  openExternal: (url: string) => Promise.resolve(told('open')(url)),
  showItemInFolder: told('show'),
}
export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
}
export const nativeImage = { createFromPath: () => ({ resize: () => ({}) }) }
