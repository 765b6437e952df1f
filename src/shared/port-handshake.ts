/** The page asks for a port with this message to its own window. */
export const PORT_REQUEST = 'loam:port-request'

/** The preload script answers the page with this message, and one port. */
export const PORT_OFFER = 'loam:port-offer'

/** The preload script tells the page with this, and `paths`, where files lie that were dropped on it. */
export const PATHS_DROPPED = 'loam:paths-dropped'

/** The IPC channel on which the preload script hands the main process the port's other end. */
export const PORT_CHANNEL = 'loam:port'

/** The IPC channel on which the main process says what was chosen in the window's menu; the preload script tells the page. */
export const COMMAND_CHANNEL = 'loam:command'

/** The page says with this that it hears what is chosen in the window's menu. */
export const COMMANDS_WANTED = 'loam:commands-wanted'

/** The preload script tells the page with this, and `command`, what was chosen in the window's menu. */
export const COMMAND_CHOSEN = 'loam:command-chosen'

/** What the window's menu, its sign beside the clock and its shortcut have the page do. */
export const DESKTOP_COMMANDS = [
  'opened',
  'new-ask',
  'import',
  'export',
  'settings',
  'look-for-update',
  'search',
  'sidebar',
  'shortcuts',
  'tour',
  'storage',
  ...(['ask', 'memory', 'models', 'lab'] as const).map((section) => `section-${section}` as const),
] as const
export type DesktopCommand = (typeof DESKTOP_COMMANDS)[number]

/** What the page is told to do: a command, or to open this ask. */
export type DesktopOrder = DesktopCommand | { readonly ask: string }

/** The IPC channel on which the small window of a quick ask says what is to become of it. */
export const QUICK_CHANNEL = 'loam:quick'

/** The page of a quick ask tells the preload script with this, and `message`, a `QuickMessage`. */
export const QUICK_SAID = 'loam:quick-said'

/** What the page of a quick ask says: that it is to go, how much room it needs, or that its ask is to be opened in the main window; null: a new ask there. */
export type QuickMessage =
  | { readonly kind: 'hide' }
  | { readonly kind: 'size'; readonly size: 'line' | 'answer' }
  | { readonly kind: 'open'; readonly ask: string | null }
