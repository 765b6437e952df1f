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
  'search',
  'sidebar',
  'shortcuts',
  'tour',
  'storage',
  ...(['ask', 'memory', 'models', 'lab'] as const).map((section) => `section-${section}` as const),
] as const
export type DesktopCommand = (typeof DESKTOP_COMMANDS)[number]
