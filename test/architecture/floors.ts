/** Rooms that stand on the same floor; a room is a folder or a file directly inside its layer. */
type Floor = readonly string[]

/**
 * The rooms of each layer, ground floor first. Imports lead from a floor to one further down: never up, and never from one
 * room to another on the same floor.
 */
export const FLOORS: Readonly<Record<string, readonly Floor[]>> = {
  core: [['ground'], ['memory', 'tasks'], ['methods'], ['agent'], ['lab', 'consolidation'], ['bundle']],
  main: [
    ['ground', 'open-browser.ts', 'start-options.ts'],
    ['adapters'],
    ['providers'],
    ['engine', 'host', 'questions'],
    ['models', 'spaces', 'streams', 'tools'],
    ['cases', 'consolidation', 'documents', 'kb'],
    ['memory', 'runs'],
    ['asks', 'experiments', 'knowledge'],
    ['curves', 'share', 'storage', 'why'],
    ['app.ts'],
    ['api'],
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
  // The case bank's port names what a space's journal records; its events and folds are the memory's.
  core: ['ground -> memory'],
  main: [],
  renderer: [],
}

/** Folders whose own folders are rooms too. Their order is free, as long as it is one: no circle of rooms. */
export const NESTED: readonly string[] = ['core/methods', 'main/adapters']
