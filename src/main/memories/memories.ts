import { basename, isAbsolute, join, resolve } from 'node:path'
import type { FormatSource } from '../../core/formats/format'
import type { MemorySource } from '../../core/memory/items/kind'
import type { Clock, Embedder } from '../../core/ground/ports'
import { MY_MEMORY, type MemoryInfo } from '../../shared/domain/memory-info'
import type { DataFolder } from '../host/data-folder'
import { closeAll } from '../ground/close-all'
import type { BuildOptions } from '../adapters/lancedb/build-index'
import { openMemory, type StoredMemory } from '../memory-store/memory'

/**
 * Memories by id (those of the data folder), by absolute path (any other folder), or My memory as `MY_MEMORY`. Each is opened at its first
 * use, with the embedder of the settings, and stays open until this closes.
 */
export type Memories = ReturnType<typeof openMemories>

export interface MemoriesDeps {
  readonly data: DataFolder
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder>
}

export function openMemories({ data, clock, embedder }: MemoriesDeps) {
  const outside = new Map<string, Promise<StoredMemory>>()

  const openOutside = async (folder: string): Promise<StoredMemory> => {
    const wantedEmbedder = await embedder()
    let memory = outside.get(folder)
    if (!memory) {
      memory = openMemory({ folder, embedder: wantedEmbedder, clock })
      outside.set(folder, memory)
      memory.catch(() => outside.delete(folder))
    }
    const openedMemory = await memory
    if (openedMemory.embedder.id !== wantedEmbedder.id)
      await openedMemory.reindex({ embedder: wantedEmbedder })
    return openedMemory
  }

  /** The id that a folder of the data folder's own memories has: it is one memory, however it is named. */
  const idOf = (path: string): string | null => {
    const id = basename(path)
    return path === join(data.path, 'spaces', id) ? id : null
  }

  const openAny = async (idOrPath: string): Promise<StoredMemory> => {
    const path = isAbsolute(idOrPath) ? resolve(idOrPath) : null
    const id = path === null ? idOrPath : idOf(path)
    return path !== null && id === null
      ? openOutside(path)
      : data.memories.open(id ?? idOrPath, await embedder())
  }

  const resolveNamed = (idOrPath: string): string => {
    if (isAbsolute(idOrPath)) return idOf(resolve(idOrPath)) ?? resolve(idOrPath)
    return idOrPath === MY_MEMORY ? data.myMemory.id() : idOrPath
  }

  return {
    list: (): Promise<MemoryInfo[]> => data.memories.list(),
    create: (name: string): Promise<MemoryInfo> => data.memories.create(name),
    /** A new memory that holds what another one of the data folder does. @throws LoamError `NOT_FOUND` */
    copy: (id: string, name: string): Promise<MemoryInfo> => data.memories.copy(id, name),
    /** The id of a memory of the data folder, by whatever name; else the folder that is named. */
    resolve: resolveNamed,
    /** Whether My memory is what is named, by whatever name. */
    isMine: (idOrPath: string): boolean => resolveNamed(idOrPath) === data.myMemory.id(),
    open: openAny,
    /** Where the memory lies or would lie. */
    folder: (idOrPath: string): string =>
      isAbsolute(idOrPath) ? resolve(idOrPath) : data.memories.folder(idOrPath),
    async reindex(idOrPath: string, build: BuildOptions): Promise<void> {
      await (await openAny(idOrPath)).reindex({ ...build, embedder: await embedder() })
    },
    /** Closes the memory in a folder, if it is open; its next use opens it again. */
    async release(folder: string): Promise<void> {
      const id = idOf(resolve(folder))
      if (id !== null) return data.memories.release(id)
      const memory = outside.get(resolve(folder))
      outside.delete(resolve(folder))
      await (await memory)?.close()
    },
    async close(): Promise<void> {
      const memories = await Promise.allSettled(outside.values())
      outside.clear()
      await closeAll(memories.map((memory) => () => memory.status === 'fulfilled' && memory.value.close()))
    },
  }
}

/** A memory as formats read it. */
export const formatSource = (memory: StoredMemory, source: MemorySource): FormatSource => ({
  id: memory.id,
  name: memory.name,
  createdAt: memory.createdAt,
  embedder: memory.embedder,
  memory: source,
  trajectories: () => memory.trajectories(),
  cases: (options) => memory.cases(options),
  experiences: memory.experiences,
  embed: (texts, signal) => memory.embedder.embed(texts, { signal }),
})
