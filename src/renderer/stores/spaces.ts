import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SpaceInfo } from '../../shared/domain/space'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { refusalOf } from './error-shape'
import { NOT_READ, readInto, type Reading } from './read-into'

export interface SpacesState extends Reading {
  readonly spaces: readonly SpaceInfo[]
  /** The space that Cases and Export show; null only while there is none. */
  readonly currentId: string | null
  /** Whether a person chose it; what they chose stays, an automatic choice moves on to a space that holds cases. */
  readonly chosen: boolean
  reload(): Promise<void>
  choose(spaceId: string): void
  /** Stays with the space that is open from now on: what a person looks at does not change under their eyes. */
  keep(): void
  /** Makes a space and chooses it. Resolves to the problem, or null. */
  create(name: string): Promise<LoamErrorShape | null>
}

export type SpacesStore = StoreApi<SpacesState>

/**
 * The spaces on this machine and the one that is open. `onLost` hears when the space that a person chose is not there any
 * more, with the one that is open instead.
 */
export function createSpacesStore(
  client: LoamClient,
  onLost: (instead: SpaceInfo | null) => void = () => undefined,
): SpacesStore {
  return createStore<SpacesState>()((set, get) => ({
    spaces: [],
    ...NOT_READ,
    currentId: null,
    chosen: false,
    reload: () =>
      readInto(set, async () => {
        const spaces = newestFirst(await client.spaces.list())
        const { currentId: before, chosen } = get()
        const listed = spaces.some((space) => space.id === before && (chosen || space.cases > 0))
        const stays = listed || (chosen && before !== null && isCellSpace(before))
        const instead = stays ? null : (fullest(spaces) ?? null)
        if (chosen && !stays && before !== null) onLost(instead)
        return { spaces, currentId: stays ? before : (instead?.id ?? null), chosen: chosen && stays }
      }),
    choose(currentId) {
      set({ currentId, chosen: true })
    },
    keep: () => set((state) => (state.currentId === null || state.chosen ? state : { chosen: true })),
    create: (name) =>
      refusalOf(
        client.spaces.create({ name }).then((space) => {
          set({ spaces: newestFirst([...get().spaces, space]), currentId: space.id, chosen: true })
        }),
      ),
  }))
}

/** Whether a space is the memory of an experiment's cell: a folder of its own, which the list leaves out. */
export function isCellSpace(spaceId: string): boolean {
  return /[\\/]experiments[\\/]/.test(spaceId)
}

function newestFirst(spaces: readonly SpaceInfo[]): SpaceInfo[] {
  return [...spaces].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}

/** The newest space that holds cases, else the newest: what a person most likely wants to look at. */
function fullest(spaces: readonly SpaceInfo[]): SpaceInfo | undefined {
  return spaces.find((space) => space.cases > 0) ?? spaces[0]
}
