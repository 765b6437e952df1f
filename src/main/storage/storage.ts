import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Clock } from '../../core/ground/ports'
import type { RunInfo } from '../../shared/domain/run'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import type { Checkup, DiskUse, Kept, TrashItem } from '../../shared/domain/storage'
import { LoamError } from '../../shared/errors'
import { prefixStatesIn } from '../engine-client/measured-loading'
import { namesIn } from '../ground/names-in'
import { writeKept } from '../ground/kept-file'
import { rm } from '../ground/steady-files'
import { titleFileOf } from '../streams/stream-library'
import { repairMemory, type MemoryRepair } from '../memory-store/repair-memory'
import { folderBytes } from '../memory-store/memory-folder'
import type { ExperimentQueue } from '../experiments/experiment-queue'
import type { DataFolder } from '../host/data-folder'
import type { RunQueue } from '../runs/run-queue'
import { checkDataFolder } from './doctor'
import { openTrash, type Trash } from './trash'

/** Memories, runs, experiments and streams as things on a disk: what they take, what they are called, and the trash. */
export type Storage = ReturnType<typeof createStorage>

/** What it works on. */
export interface StorageDeps {
  readonly data: DataFolder
  readonly runs: RunQueue
  readonly experiments: ExperimentQueue
  readonly clock: Clock
  /** Of this Loam. Default: unknown. */
  readonly version?: string
}

const OVER: ReadonlySet<RunInfo['status']> = new Set(['done', 'failed', 'cancelled'])

const conflict = (cause: string, suggestion: string): LoamError =>
  new LoamError('CONFLICT', cause, { suggestion })

/** Creates it. */
export function createStorage({ data, runs, experiments, clock, version = 'unknown' }: StorageDeps) {
  const trash = openTrash(data.path)
  const experimentFolder = (id: string): string => join(data.path, 'experiments', id)

  /** The runs of an experiment that exist. */
  const cellsOf = (id: string): string[] =>
    experiments.get(id).cells.flatMap(({ runId }) => (runs.has(runId) ? [runId] : []))

  const experimentOf = (runId: string): string | null =>
    experiments.list().find(({ id }) => cellsOf(id).includes(runId))?.name ?? null

  async function removeMemory(id: string): Promise<TrashItem> {
    const { name, role } = await nameOfMemory(id)
    if (role === 'mine')
      throw conflict('My memory is not deleted.', 'Delete the items in it that you do not want.')
    const user = runs.list().find(({ config, status }) => config.memoryId === id && !OVER.has(status))
    if (user)
      throw conflict(
        `The run ${user.name ?? user.id} is not over and learns in it.`,
        'Cancel that run first.',
      )
    await data.memories.release(id)
    return trash.put({ what: 'memory', id, name }, [data.memories.folder(id)], clock.now())
  }

  /** A damaged memory has no other name than its id. */
  async function nameOfMemory(id: string): Promise<MemoryInfo> {
    const match = (await data.memories.list()).find((memory) => memory.id === id)
    if (match) return match
    throw new LoamError('NOT_FOUND', `There is no memory ${id}.`, {
      suggestion: 'Reload the list of memories.',
    })
  }

  async function removeRun(id: string): Promise<TrashItem> {
    const info = runs.get(id)
    if (info.status === 'running' || info.status === 'queued')
      throw conflict(`The run is ${info.status}.`, 'Cancel it, or wait until it is over.')
    const experiment = experimentOf(id)
    if (experiment !== null)
      throw conflict(`The run is part of the experiment "${experiment}".`, 'Remove the experiment.')
    try {
      await runs.forget(id)
      return await trash.put({ what: 'run', id, name: info.name ?? id }, [data.runs.folder(id)], clock.now())
    } catch (error) {
      await runs.adopt(id)
      throw error
    }
  }

  async function removeExperiment(id: string): Promise<TrashItem> {
    const { name, status } = experiments.get(id)
    if (status === 'running') throw conflict('The experiment is running.', 'Cancel it, or pause it first.')
    const cells = cellsOf(id)
    const folders = [experimentFolder(id), ...cells.map((runId) => data.runs.folder(runId))]
    await experiments.forget(id)
    try {
      for (const runId of cells) await runs.forget(runId)
      return await trash.put({ what: 'experiment', id, name }, folders, clock.now())
    } catch (error) {
      for (const runId of cells) await runs.adopt(runId)
      await experiments.adopt(id)
      throw error
    }
  }

  const remover = { memory: removeMemory, run: removeRun, experiment: removeExperiment }

  return {
    async use(): Promise<DiskUse> {
      const bytesOf = async (ids: readonly string[], folder: (id: string) => string) =>
        Object.fromEntries(
          await Promise.all(ids.map(async (id) => [id, await folderBytes(folder(id))] as const)),
        )
      const runBytes = await bytesOf(await data.runs.list(), data.runs.folder)
      const memories = (await data.memories.list()).map(({ id }) => id)
      const ids = experiments.list().map(({ id }) => id)
      const own = await bytesOf(ids, experimentFolder)
      return {
        memories: await bytesOf(memories, data.memories.folder),
        runs: runBytes,
        experiments: Object.fromEntries(
          ids.map((id) => [
            id,
            cellsOf(id).reduce((sum, runId) => sum + (runBytes[runId] ?? 0), own[id] ?? 0),
          ]),
        ),
        trash: await trash.bytes(),
      }
    },
    /** @throws LoamError `NOT_FOUND`, `BAD_INPUT` for a memory or experiment without a name */
    async rename({ what, id }: Kept, name: string): Promise<{ name: string | null }> {
      if (name === '' && what !== 'run')
        throw new LoamError('BAD_INPUT', 'It has to be called something.', { suggestion: 'Write a name.' })
      if (what === 'run') await runs.rename(id, name === '' ? null : name)
      else if (what === 'stream') await renameStream(id, name, data)
      else if (what === 'memory') await data.memories.rename(id, name)
      else await experiments.rename(id, name)
      return { name: name === '' ? null : name }
    },
    /** @throws LoamError `NOT_FOUND`, `CONFLICT` for what is at work or needed */
    remove({ what, id }: Kept): Promise<TrashItem> {
      return what === 'stream' ? removeStream(id, { data, runs, clock }, trash) : remover[what](id)
    },
    trash: (): Promise<TrashItem[]> => trash.list(),
    async restore(trashId: string): Promise<Kept> {
      const selection = await trash.restore(trashId)
      if (selection.what === 'run') await runs.adopt(selection.id)
      if (selection.what === 'experiment')
        for (const runId of await experiments.adopt(selection.id)) await runs.adopt(runId)
      return selection
    },
    /** What engines kept of prompts goes too: some may say what is gone for good. */
    async empty(trashIds: readonly string[] | null): Promise<{ bytes: number }> {
      const bytes = await trash.empty(trashIds)
      await rm(prefixStatesIn(data.path), { recursive: true, force: true })
      return { bytes }
    },
    /** Every kind of file looked at, and repaired where `repair` says so. */
    checkup: (repair: boolean): Promise<Checkup> =>
      checkDataFolder({ path: data.path, now: clock.now(), version, repair }),
    async repairMemory(memoryId: string): Promise<MemoryRepair> {
      await data.memories.release(memoryId)
      return repairMemory(data.memories.folder(memoryId), clock.now())
    },
  }
}

/** Where a stream of the data folder lies, and what lies there. @throws LoamError `NOT_FOUND` */
async function ownStream(id: string, data: DataFolder) {
  const folder = join(data.path, 'streams')
  const file = basename(id)
  const all = await namesIn(folder)
  if (dirname(resolve(id)) === resolve(folder) && all.includes(file)) return { folder, file, all }
  throw new LoamError('NOT_FOUND', `There is no stream ${id} in the data folder.`, {
    suggestion: 'Files of yours that lie elsewhere stay where they are.',
  })
}

/** Runs and experiments tell a stream by its file, which keeps its name: only what it is called changes, in a file beside it. */
async function renameStream(id: string, name: string, data: DataFolder): Promise<void> {
  const { folder, file } = await ownStream(id, data)
  await writeKept(titleFileOf(join(folder, file)), name)
}

/** A stream of the data folder, with the files of its tasks and what is kept beside it. */
async function removeStream(
  id: string,
  { data, runs, clock }: Pick<StorageDeps, 'data' | 'runs' | 'clock'>,
  trash: Trash,
): Promise<TrashItem> {
  const { folder, file, all } = await ownStream(id, data)
  const user = runs.list().find(({ config, status }) => config.stream === id && !OVER.has(status))
  if (user)
    throw conflict(`The run ${user.name ?? user.id} is not over and works on it.`, 'Cancel that run first.')
  const name = basename(file, extname(file))
  const own = all.filter((one) => one === file || one.startsWith(`${file}.`) || one === `${name}-files`)
  return trash.put(
    { what: 'stream', id, name },
    own.map((one) => join(folder, one)),
    clock.now(),
  )
}
