import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { World } from '../../core/ground/environment-module'
import { QUESTION_ENVIRONMENT, findEnvironment } from '../../core/tasks'
import { ownStream, previewTable } from '../../core/streams/own-tasks'
import { questionOf } from '../../core/tasks/qa/environment'
import { WORKBOOKS, type WorkbookEngine } from '../../core/sheets/workbook'
import type { Table } from '../../core/streams/tables'
import {
  PREVIEW_ROWS,
  type OwnTasks,
  type TablePreview,
  type TableSource,
  type TasksPreview,
} from '../../shared/domain/own-tasks'
import type { StreamInfo } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'
import { writeKept } from '../ground/kept-file'
import { openTable, type OpenedTable } from './read-source'
import { readStream } from './read-stream'
import { bytesOfText } from '../ground/isolate/foreign-rows'
import type { FileBytes } from '../ground/isolate/foreign-rows'
import type { OpenedStream } from '../../core/streams/stream-library'
import type { StreamLibrary } from './stream-library'
import { slugOf } from '../ground/slug'
import { namesIn } from '../ground/names-in'
import { parseAnswerPosition } from '../../core/sheets/cells'

const refuse = (cause: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion: 'Correct the range, or put the workbook beside the file.' })

/** Cells of a workbook as text: a line per row, tabs between. @throws LoamError `BAD_INPUT` */
async function answerCells(
  engine: WorkbookEngine,
  folder: string | null,
  name: string,
  range: string,
): Promise<string> {
  if (folder === null || basename(name) !== name) throw refuse(`${name} is not beside the file.`)
  const bytes = await readFile(join(folder, name)).catch(() => null)
  if (bytes === null) throw refuse(`${name} is not beside the file.`)
  const ranges = range.trim() === '' ? null : parseAnswerPosition(range)
  if (ranges === null && range.trim() !== '') throw refuse(`"${range}" is no range of cells.`)
  return engine.open(bytes).text(ranges)
}

/** Tasks of a text that Loam made of a table. @throws LoamError `TASK_STREAM` */
async function readOwn(text: string, id: string): Promise<OpenedStream> {
  const read = await readStream(bytesOfText(text), { id, source: 'file' }, null)
  if ('made' in read) throw new Error(`${id} stands for ${read.made}.`)
  return read
}

/** Whose tasks a file holds as it stands; null when nobody's. */
async function knownTasks(file: FileBytes): Promise<TablePreview['known']> {
  try {
    const read = await readStream(file, { id: file.name, source: 'file' }, null)
    return 'made' in read ? null : { environment: read.info.environment, tasks: read.tasks.length }
  } catch (error) {
    if (error instanceof LoamError) return null
    throw error
  }
}

/** Own tasks under a name, with files that each of them gets. */
export interface KeptTasks extends OwnTasks {
  readonly title: string
  /** Paths of files on the host's disk. */
  readonly documents: readonly string[]
}

/** People's own tasks: looked at, tried, and kept as streams. */
export type OwnTasksArea = ReturnType<typeof createOwnTasks>

/** `folder` is where streams of the data folder lie; it may not exist yet. */
export function createOwnTasks(folder: string, streams: StreamLibrary, world: World) {
  /** Answers that name a workbook become its cells. */
  const withCells = async (table: OpenedTable, { columns, check }: OwnTasks): Promise<Table> => {
    const { answer } = columns
    if (check.kind !== 'cells' || answer === null) return table.table
    const engine = await world.port(WORKBOOKS)
    const entries = []
    for (const entry of table.table.entries) {
      const row = entry.value as Readonly<Record<string, unknown>> | undefined
      const reference = row?.[answer]
      if (typeof reference !== 'string' || !/\.xlsx$/i.test(reference.trim())) entries.push(entry)
      else {
        const cells = await answerCells(engine, table.folder, reference.trim(), check.range)
        entries.push({ ...entry, value: { ...row, [answer]: cells } })
      }
    }
    return { ...table.table, entries }
  }

  const nextVersion = async (slug: string): Promise<number> => {
    const names = await namesIn(folder)
    const pattern = new RegExp(`^own-${slug}-v(\\d+)(?:\\.jsonl|-files)$`)
    return 1 + Math.max(0, ...names.map((name) => Number(pattern.exec(name)?.[1] ?? 0)))
  }

  return {
    /** What is seen of a table, a file or a folder. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
    async look(source: TableSource): Promise<TablePreview> {
      const { table, file } = await openTable(source)
      return previewTable(table, file && (await knownTasks(file)))
    },
    /** What its first rows would become, and whether the check takes their own answers. @throws LoamError */
    async try(tasks: OwnTasks): Promise<TasksPreview> {
      const openedTable = await openTable(tasks.source)
      const table = await withCells(openedTable, tasks)
      const draft = { id: 'draft', title: 'Draft', version: 1, files: null, documents: [] }
      const parsed = await readOwn(ownStream(table, tasks.columns, tasks.check, draft), 'The tasks')
      const verify = await findEnvironment(QUESTION_ENVIRONMENT).verifier(world)
      const views = []
      for (const task of parsed.tasks.slice(0, PREVIEW_ROWS)) {
        const { references, attachments } = questionOf(task)
        const verdict = await verify(task)
        views.push({
          question: task.instruction,
          answer: references.join(' / '),
          files: attachments.map(({ name }) => name),
          own: ({ agrees: 'right', disagrees: 'wrong', unknown: 'untold' } as const)[verdict.kind],
          why: verdict.kind === 'agrees' ? '' : verdict.why,
        })
      }
      return { tasks: views, reading: parsed.info.reading }
    },
    /** Keeps them as a stream of the data folder; under a title that is taken, as its next version. @throws LoamError */
    async keep(tasks: KeptTasks): Promise<StreamInfo> {
      const openedTable = await openTable(tasks.source)
      const table = await withCells(openedTable, tasks)
      const slug = slugOf(tasks.title, 'tasks')
      const version = await nextVersion(slug)
      const id = `own-${slug}-v${version}`
      const documents = tasks.documents.map((path) => resolve(path))
      const title = version === 1 ? tasks.title : `${tasks.title} (version ${version})`
      const header = { id, title, version, documents: documents.map((path) => basename(path)) }
      // Read once before anything is written, so that what cannot be used leaves nothing behind.
      const draft = await readOwn(
        ownStream(table, tasks.columns, tasks.check, { ...header, files: null }),
        title,
      )
      const references = draft.tasks.flatMap((task) => questionOf(task).attachments.map(({ name }) => name))
      const targets = [...new Set(references)]
      await mkdir(folder, { recursive: true })
      if (targets.length > 0)
        await takeFiles(targets, documents, openedTable.folder, join(folder, `${id}-files`))
      const files = targets.length > 0 ? `${id}-files` : null
      const text = ownStream(table, tasks.columns, tasks.check, { ...header, files })
      const path = join(folder, `${id}.jsonl`)
      await writeKept(path, text)
      return (await streams.load(path)).info
    },
  }
}

/** Copies tasks' files; one that is not there leaves its task out later, and says so. @throws LoamError for a document that is not there */
async function takeFiles(
  names: readonly string[],
  documents: readonly string[],
  folder: string | null,
  target: string,
): Promise<void> {
  await mkdir(target, { recursive: true })
  for (const name of names) {
    const document = documents.find((path) => basename(path) === name)
    const from = document ?? (folder === null ? null : join(folder, name))
    if (from === null) continue
    try {
      await copyFile(from, join(target, name))
    } catch (error) {
      if (document === undefined) continue
      throw new LoamError('NOT_FOUND', `${from} cannot be read (${errnoOf(error) ?? 'unknown'}).`, {
        suggestion: 'Name documents that are there.',
      })
    }
  }
}
