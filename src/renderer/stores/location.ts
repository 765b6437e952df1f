import { SCREENS, type ScreenId } from './ui'

/** Where a person is, as the address says it: `#/memory/case:c12?memory=...`. */
export interface Place {
  readonly screen: ScreenId
  /** The record that is open on the screen; null for none. */
  readonly item: string | null
  /** The memory that is open; null while there is none. */
  readonly memoryId: string | null
}

/** Whether the address is that of a quick ask: a page of its own, with one line, and no place of the window. */
export const isQuickPage = (hash: string): boolean => hash === '#/quick'

/** The part of the address behind `#`, with it. */
export function placeToHash({ screen, item, memoryId }: Place): string {
  const path = [screen, ...(item === null ? [] : [item])].map(encodeURIComponent).join('/')
  return `#/${path}${memoryId === null ? '' : `?memory=${encodeURIComponent(memoryId)}`}`
}

/** Screens that were of one kind, in addresses that people kept. */
const SCREENS_OF_KINDS: Readonly<Record<string, string>> = { cases: 'case', experiences: 'experience' }

/** Screens by the names that addresses of Loam 0.1 have. */
const FORMER: Readonly<Record<string, ScreenId>> = {
  knowledge: 'guides',
  export: 'programs',
  home: 'ask',
}

/** What an address says; null for one that names no screen. */
export function hashToPlace(hash: string): Place | null {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  try {
    const [screen, item] = path.split('/').map(decodeURIComponent)
    const kind = SCREENS_OF_KINDS[screen ?? '']
    const record =
      kind === undefined ? SCREENS.find((id) => id === (FORMER[screen ?? ''] ?? screen)) : 'memory'
    if (record === undefined) return null
    const parameters = new URLSearchParams(query)
    return {
      screen: record,
      item: item === undefined ? null : kind === undefined ? item : `${kind}:${item}`,
      memoryId: parameters.get('memory') ?? parameters.get('space'),
    }
  } catch {
    // Not something that was encoded: an address that was cut or typed.
    return null
  }
}

/** Whether going from one place to the other is a step to come back from, rather than moving in a list. */
export function isStep(from: Place, to: Place): boolean {
  if (from.screen !== to.screen) return true
  // The first memory that is found on the way in is not gone to.
  if (from.memoryId !== to.memoryId) return from.memoryId !== null
  // From the composer to an ask or an experiment, and back.
  return (to.screen === 'ask' || to.screen === 'experiments') && from.item !== to.item
}
