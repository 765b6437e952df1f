import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { basename, dirname, extname, isAbsolute, join, parse, resolve } from 'node:path'
import { findEnvironment } from '../../core/tasks'
import { findGenerator, GENERATORS, isForDemoModel, openNamedStream } from '../../core/tasks/generators'
import { listStreams, openStream, type OpenedStream } from '../../core/streams/stream-library'
import { ROW_FILES, ROW_PACKS } from '../../shared/domain/own-tasks'
import type { StreamInfo, Task } from '../../shared/domain/task'
import type { ForeignAttempt } from '../../core/lab/foreign-attempt'
import { LoamError } from '../../shared/errors'
import { readBytes } from '../ground/isolate/foreign-rows'
import { readStream } from './read-stream'
import { errnoOf, replaceFile } from '../ground/atomic-file'
import { readKept, removeKept, writeKept } from '../ground/kept-file'
import { refuseSpecialFile } from '../ground/plain-file'
import { withTaskFiles } from './task-files'
import { broughtFolders } from '../ground/module-folders'
import { namesIn } from '../ground/names-in'

export interface LoadedStream {
  readonly info: StreamInfo
  readonly tasks: readonly Task[]
  /** Absolute folder of the tasks' files. */
  readonly files: string
  /** Attempts of another agent that a memory starts with; their ids are their places. Default: none. */
  readonly given?: readonly ForeignAttempt[]
}

/** Task streams: the bundled ones, those generated into the data folder, and any file. */
export type StreamLibrary = ReturnType<typeof openStreamLibrary>

/** Endings of task files that lie in the data folder. */
const TASK_ENDINGS = [...ROW_FILES, ...ROW_PACKS].map((ending) => `.${ending}`)

/** What a person calls a stream of the data folder lies beside it. */
export const titleFileOf = (path: string): string => `${path}.title`

/** What data sets call the file with their tasks, where other files lie beside it. */
const TASK_FILES = ['tasks.json', 'dataset.json', 'metadata.jsonl']

/** The file with the tasks, where a path is the folder of a data set; else the path. */
async function tasksWithin(path: string): Promise<string> {
  const names = await readdir(path).catch((): string[] => [])
  const matches = TASK_FILES.filter((name) => names.includes(name))
  return matches.length === 1 ? join(path, matches[0] ?? '') : path
}

/** Tasks that are hashed before others get a turn. */
const TASKS_AT_ONCE = 1000

/** SHA-256 of the tasks a run takes, so that two runs can tell whether they did the same work. */
export async function hashTasks(tasks: readonly Task[]): Promise<string> {
  const hash = createHash('sha256').update('[')
  for (const [i, task] of tasks.entries()) {
    hash.update(`${i > 0 ? ',' : ''}${JSON.stringify(task)}`)
    if (i % TASKS_AT_ONCE === TASKS_AT_ONCE - 1) await nextTurn()
  }
  return hash.update(']').digest('hex')
}

/** A stream that is made from its name; null when it is no such name. @throws LoamError `BAD_INPUT` where it is nearly one */
function loadNamed(name: string, files: string): LoadedStream | null {
  const stream = openNamedStream(name)
  if (!stream) return null
  const { info, tasks } = openStream({ id: stream.id, text: stream.text, source: 'made' })
  const handedOver =
    stream.given === null ? [] : openStream({ id: stream.id, text: stream.given.text, source: 'made' }).tasks
  const { by = '', replies = [] } = stream.given ?? {}
  const inputs = handedOver.map((task, i) => ({ id: String(i), by, task, replies: replies[i] ?? [] }))
  return { info, tasks, files, given: inputs }
}

/** Opens the library over the bundled folder and a folder for generated streams, which may not exist yet. */
export function openStreamLibrary(bundledFolder: string, ownFolder: string) {
  const names = async (folder: string, endings: readonly string[] = ['.jsonl']): Promise<string[]> =>
    (await namesIn(folder)).filter((name) => endings.includes(extname(name).toLowerCase()))

  /** Streams known by their names: Loam's own, and those that modules in use bring. */
  const bundledFolders = (): string[] => [bundledFolder, ...broughtFolders('streams')]
  const bundledPath = async (id: string): Promise<string | null> => {
    for (const folder of bundledFolders())
      if ((await names(folder)).includes(`${id}.jsonl`)) return join(folder, `${id}.jsonl`)
    return null
  }
  /** Only what comes with Loam itself is read here; what others made is read apart. */
  const read = async (path: string, id: string | null): Promise<OpenedStream | { readonly made: string }> =>
    id !== null && dirname(resolve(path)) === resolve(bundledFolder)
      ? openStream({ id, text: await readFile(path, 'utf8'), source: 'bundled' })
      : readStream(
          await readBytes(path),
          { id: id ?? path, source: id === null ? 'file' : 'bundled' },
          dirname(path),
        )

  const folders = new Map<string, string>()
  /** Streams that are made from their names, as long as this is open. */
  const streamMap = new Map<string, LoadedStream>()

  const load = async (id: string): Promise<LoadedStream> => {
    const stream = streamMap.get(id) ?? loadNamed(id, bundledFolder)
    if (stream) {
      streamMap.set(id, stream)
      folders.set(stream.info.id, bundledFolder)
      return stream
    }
    const bundled = await bundledPath(id)
    const path = bundled ?? (await tasksWithin(resolve(id)))
    await refuseSpecialFile(path, 'BAD_INPUT')
    let openedStream: OpenedStream | { readonly made: string }
    try {
      openedStream = await read(path, bundled === null ? null : id)
    } catch (error) {
      if (error instanceof LoamError) throw error
      const why = errnoOf(error) === 'ENOENT' ? 'there is no such file' : (error as Error).message
      throw new LoamError(
        'NOT_FOUND',
        isAbsolute(id) ? `${path}: ${why}.` : `There is no bundled stream "${id}", and as a file: ${why}.`,
        {
          suggestion: `Bundled streams: ${(await names(bundledFolder)).map((n) => basename(n, '.jsonl')).join(', ')}.`,
        },
      )
    }
    if ('made' in openedStream) return load(openedStream.made)
    const files = openedStream.files === null ? dirname(path) : join(dirname(path), openedStream.files)
    const { info, tasks } = await withTaskFiles(openedStream, files)
    folders.set(bundled === null ? path : id, files)
    const demo = info.demo || tasks.every(isForDemoModel)
    const kind = findEnvironment(info.environment).words.tasks
    const description = info.description === '' ? `${tasks.length} ${kind} from a file.` : info.description
    const own = bundled === null && dirname(path) === resolve(ownFolder)
    const ownTitle = own ? await readKept(titleFileOf(path)) : null
    const title = ownTitle === null ? info.title : new TextDecoder().decode(ownTitle)
    return { info: { ...info, title, description, demo, ...(own && { own }) }, tasks, files }
  }

  return {
    /**
     * Reads a stream by its bundled name, its name as a made one, or its path (relative paths from the working folder).
     * @throws LoamError `NOT_FOUND`, `TASK_STREAM`, `BAD_INPUT` for a name that is nearly one of a made stream
     */
    load,
    /** Folder of the files of a stream's tasks. @throws LoamError `TASK_STREAM` when it was not loaded before */
    filesOf(id: string): string {
      const folder = folders.get(id)
      if (folder !== undefined) return folder
      throw new LoamError('TASK_STREAM', `The stream ${id} is not open.`, { suggestion: 'Start a new run.' })
    },
    /** A person's own streams first. A file that cannot be read is left out; `inspect` says why. */
    async list(): Promise<StreamInfo[]> {
      const bundled = (await Promise.all(bundledFolders().map((folder) => names(folder))))
        .flat()
        .map((name) => basename(name, '.jsonl'))
      const own = (await names(ownFolder, TASK_ENDINGS)).map((name) => join(ownFolder, name))
      const read = await Promise.allSettled([...bundled, ...own].map((id) => load(id)))
      return listStreams(read.flatMap((result) => (result.status === 'fulfilled' ? [result.value.info] : [])))
    },
    /** Keeps a copy of a task file in the list. @throws LoamError `TASK_STREAM`, `BAD_INPUT`; nothing is kept then */
    async take(fileName: string, bytes: Uint8Array): Promise<StreamInfo> {
      // Read before it is written, so that a refusal names the file that the person knows.
      const name = basename(fileName)
      await readStream({ name, bytes }, { id: name, source: 'file' }, null)
      const path = await newPath(ownFolder, fileName)
      await mkdir(ownFolder, { recursive: true })
      await writeKept(path, bytes)
      try {
        return (await load(path)).info
      } catch (error) {
        await removeKept(path)
        throw error
      }
    },
    /** Keeps a made stream in the list, as a file that stands for it. @throws LoamError `BAD_INPUT` for a name that is none */
    async keepMade(name: string): Promise<StreamInfo> {
      const stream = openNamedStream(name)
      if (!stream)
        throw new LoamError('BAD_INPUT', `"${name}" is no name of a made stream.`, {
          suggestion: 'Choose its kind and its numbers.',
        })
      const { info } = await load(stream.id)
      const file = `${stream.id.replace(/[^a-z0-9]+/gi, '-')}.jsonl`
      await mkdir(ownFolder, { recursive: true })
      const header = { id: info.id, title: info.title, made: info.id }
      await writeKept(join(ownFolder, file), `${JSON.stringify({ stream: header })}\n`)
      return info
    },
    /**
     * Writes `tasks` tasks of a generator's world `world` as JSONL, and the files that they name into a folder of the same name beside it; default file:
     * in the data folder, default generator: the first.
     * @throws LoamError `BAD_INPUT` when nothing is called `generator`
     */
    async generate(
      world: number,
      tasks: number,
      file?: string,
      generator: string = GENERATORS[0].id,
    ): Promise<StreamInfo> {
      const { id, words, generate, files } = findGenerator(generator)
      const path = resolve(file ?? join(ownFolder, `${id}-world-${world}-${tasks}.jsonl`))
      if (file === undefined) await mkdir(ownFolder, { recursive: true })
      const rows = [...generate(world, tasks)]
      if (files) {
        const { dir, name, ext } = parse(path)
        const folder = ext === '' ? `${name}-files` : name
        await mkdir(join(dir, folder), { recursive: true })
        for (const [fileName, text] of files(world)) await replaceFile(join(dir, folder, fileName), text)
        rows.unshift({ stream: { id: name, title: `${words.title}: ${world}`, files: folder } })
      }
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      await (file === undefined ? writeKept(path, lines) : replaceFile(path, lines))
      return (await load(path)).info
    },
  }
}

/** Where a file of this name is kept: under a number where another has it, without characters that some disks refuse. */
async function newPath(folder: string, fileName: string): Promise<string> {
  const plain = basename(fileName).replace(/[^\p{L}\p{N} ._-]/gu, '-')
  const { name, ext } = parse(plain)
  const others = (await namesIn(folder)).map((one) => one.toLowerCase())
  let file = `${name}${ext}`
  for (let n = 2; others.includes(file.toLowerCase()); n++) file = `${name}-${n}${ext}`
  return join(folder, file)
}
