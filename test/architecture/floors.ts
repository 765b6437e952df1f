/** Rooms that stand on the same floor; a room is a folder or a file directly inside its layer. */
type Floor = readonly string[]

/**
 * The rooms of each layer, ground floor first. Imports lead from a floor to one further down: never up, and never from one
 * room to another on the same floor.
 */
export const FLOORS: Readonly<Record<string, readonly Floor[]>> = {
  shared: [
    [
      'decode-text.ts',
      'errors.ts',
      'limits.ts',
      'patch.ts',
      'port-handshake.ts',
      'random.ts',
      'serial.ts',
      'web-host.ts',
    ],
    ['client-errors.ts', 'domain', 'feed.ts'],
    ['contract', 'figures'],
  ],
  core: [
    ['ground'],
    ['chat-templates', 'mysql', 'retrieval', 'sheets', 'shell'],
    ['verdict'],
    ['memory', 'tasks'],
    ['recall', 'streams'],
    ['methods'],
    ['agent'],
    ['lab', 'soft-prompts'],
    ['formats'],
  ],
  main: [
    ['ground', 'net', 'open-browser.ts', 'start-options.ts'],
    ['bundle', 'gguf', 'journal', 'mcp', 'watchdog'],
    ['embedders', 'model-files', 'providers'],
    ['adapters', 'engine-client'],
    ['machines', 'memory-store', 'tool-servers'],
    ['engine', 'host', 'questions'],
    ['models', 'modules', 'memories', 'streams', 'tools'],
    ['cases', 'soft-prompts', 'files', 'kb'],
    ['items', 'runs'],
    ['asks', 'experiments', 'guides'],
    ['curves', 'share', 'storage', 'why'],
    ['transfer'],
    ['app.ts'],
    ['api', 'conform'],
    ['cli', 'desktop', 'serve-app.ts'],
    ['headless.ts', 'index.ts'],
  ],
  renderer: [
    ['client-type.ts', 'components', 'connection'],
    ['client.ts', 'stores'],
    ['ground'],
    ['features'],
    ['shell'],
    ['main.tsx'],
  ],
}

/** Arrows that lead up nevertheless, as `room -> room`, with what would have to change. At most two in core, none elsewhere. */
export const UPWARDS: Readonly<Record<string, readonly string[]>> = {
  // The case bank's port names what a memory's journal records; its events and folds are the memory's.
  core: ['ground -> memory'],
  shared: [],
  main: [],
  renderer: [],
}

/** Folders whose own folders are rooms too. Their order is free, as long as it is one: no circle of rooms. */
export const NESTED: readonly string[] = [
  'core/methods',
  'main/adapters',
  'renderer/features',
  'shared/domain',
]

/**
 * Folders that hold rooms and are none: each entry is a module of its own that knows of no other. The screens of the window never import one another,
 * and the shapes of `shared/domain` are one file per concept. Everywhere else the folder itself is the room, however it is divided inside.
 */
export const CONTAINERS: readonly string[] = ['renderer/features', 'shared/domain']

/** Most of its layer's lines that one room may have. */
export const LARGEST_SHARE = 0.2
