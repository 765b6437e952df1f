import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import type { LoamClient } from '../client-type'
import { refusalOf } from './error-shape'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'
import type { SettingsStore } from './settings'

export interface MemoriesData extends Reading {
  readonly memories: readonly MemoryInfo[]
  /** The memory that is looked at; null only until the host has told. */
  readonly currentId: string | null
  /** The memory that what is asked and imported in this window goes to: My memory, else the one that a person chose for the window. */
  readonly homeId: string | null
  /** Whether a person went to the memory that is looked at; else it is the window's own. */
  readonly chosen: boolean
}

/**
 * The memories on this machine and the one that is open: My memory, unless a person chose another, which the host keeps. `onLost` hears when the
 * memory that a person chose is not there any more, with the one that is open instead.
 */
export function createMemoriesStore(
  client: LoamClient,
  settings: SettingsStore,
  onLost: (instead: MemoryInfo | null) => void = () => undefined,
) {
  const start: MemoriesData = { memories: [], ...NOT_READ, currentId: null, homeId: null, chosen: false }
  const newest = createNewest()
  return createStore(
    combine(start, (set, get) => {
      /** Takes a memory for this window, from now on and at later starts. */
      function choose(currentId: string) {
        set({ currentId, homeId: currentId, chosen: true })
        const isMine = get().memories.find(({ id }) => id === currentId)?.role === 'mine'
        void settings.getState().save({ openMemory: isMine ? null : currentId })
      }
      function reload() {
        const isNewest = newest()
        return readInto(
          set,
          async () => {
            if (settings.getState().settings === null) await settings.getState().load()
            const memories = newestFirst(await client.memories.list())
            const openId = settings.getState().settings?.openMemory ?? null
            const home = memories.find(({ id }) => id === openId) ?? mineIn(memories)
            const { currentId: before, chosen } = get()
            const stays =
              chosen && before !== null && (memories.some(({ id }) => id === before) || isCellMemory(before))
            if (chosen && !stays && isNewest()) onLost(home ?? null)
            const homeId = home?.id ?? null
            return { memories, homeId, currentId: stays ? before : homeId, chosen: stays }
          },
          isNewest,
        )
      }
      return {
        choose,
        reload,
        /** Looks at a memory, as that of a run; what is asked goes where it went before. */
        visit: (currentId: string) => set({ currentId, chosen: true }),
        /** Makes a memory and chooses it. Resolves to the problem, or null. */
        create: (name: string) =>
          refusalOf(
            client.memories.create({ name }).then((memory) => {
              set({ memories: newestFirst([...get().memories, memory]) })
              choose(memory.id)
              // A list that was asked for before it was made would not have it: what is under way is dropped for a new one.
              return reload()
            }),
          ),
      }
    }),
  )
}

/** Whether a memory is the memory of an experiment's cell: a folder of its own, which the list leaves out. */
export function isCellMemory(memoryId: string): boolean {
  return /[\\/]experiments[\\/]/.test(memoryId)
}

/** My memory among others. */
export const mineIn = (memories: readonly MemoryInfo[]): MemoryInfo | undefined =>
  memories.find(({ role }) => role === 'mine')

/** What a memory is called in the window. */
export const nameOfMemory = ({ role, name }: Pick<MemoryInfo, 'role' | 'name'>): string =>
  role === 'mine' ? 'My memory' : name

/** How many items of all kinds a memory holds. */
export const itemsIn = ({ items }: Pick<MemoryInfo, 'items'>): number =>
  Object.values(items).reduce((sum, n) => sum + n, 0)

function newestFirst(memories: readonly MemoryInfo[]): MemoryInfo[] {
  return [...memories].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}
