import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SpaceInfo } from '../../shared/domain/space'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { refusalOf } from './error-shape'
import { NOT_READ, readInto, type Reading } from './read-into'
import type { SettingsStore } from './settings'

export interface SpacesState extends Reading {
  readonly spaces: readonly SpaceInfo[]
  /** The memory that is looked at; null only until the host has told. */
  readonly currentId: string | null
  /** The memory that what is asked and imported in this window goes to: My memory, else the one that a person chose for the window. */
  readonly homeId: string | null
  /** Whether a person went to the memory that is looked at; else it is the window's own. */
  readonly chosen: boolean
  reload(): Promise<void>
  /** Takes a memory for this window, from now on and at later starts. */
  choose(spaceId: string): void
  /** Looks at a memory, as that of a run; what is asked goes where it went before. */
  visit(spaceId: string): void
  /** Makes a memory and chooses it. Resolves to the problem, or null. */
  create(name: string): Promise<LoamErrorShape | null>
}

export type SpacesStore = StoreApi<SpacesState>

/**
 * The memories on this machine and the one that is open: My memory, unless a person chose another, which the host keeps. `onLost` hears when the
 * memory that a person chose is not there any more, with the one that is open instead.
 */
export function createSpacesStore(
  client: LoamClient,
  settings: SettingsStore,
  onLost: (instead: SpaceInfo | null) => void = () => undefined,
): SpacesStore {
  return createStore<SpacesState>()((set, get) => ({
    spaces: [],
    ...NOT_READ,
    currentId: null,
    homeId: null,
    chosen: false,
    reload: () =>
      readInto(set, async () => {
        if (settings.getState().settings === null) await settings.getState().load()
        const spaces = newestFirst(await client.spaces.list())
        const openId = settings.getState().settings?.openMemory ?? null
        const home = spaces.find(({ id }) => id === openId) ?? mineIn(spaces)
        const { currentId: before, chosen } = get()
        const stays =
          chosen && before !== null && (spaces.some(({ id }) => id === before) || isCellSpace(before))
        if (chosen && !stays) onLost(home ?? null)
        const homeId = home?.id ?? null
        return { spaces, homeId, currentId: stays ? before : homeId, chosen: stays }
      }),
    choose(currentId) {
      set({ currentId, homeId: currentId, chosen: true })
      const isMine = get().spaces.find(({ id }) => id === currentId)?.role === 'mine'
      void settings.getState().save({ openMemory: isMine ? null : currentId })
    },
    visit: (currentId) => set({ currentId, chosen: true }),
    create: (name) =>
      refusalOf(
        client.spaces.create({ name }).then((space) => {
          set({ spaces: newestFirst([...get().spaces, space]) })
          get().choose(space.id)
        }),
      ),
  }))
}

/** Whether a space is the memory of an experiment's cell: a folder of its own, which the list leaves out. */
export function isCellSpace(spaceId: string): boolean {
  return /[\\/]experiments[\\/]/.test(spaceId)
}

/** My memory among others. */
export const mineIn = (spaces: readonly SpaceInfo[]): SpaceInfo | undefined =>
  spaces.find(({ role }) => role === 'mine')

/** What a memory is called in the window. */
export const nameOfMemory = ({ role, name }: Pick<SpaceInfo, 'role' | 'name'>): string =>
  role === 'mine' ? 'My memory' : name

function newestFirst(spaces: readonly SpaceInfo[]): SpaceInfo[] {
  return [...spaces].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}
