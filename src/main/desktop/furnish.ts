import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  session,
  shell,
  Tray,
  type WebContents,
} from 'electron'
import type { DesktopCommand } from '../../shared/port-handshake'
import type { Settings } from '../../shared/domain/memory-info'
import type { App } from '../app'
import { createBadge } from './badge'
import { chooseFiles } from './choose-files'
import { offerAtIcon } from './icon-menu'
import { menuTemplate, placeTemplate } from './menu'
import { askOver, createLinkOpener } from './outer-links'
import { createResident, type Resident } from './resident'
import { mainWindow } from './window'
import { UI_URL } from './window-options'

/** How the window is come by, and what becomes of files that a person opens. */
export interface Furnishing {
  /** The window in front, opened where there is none. */
  readonly show: () => Promise<BrowserWindow>
  readonly open: (paths: readonly string[]) => void
  /** Has the page do something; opens the window first where there is none. */
  readonly command: (command: DesktopCommand) => void
  /** Brings up the small window of a quick ask. */
  readonly quickAsk: () => void
  /** The data folder as it was given. */
  readonly data: string | undefined
}

/** The window that a person works in. */
const anyWindow = (): BrowserWindow | null => BrowserWindow.getFocusedWindow() ?? mainWindow()

/** Opens links of the page elsewhere, once a person agreed. */
export const openLink = createLinkOpener({
  ask: askOver(dialog, anyWindow),
  openExternal: (url) => shell.openExternal(url),
  copy: (text) => clipboard.writeText(text),
})

/** Whether spelling is checked: outside macOS the word list comes from the network, so it has to be here or the network on. */
export const checksSpelling = ({ desktop, network }: Settings): boolean =>
  desktop.spelling && (process.platform === 'darwin' || network || hasWordList())

function hasWordList(): boolean {
  const folder = join(app.getPath('userData'), 'Dictionaries')
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.bdic'))
}

/** The menu at the place of a click with the other button. */
export function offerPlaceMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, place) => {
    const template = placeTemplate(place, {
      replace: (word) => contents.replaceMisspelling(word),
      addWord: (word) => void contents.session.addWordToSpellCheckerDictionary(word),
      copy: (text) => clipboard.writeText(text),
      openLink: (url) => void openLink(url),
    })
    if (template.length > 0) Menu.buildFromTemplate(template).popup()
  })
}

/** What the page saves goes where a person says, who is asked before a file is replaced; nothing else is downloaded. */
export function askWhereToSave(): void {
  session.defaultSession.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${UI_URL}`)) {
      event.preventDefault()
      return
    }
    item.setSaveDialogOptions({
      title: 'Save',
      defaultPath: join(app.getPath('downloads'), item.getFilename()),
      properties: ['showOverwriteConfirmation', 'createDirectory'],
    })
  })
}

/** Gives an open app its menu, its sign beside the clock, its shortcut and its badge, and keeps them as the settings say. */
export function furnish(host: App, { show, open, command, quickAsk, data }: Furnishing): Resident {
  const actions = {
    command,
    open: () => void chooseFiles('anything').then(open),
    print: () => anyWindow()?.webContents.print(),
    clearRecent: () => app.clearRecentDocuments(),
    showLog: () => shell.showItemInFolder(join(host.data.logs, 'loam.jsonl')),
    about: () => app.showAboutPanel(),
  }
  app.setAboutPanelOptions({
    applicationName: 'Loam',
    applicationVersion: host.resources.version,
    copyright: 'Apache-2.0. Licences of everything inside are beside the program.',
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, actions)))
  offerAtIcon({
    platform: process.platform,
    program: app.isPackaged ? process.execPath : null,
    ...{ data, newAsk: () => command('new-ask') },
    setAppName: (id) => app.setAppUserModelId(id),
    setDockMenu: (template) => app.dock?.setMenu(Menu.buildFromTemplate(template)),
    setJumpList: (categories) => app.setJumpList(categories),
    log: (message) => host.logger.warn(message),
  })

  const badge = createBadge({
    isFocused: () => mainWindow()?.isFocused() === true,
    show: (count) => {
      app.setBadgeCount(count)
      // Windows has no number for it.
      if (process.platform === 'win32') mainWindow()?.flashFrame(count > 0)
    },
  })
  host.jobs.onEnd((job) => badge.ended(job))
  app.on('browser-window-focus', (_event, window) => {
    if (window === mainWindow()) badge.seen()
  })

  const resident = createResident({
    makeTray: () => {
      const image = nativeImage.createFromPath(host.resources.icon).resize({ width: 18, height: 18 })
      const tray = new Tray(image)
      tray.setToolTip('Loam')
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: 'Open Loam', click: () => void show() },
          { label: 'New Ask', click: () => command('new-ask') },
          { type: 'separator' },
          { label: 'Quit Loam', click: () => app.quit() },
        ]),
      )
      tray.on('click', () => void show())
      return tray
    },
    shortcuts: globalShortcut,
    quickAsk,
    checkSpelling: (on) => session.defaultSession.setSpellCheckerEnabled(on),
    taken: (keys) =>
      dialog.showErrorBox(
        'These keys belong to another program',
        `${keys} brings up something else on this machine.\n\nChoose others in Settings.`,
      ),
  })
  const follow = (settings: Settings): void =>
    resident.follow({ ...settings.desktop, spelling: checksSpelling(settings) })
  host.onSettings(follow)
  follow(host.settings())
  return resident
}
