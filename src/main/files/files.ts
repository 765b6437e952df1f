import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { Clock } from '../../core/ground/ports'
import { PASSAGE_KIND, type Passage } from '../../core/memory/passages/passage'
import {
  changesWords,
  type Citation,
  type FolderChanges,
  type IndexedFolder,
} from '../../shared/domain/files'
import { LoamError } from '../../shared/errors'
import type { JobRegistry } from '../ground/jobs'
import type { Logger } from '../ground/logger'
import type { Memories } from '../memories/memories'
import { openFolderRecord, type FolderRecord, type KnownFolder } from './folder-record'
import { openFileTexts } from './read-file'
import { syncFolder } from './sync-folder'
import { watchFolders } from './watch-folders'

/** A person's own files as memory. */
export interface Files {
  list(memoryId: string): Promise<IndexedFolder[]>
  /** `project`: whose asks alone recall it; null, the default: all do. @throws LoamError `NOT_FOUND`, `CONFLICT` for a folder that is read already */
  add(memoryId: string, path: string, project?: string | null): Promise<{ folderId: string; jobId: string }>
  /** Has the folders of one project belong to another. */
  moveProject(memoryId: string, from: string, project: string): Promise<void>
  /** Compares files and passages as a job; `folderId` null: of all folders. @throws LoamError `NOT_FOUND` */
  sync(memoryId: string, folderId: string | null): Promise<{ jobId: string }>
  /** What the last comparison came to; null when there was none since this was opened. */
  lastSync(folderId: string): FolderChanges | null
  /** @throws LoamError `NOT_FOUND` */
  remove(memoryId: string, folderId: string): Promise<IndexedFolder[]>
  /** @throws LoamError `NOT_FOUND` */
  open(memoryId: string, passageId: string): Promise<Citation>
  /** From now on looks every `everyMs` (default 60,000) whether files of the data folder's own memories have changed, and takes that in. */
  keepInStep(everyMs?: number): void
  close(): void
}

/** Documents of the memories of a host. */
export function createFiles({
  memories,
  jobs,
  clock,
  logger,
}: {
  readonly memories: Memories
  readonly jobs: JobRegistry
  readonly clock: Clock
  readonly logger: Logger
}): Files {
  const last = new Map<string, FolderChanges>()
  const recordOf = (memoryId: string): FolderRecord => openFolderRecord(memories.folder(memoryId))

  const find = async (memoryId: string, folderId: string): Promise<KnownFolder> => {
    const match = (await recordOf(memoryId).read()).find(({ id }) => id === folderId)
    if (match) return match
    throw new LoamError('NOT_FOUND', `The memory reads no folder ${folderId}.`, {
      suggestion: '"loam files list" shows the folders and their ids.',
    })
  }
  const list = async (memoryId: string): Promise<IndexedFolder[]> =>
    Promise.all((await recordOf(memoryId).read()).map(infoOf))

  const start = (name: string, folders: readonly KnownFolder[]): { jobId: string } => {
    const memoryId = memories.resolve(name)
    const { id } = jobs.start(
      'documents',
      folders.length === 1 ? `Reading ${folders[0]?.path ?? ''}` : `Reading ${folders.length} folders`,
      async ({ signal, progress }) => {
        const memory = await memories.open(memoryId)
        const texts = openFileTexts()
        try {
          const all: FolderChanges[] = []
          for (const folder of folders) {
            const changes = await syncFolder(memory, recordOf(memoryId), folder, texts, {
              now: () => clock.now(),
              signal,
              onProgress: (doneCount, total) =>
                progress({ done: doneCount, total, activity: `Reading ${folder.path}` }),
            })
            last.set(folder.id, changes)
            all.push(changes)
          }
          await memory.passages.ready({
            signal,
            onProgress: (doneCount, total) =>
              progress({ done: doneCount, total, activity: 'Making passages searchable' }),
          })
          progress({ activity: changesWords(all) })
        } finally {
          texts.close()
        }
      },
      { subject: memoryId, activity: 'Looking at the files' },
    )
    return { jobId: id }
  }

  const watch = watchFolders({ memories, jobs, logger, recordOf, start })

  return {
    list,
    async add(memoryId, name, project = null) {
      if (!isAbsolute(name))
        throw new LoamError('BAD_INPUT', `"${name}" is not a full path.`, {
          suggestion: 'Write the folder from the root on.',
        })
      const path = resolve(name)
      if ((await stat(path).catch(() => null))?.isDirectory() !== true)
        throw new LoamError('NOT_FOUND', `There is no folder ${path}.`, {
          suggestion: 'Name a folder that is there.',
        })
      await memories.open(memoryId)
      const record = recordOf(memoryId)
      const knownRecord = (await record.read()).find((one) => one.path === path)
      if (knownRecord)
        throw new LoamError('CONFLICT', `The memory reads ${path} already.`, {
          suggestion: `Take in what has changed with "loam files sync ${knownRecord.id}".`,
        })
      const folder: KnownFolder = {
        id: randomBytes(4).toString('hex'),
        ...{ path, project },
        addedAt: clock.now().toISOString(),
        ...{ syncedAt: null, files: {}, left: [] },
      }
      await record.put(folder)
      return { folderId: folder.id, ...start(memoryId, [folder]) }
    },
    async moveProject(memoryId, from, project) {
      const record = recordOf(memoryId)
      for (const folder of await record.read())
        if (folder.project === from) await record.put({ ...folder, project })
    },
    async sync(memoryId, folderId) {
      const folders = folderId === null ? await recordOf(memoryId).read() : [await find(memoryId, folderId)]
      return start(memoryId, folders)
    },
    lastSync: (folderId) => last.get(folderId) ?? null,
    async remove(memoryId, folderId) {
      const { files } = await find(memoryId, folderId)
      const memory = await memories.open(memoryId)
      const at = clock.now().toISOString()
      const ids = Object.values(files).flatMap(({ passages }) => passages.map(({ id }) => id))
      if (ids.length > 0)
        await memory.commit(ids.map((id) => ({ kind: 'memory-dropped' as const, memoryId: id, at })))
      await recordOf(memoryId).remove(folderId)
      return list(memoryId)
    },
    async open(memoryId, passageId) {
      const text = await (await memories.open(memoryId)).memorySource.memory(passageId)
      if (text?.kind !== PASSAGE_KIND)
        throw new LoamError('NOT_FOUND', `There is no passage ${passageId} in this memory.`, {
          suggestion: 'Reload the list.',
        })
      const passage = text as Passage
      return citationOf(passage, await recordOf(memoryId).read())
    },
    ...watch,
  }
}

async function infoOf({
  id,
  path,
  project,
  addedAt,
  syncedAt,
  files,
  left,
}: KnownFolder): Promise<IndexedFolder> {
  const records = Object.values(files)
  return {
    ...{ id, path, project, addedAt, syncedAt, left },
    files: records.length,
    passages: records.reduce((sum, { passages }) => sum + passages.length, 0),
    isThere: (await stat(path).catch(() => null))?.isDirectory() === true,
  }
}

/** Where a passage is from, and whether the file is still as it was read. */
async function citationOf(passage: Passage, folders: readonly KnownFolder[]): Promise<Citation> {
  const { id, path, text } = passage
  const folder = folders.find((one) => one.id === passage.folderId)
  const file = folder?.files[path]
  const now = file?.passages.find((one) => one.id === id)
  const message = { passageId: id, path, from: now?.from ?? passage.from, to: now?.to ?? passage.to, text }
  if (!folder) return { ...message, file: null, state: 'elsewhere' }
  const whole = join(folder.path, path)
  const about = await stat(whole).catch(() => null)
  if (!about) return { ...message, file: whole, state: 'gone' }
  const same = now !== undefined && file?.bytes === about.size && file.modifiedMs === about.mtimeMs
  return { ...message, file: whole, state: same ? 'same' : 'changed' }
}
