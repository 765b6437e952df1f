import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopCommand } from '../../shared/port-handshake'

/** What the menu has others do. */
export interface MenuActions {
  /** Has the page do something; opens the window first where there is none. */
  readonly command: (command: DesktopCommand) => void
  /** Asks for files to open. */
  readonly open: () => void
  readonly print: () => void
  readonly clearRecent: () => void
  /** Shows the folder of the log in the file manager. */
  readonly showLog: () => void
  readonly about: () => void
}

type Item = MenuItemConstructorOptions

const LINE: Item = { type: 'separator' }

/** Sections in the order of the sidebar, each with a key; Settings has its own. */
const SECTIONS = [
  ['Ask', 'section-ask'],
  ['Memory', 'section-memory'],
  ['Models', 'section-models'],
  ['Lab', 'section-lab'],
] as const

/**
 * The window's menu on a platform, for `Menu.buildFromTemplate`. Nothing in it leads to the web, reloads the page or opens developers' tools.
 */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): Item[] {
  const isMac = platform === 'darwin'
  const item = (label: string, command: DesktopCommand, accelerator?: string): Item => ({
    label,
    click: () => actions.command(command),
    ...(accelerator !== undefined && { accelerator }),
  })
  const settings = item('Settings…', 'settings', 'CommandOrControl+,')
  const look = item('Look for a Newer Version…', 'look-for-update')
  const about: Item = { label: 'About Loam', click: () => actions.about() }
  const appMenu: Item = {
    label: 'Loam',
    submenu: [
      about,
      look,
      LINE,
      settings,
      LINE,
      { role: 'services' },
      LINE,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      LINE,
      { role: 'quit' },
    ],
  }
  const recent: Item[] = isMac
    ? [{ role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] }]
    : platform === 'win32'
      ? [{ label: 'Clear Recent Files', click: () => actions.clearRecent() }]
      : []
  const file: Item = {
    label: '&File',
    submenu: [
      item('New Ask', 'new-ask', 'CommandOrControl+N'),
      { label: 'Open…', accelerator: 'CommandOrControl+O', click: () => actions.open() },
      ...recent,
      LINE,
      item('Import…', 'import'),
      item('Export…', 'export'),
      LINE,
      { label: 'Print…', accelerator: 'CommandOrControl+P', click: () => actions.print() },
      LINE,
      ...(isMac ? [{ role: 'close' } as const] : [settings, LINE, { role: 'quit' } as const]),
    ],
  }
  const view: Item = {
    label: '&View',
    submenu: [
      item('Search or Do Something', 'search', 'CommandOrControl+K'),
      item('Collapse or Show the Sidebar', 'sidebar'),
      LINE,
      ...SECTIONS.map(([label, command], index) => item(label, command, `CommandOrControl+${index + 1}`)),
      LINE,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      // Where + shares its key with =, people press no Shift.
      { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
      { role: 'zoomOut' },
      LINE,
      { role: 'togglefullscreen' },
    ],
  }
  const help: Item = {
    role: 'help',
    submenu: [
      item('Keyboard Shortcuts', 'shortcuts'),
      item('Take the Tour', 'tour'),
      { label: 'Show the Log', click: () => actions.showLog() },
      ...(isMac ? [] : [LINE, look, about]),
    ],
  }
  return [...(isMac ? [appMenu] : []), file, { role: 'editMenu' }, view, { role: 'windowMenu' }, help]
}

/** What was clicked with the other mouse button, as Electron tells it. */
export interface ClickPlace {
  readonly isEditable: boolean
  readonly selectionText: string
  readonly linkURL: string
  readonly misspelledWord: string
  readonly dictionarySuggestions: readonly string[]
}

/** What the context menu has others do. */
export interface PlaceActions {
  readonly replace: (word: string) => void
  readonly addWord: (word: string) => void
  readonly copy: (text: string) => void
  /** Shows the address and asks. */
  readonly openLink: (url: string) => void
}

/** The menu at a place of the page: for text fields, with spelling; for links; for text that is selected. Empty where there is nothing to do. */
export function placeTemplate(place: ClickPlace, actions: PlaceActions): Item[] {
  const { misspelledWord: word } = place
  const groups: Item[][] = []
  if (place.isEditable && word !== '') {
    groups.push([
      ...place.dictionarySuggestions
        .slice(0, 5)
        .map((label): Item => ({ label, click: () => actions.replace(label) })),
      { label: `Add “${word}” to the Word List`, click: () => actions.addWord(word) },
    ])
  }
  if (place.linkURL !== '') {
    groups.push([
      { label: 'Open Link…', click: () => actions.openLink(place.linkURL) },
      { label: 'Copy Link', click: () => actions.copy(place.linkURL) },
    ])
  }
  if (place.isEditable) {
    groups.push(
      [{ role: 'undo' }, { role: 'redo' }],
      [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'pasteAndMatchStyle' }],
      [{ role: 'selectAll' }],
    )
  } else if (place.selectionText.trim() !== '') groups.push([{ role: 'copy' }])
  return groups.flatMap((group, index) => (index === 0 ? group : [LINE, ...group]))
}
