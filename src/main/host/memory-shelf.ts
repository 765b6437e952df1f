import type { MemoryState } from '../../core/memory/entries'
import { closeAll } from '../ground/close-all'
import { lockFolder } from '../ground/lock'
import type { OpenMemoryOptions, StoredMemory } from '../memory-store/memory'

type Opening = Omit<OpenMemoryOptions, 'folder'>
type TakeLock = NonNullable<OpenMemoryOptions['lock']>

export interface ShelfOptions {
  /** Reads a memory from its folder. */
  readonly read: (id: string, opening: Opening) => Promise<StoredMemory>
  /** Memories that stay whoever uses them. Default: none. */
  readonly stays?: (id: string) => boolean
  /** Memories that stay besides, those opened last. Default 6. */
  readonly most?: number
}

interface Place {
  /** Null once it is open. */
  opening: Promise<StoredMemory> | null
  /** Lives as long as anything that reads or changes the memory. */
  state: WeakRef<MemoryState> | null
  lock: Awaited<ReturnType<TakeLock>> | null
}

/** What a memory's fold belongs to: whoever holds any part of a memory holds its fold. */
const OWNERS = new WeakMap<MemoryState, StoredMemory>()

const memoryIn = ({ state }: Place): StoredMemory | undefined => {
  const fold = state?.deref()
  return fold && OWNERS.get(fold)
}

/**
 * The memories of a data folder that were opened, by id. The few that were opened last stay, and so does each that is awake or that anybody
 * holds. The fold of another is let go; its folder stays locked, and its next use reads it again.
 */
export type MemoryShelf = ReturnType<typeof memoryShelf>

/** Nothing is on it. */
export function memoryShelf({ read, stays = () => false, most = 6 }: ShelfOptions) {
  const places = new Map<string, Place>()
  /** Longest unopened first. */
  const last = new Map<string, StoredMemory>()

  function stay(id: string, memory: StoredMemory): StoredMemory {
    last.delete(id)
    last.set(id, memory)
    const others = [...last.keys()].filter((one) => !stays(one))
    for (const one of others.slice(0, -most)) last.delete(one)
    return memory
  }

  async function begin(id: string, place: Place, opening: Opening): Promise<StoredMemory> {
    const take: TakeLock = async (folder) => {
      const lock = (place.lock ??= await lockFolder(folder))
      return {
        async release() {
          place.lock = null
          await lock.release()
        },
      }
    }
    try {
      const memory = await read(id, { ...opening, lock: take })
      const { state } = memory.memorySource
      OWNERS.set(state, memory)
      place.state = new WeakRef(state)
      return memory
    } catch (error) {
      if (places.get(id) === place) places.delete(id)
      throw error
    } finally {
      place.opening = null
    }
  }

  /** Closes it, or gives its folder free where nobody holds it. */
  async function close(place: Place): Promise<void> {
    const memory = (await place.opening?.catch(() => null)) ?? memoryIn(place)
    await (memory ?? { close: async () => place.lock?.release() }).close()
  }

  return {
    /** The memory if it is open. */
    async get(id: string): Promise<StoredMemory | undefined> {
      const place = places.get(id)
      return (await place?.opening) ?? (place && memoryIn(place))
    },
    /** @throws what reading it throws */
    async open(id: string, opening: Opening): Promise<StoredMemory> {
      const place = places.get(id) ?? { opening: null, state: null, lock: null }
      places.set(id, place)
      const memory = memoryIn(place) ?? (await (place.opening ??= begin(id, place, opening)))
      return places.get(id) === place ? stay(id, memory) : memory
    },
    async release(id: string): Promise<void> {
      const place = places.get(id)
      places.delete(id)
      last.delete(id)
      if (place) await close(place)
    },
    /** Closes all; one that fails keeps none of the others open. */
    async close(): Promise<void> {
      last.clear()
      const all = [...places.values()]
      places.clear()
      await closeAll(all.map((place) => () => close(place)))
    },
  }
}
