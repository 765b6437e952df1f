import type { JumpListCategory, MenuItemConstructorOptions } from 'electron'

/** What is needed to offer something at the app's icon. */
export interface IconMenuOptions {
  readonly platform: NodeJS.Platform
  /** What Windows starts for an entry; null where Loam was not installed. */
  readonly program: string | null
  /** Where the data of this Loam lies, if not in the usual place. */
  readonly data: string | undefined
  readonly newAsk: () => void
  /** Says under which name Windows knows the installed app: without it notifications and the list at the icon belong to nobody. */
  readonly setAppName: (id: string) => void
  /** Shows a menu in the macOS Dock. */
  readonly setDockMenu: (template: MenuItemConstructorOptions[]) => void
  /** Shows a list at the icon on Windows; answers `ok`, or what it did not like. */
  readonly setJumpList: (categories: JumpListCategory[]) => string
  readonly log: (message: string) => void
}

const NEW_ASK = 'New Ask'
/** As the installer registers it (`appId`). */
export const APP_NAME = 'app.loam.desktop'

/**
 * What the app's icon offers while Loam is in the background, on Windows before it is started too: a new ask, and recent files, which macOS lists by itself.
 * Nothing on Linux.
 */
export function offerAtIcon(options: IconMenuOptions): void {
  const { platform, program, data, newAsk, setAppName, setDockMenu, setJumpList, log } = options
  if (platform === 'darwin') setDockMenu([{ label: NEW_ASK, click: () => newAsk() }])
  if (platform !== 'win32' || program === null) return
  setAppName(APP_NAME)
  // No path of Windows has a quotation mark in it.
  const args = data === undefined ? '--new-ask' : `--new-ask "--data=${data}"`
  const task = { program, args, iconPath: program, iconIndex: 0 }
  const outcome = setJumpList([
    { type: 'recent' },
    { type: 'tasks', items: [{ type: 'task', title: NEW_ASK, description: 'Opens an empty ask', ...task }] },
  ])
  if (outcome !== 'ok') log(`Windows did not take the list at the icon: ${outcome}`)
}
