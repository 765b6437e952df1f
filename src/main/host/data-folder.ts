import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MY_MEMORY, type MemoryRole, type Settings, type MemoryInfo } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import type { Clock, Embedder } from '../../core/ground/ports'
import { createSerial } from '../../shared/serial'
import type { BuildOptions } from '../adapters/lancedb/build-index'
import { openMemory, type OpenMemoryOptions, type StoredMemory } from '../memory-store/memory'
import {
  claimMemoryFolder,
  copyMemory,
  createMemoryFile,
  readMemoryFile,
  renameMemoryFile,
} from '../memory-store/memory-folder'
import { readMemoryInfo } from '../memory-store/memory-info'
import { closeAll } from '../ground/close-all'
import { errnoOf } from '../ground/atomic-file'
import { bringUpToDate, MIGRATIONS, readFormat, type FormatOutcome, type Migration } from '../journal/format'
import { backUp, goBack, returns, stamp } from '../journal/backups'
import { lockFolder } from '../ground/lock'
import { loadSettings, saveSettings } from '../ground/settings-file'
import { memoryShelf } from './memory-shelf'
import { newMemoryId, openMyMemory, type MyMemory } from './my-memory'

export interface OpenDataFolderOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** Default: `MIGRATIONS`. */
  readonly migrations?: readonly Migration[]
}

/** Everything Loam keeps for one person. Holds the folder's lock until closed. */
export interface DataFolder {
  readonly path: string
  /** What opening did about the format: nothing, or a migration and where its back-up is. */
  readonly format: FormatOutcome
  /** True when opening made the folder. */
  readonly isNew: boolean
  /** Which memory is the person's lasting one. */
  readonly myMemory: MyMemory
  /** Ids name a memory each; `MY_MEMORY` names My memory. */
  readonly memories: {
    /** Oldest first. Memories that are not open are described without opening them. */
    list(): Promise<MemoryInfo[]>
    create(name: string): Promise<MemoryInfo>
    /** A new memory with everything that one holds: its journal and builds. @throws LoamError `NOT_FOUND` */
    copy(id: string, name: string): Promise<MemoryInfo>
    /** The open memory of that id: opened on first call, then shared; another embedder reindexes it. @throws LoamError `NOT_FOUND` */
    open(id: string, embedder: Embedder, build?: BuildOptions): Promise<StoredMemory>
    info(id: string): Promise<MemoryInfo>
    /** @throws LoamError `NOT_FOUND` */
    rename(id: string, name: string): Promise<void>
    /** Closes a memory if it is open; its next use opens it again. */
    release(id: string): Promise<void>
    folder(id: string): string
  }
  readonly settings: {
    load(): Promise<Settings>
    /** Changes some settings and answers all of them. */
    save(change: Partial<Settings>): Promise<Settings>
  }
  readonly runs: {
    /** Ids of run folders, in order of name. */
    list(): Promise<string[]>
    /** The folder of a run. */
    folder(id: string): string
    /** Makes the folder of a run and answers it. */
    create(id: string): Promise<string>
  }
  /** Where logs and downloaded models go. */
  readonly logs: string
  readonly models: string
  /** Copies settings, asks, runs and journals to `backups/PREFIX-TIME`; answers the copy's path. Default: `by-hand`. */
  backUp(prefix?: string): Promise<string>
  /** Closes every open memory and gives the lock free. */
  close(): Promise<void>
}

const ID = /^[a-z0-9][a-z0-9._-]{0,79}$/i
/** What a folder may hold that is to become a data folder: a crash while creating it, or logs and models put there first. */
const NEW_FOLDER_NAMES: ReadonlySet<string> = new Set([
  'lock',
  'lock.takeover',
  'logs',
  'models',
  'settings.json',
  'settings.json.copy',
  // Electron makes it before the data folder is looked at.
  'window',
  '.DS_Store',
  'verified',
])

/**
 * Opens a data folder, creating it when it does not exist and migrating it when it is older (after a back-up).
 * @throws LoamError `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`, `BAD_INPUT`, `DISK_WRITE`
 */
export async function openDataFolder(path: string, options: OpenDataFolderOptions = {}): Promise<DataFolder> {
  const dataPath = resolve(path)
  const migrations = options.migrations ?? MIGRATIONS
  const now = (): Date => options.clock?.now() ?? new Date()
  const goesBack = returns(dataPath)
  const isNew = !goesBack && (await readFormat(dataPath, migrations.length + 1)) === null
  // What a person's memories hold is nobody else's business; a folder that is there keeps the rights it has.
  await mkdir(dataPath, { recursive: true, mode: 0o700 })
  if (isNew) await refuseForeignFolder(dataPath)
  const lock = await lockFolder(dataPath)
  try {
    if (goesBack) await goBack(dataPath)
    const format = await bringUpToDate(dataPath, migrations, now())
    for (const name of ['spaces', 'runs', 'logs', 'models', 'backups'])
      await mkdir(join(dataPath, name), { recursive: true })
    const myMemory = await openMyMemory(dataPath, now)
    return dataFolder(dataPath, { format, isNew, myMemory, now, options, release: () => lock.release() })
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Opened {
  readonly format: FormatOutcome
  readonly isNew: boolean
  readonly myMemory: MyMemory
  readonly now: () => Date
  readonly options: OpenDataFolderOptions
  readonly release: () => Promise<void>
}

function dataFolder(
  dataPath: string,
  { format, isNew, myMemory, now, options, release }: Opened,
): DataFolder {
  const settingsPath = join(dataPath, 'settings.json')
  const serial = createSerial()
  let closing: Promise<void> | null = null
  const idOf = (name: string): string => (name === MY_MEMORY ? myMemory.id() : name)
  const memoryFolder = (id: string): string => join(dataPath, 'spaces', checkedId(idOf(id)))
  const runFolder = (id: string): string => join(dataPath, 'runs', checkedId(id))

  async function info(id: string): Promise<MemoryInfo> {
    const memory = await shelf.get(idOf(id))
    const facts = await (memory ? memory.info() : readMemoryInfo(memoryFolder(id)))
    return { ...facts, role: roleOf(idOf(id)) }
  }
  const roleOf = (id: string): MemoryInfo['role'] => (id === myMemory.id() ? 'mine' : 'lab')

  async function create(name: string, fill?: (folder: string) => Promise<void>): Promise<MemoryInfo> {
    const id = newMemoryId()
    const folder = memoryFolder(id)
    await claimMemoryFolder(folder)
    await fill?.(folder)
    await createMemoryFile(folder, { id, name, createdAt: now().toISOString() })
    return info(id)
  }

  const { clock } = options
  async function openById(id: string, opening: Omit<OpenMemoryOptions, 'folder'>): Promise<StoredMemory> {
    if (closing) throw new LoamError('CONFLICT', 'Loam is closing.', { suggestion: 'Start it again.' })
    const folder = memoryFolder(id)
    if (!(await readMemoryFile(folder).catch(notThere))) {
      throw new LoamError('NOT_FOUND', `There is no memory ${id}.`, {
        suggestion: 'Reload the list of memories.',
      })
    }
    return openMemory({ folder, ...opening, ...(clock ? { clock } : {}) })
  }
  const shelf = memoryShelf({ read: openById, stays: (id) => id === myMemory.id() })

  return {
    path: dataPath,
    format,
    isNew,
    myMemory,
    logs: join(dataPath, 'logs'),
    models: join(dataPath, 'models'),
    memories: {
      async list() {
        const names = await readdir(join(dataPath, 'spaces'))
        const matches: (MemoryInfo | null)[] = []
        for (const id of names.filter((name) => ID.test(name))) {
          matches.push(
            await info(id).catch((error: unknown) => damagedMemory(id, roleOf(id), memoryFolder(id), error)),
          )
        }
        return matches
          .filter((memory) => memory !== null)
          .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      },
      create: (name) => create(name),
      async copy(id, name) {
        await info(id)
        return create(name, (folder) => copyMemory(memoryFolder(id), folder))
      },
      async open(name, embedder, build = {}) {
        const id = idOf(name)
        const openedMemory = await shelf.open(id, { ...build, embedder })
        if (openedMemory.embedder.id !== embedder.id) await openedMemory.reindex({ ...build, embedder })
        return openedMemory
      },
      info,
      async rename(id, name) {
        const memory = await shelf.get(idOf(id))
        if (memory) await memory.rename(name)
        else await renameMemoryFile(memoryFolder(id), name)
      },
      release: (name) => shelf.release(idOf(name)),
      folder: memoryFolder,
    },
    settings: {
      load: () => loadSettings(settingsPath),
      save: (change) =>
        serial(async () => saveSettings(settingsPath, { ...(await loadSettings(settingsPath)), ...change })),
    },
    runs: {
      list: async () => (await readdir(join(dataPath, 'runs'))).filter((name) => ID.test(name)).sort(),
      folder: runFolder,
      async create(id) {
        await mkdir(runFolder(id), { recursive: true })
        return runFolder(id)
      },
    },
    backUp: (prefix = 'by-hand') => serial(() => backUp(dataPath, `${prefix}-${stamp(now())}`)),
    close: () => (closing ??= closeAll([shelf.close, release])),
  }
}

async function refuseForeignFolder(dataPath: string): Promise<void> {
  const foreign = (await readdir(dataPath)).find(
    (name) => !NEW_FOLDER_NAMES.has(name) && !name.endsWith('.tmp'),
  )
  if (foreign === undefined) return
  throw new LoamError('BAD_INPUT', `${dataPath} is not a data folder of Loam: it holds ${foreign}.`, {
    suggestion: 'Name an empty or a new folder.',
  })
}

/** One damaged memory must not hide the others: it is listed with its problem. A folder without a memory is not listed. */
function damagedMemory(id: string, role: MemoryRole, path: string, error: unknown): MemoryInfo | null {
  if (!(error instanceof LoamError)) throw error
  if (error.code === 'NOT_FOUND') return null
  return {
    id,
    role,
    name: id,
    path,
    createdAt: '',
    cases: 0,
    items: {},
    trajectories: 0,
    embedder: '',
    bytes: 0,
    problem: error.why,
  }
}

/** Ids become folder names, so nothing that could lead elsewhere is let through. */
function checkedId(id: string): string {
  if (ID.test(id) && !id.includes('..')) return id
  throw new LoamError('BAD_INPUT', `"${id}" is not a valid id.`, { suggestion: 'Choose one from the list.' })
}

function notThere(error: unknown): null {
  if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null
  throw error
}
