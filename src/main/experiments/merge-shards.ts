import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { canonicalJson } from '../../core/ground/canonical-json'
import { planCells } from '../../core/lab/experiment'
import type { Study } from '../../shared/domain/experiment'
import { LoamError } from '../../shared/errors'
import { rename, rm } from '../ground/steady-files'
import { openExperimentStore, type ExperimentRecord } from './experiment-store'

/** What was put together from the data folders of several machines. */
export interface MergedShards {
  readonly id: string
  /** Cells that are here now, and those that no folder had. */
  readonly cells: number
  readonly missing: readonly string[]
}

/** What two shards of one experiment share: everything but which part each is, and where its model lies. */
const commonOf = ({ definition, hashes, id }: ExperimentRecord): string => {
  const { shard: _, model: __, experiences: ___, ...same } = definition
  return canonicalJson({ id, same, hashes })
}

const wholeOf = ({ shard: _, ...definition }: Study): Study => definition

/** The records of a data folder that are parts of experiments. @throws LoamError `NOT_FOUND` */
async function shardsIn(folder: string): Promise<ExperimentRecord[]> {
  const path = resolve(folder)
  const { records } = await openExperimentStore(join(path, 'experiments')).loadAll()
  const shards = records.filter(({ definition }) => definition.shard !== undefined)
  if (shards.length > 0) return shards
  throw new LoamError('NOT_FOUND', `${path} holds no part of an experiment.`, {
    suggestion: 'Name data folders in which "loam experiment --shard I/N" was run.',
  })
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Copies a folder under its name all at once; one that is there already stays. */
async function bring(from: string, to: string): Promise<void> {
  if ((await isThere(to)) || !(await isThere(from))) return
  const partial = `${to}.${process.pid}.tmp`
  await mkdir(join(to, '..'), { recursive: true })
  try {
    await cp(from, partial, { recursive: true })
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/**
 * Puts parts of one experiment, played in data folders of their own, together in this one: runs, memories and one record with all cells, in the order
 * of the plan. The same folder again changes nothing. What is missing can be played by resuming.
 * @throws LoamError `NOT_FOUND`, `CONFLICT` for parts of different experiments, or an experiment of that id that is whole already
 */
export async function mergeShards(dataPath: string, folders: readonly string[]): Promise<MergedShards> {
  const store = openExperimentStore(join(dataPath, 'experiments'))
  const parts: { readonly folder: string; readonly record: ExperimentRecord }[] = []
  for (const folder of folders)
    for (const record of await shardsIn(folder)) parts.push({ folder: resolve(folder), record })
  const [first] = parts
  if (!first) throw new LoamError('NOT_FOUND', 'No folder was named.', { suggestion: 'Name at least one.' })
  const other = parts.find(({ record }) => commonOf(record) !== commonOf(first.record))
  if (other)
    throw new LoamError(
      'CONFLICT',
      `${other.folder} holds a part of another experiment, model, stream or prompt.`,
      { suggestion: 'Put together what was started with the same definition.' },
    )
  const { id, definition } = first.record
  for (const { folder, record } of parts) {
    for (const { key, runId } of record.cells) {
      await bring(join(folder, 'runs', runId), join(dataPath, 'runs', runId))
      await bring(join(folder, 'experiments', id, 'spaces', key), store.memoryFolder(id, key))
    }
  }
  const here = new Set(await readdir(join(dataPath, 'runs')).catch(() => []))
  // In a suite each stream has a number of tasks of its own, which the parts know.
  const tasks = new Map(parts.flatMap(({ record }) => record.cells.map((cell) => [cell.stream, cell.tasks])))
  const cells = planCells(id, wholeOf(definition)).map((cell) => {
    const own = tasks.get(cell.stream)
    return own === undefined ? cell : { ...cell, tasks: own }
  })
  const gaps = cells.filter(({ runId }) => !here.has(runId)).map(({ key }) => key)
  const over = gaps.length === 0 && parts.every(({ record }) => record.status === 'done')
  const times = parts.map(({ record }) => record.finishedAt ?? '').sort()
  await store.save({
    ...first.record,
    definition: wholeOf(definition),
    cells,
    status: over ? 'done' : 'paused',
    problem: null,
    finishedAt: over ? (times.at(-1) ?? null) : null,
    refused: Object.assign({}, ...parts.map(({ record }) => record.refused)) as ExperimentRecord['refused'],
  })
  return { id, cells: cells.length - gaps.length, missing: gaps }
}
