import type { Served } from '../../shared/domain/sharing'
import type { StoredMemory } from '../memory-store/memory'
import type { App } from '../app'
import { createKeyRing, keyOpens, readKeys, type KeyRing, type ProgramKey } from './program-keys'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LoamError } from '../../shared/errors'

/** A memory that is there already: serving must not make one of any folder. @throws LoamError `NOT_FOUND` */
export async function existingMemory(
  { memories }: Pick<App, 'memories'>,
  name: string,
): Promise<StoredMemory> {
  const folder = memories.folder(name)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no memory in ${folder}.`, {
      suggestion: 'Name the folder of a memory.',
    })
  })
  return memories.open(name)
}

/** Where the memory of an id or a path lies, My memory's too. */
export const memoryFolders =
  ({ memories }: Pick<App, 'memories'>) =>
  (idOrPath: string): string =>
    memories.folder(memories.resolve(idOrPath))

/** What a memory is served with. `client` overrides the name that a program gives itself; port 0 takes any. */
export interface ServeInput {
  readonly memoryId: string
  readonly port: number
  readonly client: string | null
  readonly write: boolean
}

/** A server that listens for a memory. */
interface MemoryServer {
  readonly about: Parameters<App['serving']['hold']>[0]
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a memory with what `listen` starts, for as long as it is iterated. Who has the server's own key goes by `name`; keys of the data folder
 * open it that are for this memory and for a project that `opensProject` takes (null: for none).
 * @throws LoamError `NOT_FOUND`, `CONFLICT` when the port is taken
 */
export async function* serveOneMemory(
  app: App,
  memoryId: string,
  name: string,
  opensProject: (project: string | null) => boolean,
  listen: (memory: StoredMemory, keys: KeyRing) => Promise<MemoryServer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Served, void, void> {
  const memory = await existingMemory(app, memoryId)
  const folder = memoryFolders(app)
  const opens = (key: ProgramKey): boolean => keyOpens(key, memory.path, folder) && opensProject(key.project)
  const keys = createKeyRing(name, () => readKeys(app.data.path), opens)
  const { about, url, close } = await listen(memory, keys)
  const message = { url, key: keys.key, memory: { id: memory.id, path: memory.path } }
  yield* app.serving.hold(about, message, close, signal)
}
