import type { StreamInfo, Task } from '../../shared/domain/task'
import { rowsStem } from '../../shared/domain/own-tasks'
import { type RowPlace } from '../../shared/domain/reading'
import { parseStream, type ParsedStream } from './parse-stream'

/** A stream with its tasks, as experiments use it. */
export interface TaskStream {
  readonly info: StreamInfo
  readonly tasks: readonly Task[]
}

/** A stream as its file has it. */
export interface OpenedStream extends TaskStream {
  /** Where each task stands. */
  readonly places: readonly RowPlace[]
  /** Folder of the tasks' files, beside the stream; null: the stream's own folder. */
  readonly files: string | null
}

export interface StreamFile {
  /** What the stream is called when its header does not say: a bundled name or an absolute path. */
  readonly id: string
  readonly text: string
  readonly source: StreamInfo['source']
  /** What had to be done to read the file, for the report. Default: nothing. */
  readonly notes?: readonly string[]
}

/** Reads one stream file. Throws `TASK_STREAM` when nothing in it can be used. */
export function openStream(file: StreamFile): OpenedStream {
  const parsed = parseStream(file.text, file.id)
  const { tasks, places, header } = parsed
  return { info: describeStream(file, parsed), tasks, places, files: header?.files ?? null }
}

function describeStream(file: StreamFile, { header, tasks, reading }: ParsedStream): StreamInfo {
  const bundled = file.source !== 'file'
  return {
    // A file is known by its path, so that two files with the same header stay apart.
    id: bundled ? (header?.id ?? file.id) : file.id,
    title: header?.title ?? titleOf(file.id),
    description: header?.description ?? '',
    environment: header?.environment ?? tasks[0]?.environment ?? '',
    tasks: tasks.length,
    skills: skillsOf(tasks),
    source: file.source,
    demo: header?.demo ?? false,
    ...(header?.licence !== undefined && { licence: header.licence }),
    reading: { ...reading, notes: [...(file.notes ?? []), ...reading.notes] },
  }
}

const titleOf = (id: string): string => {
  const name = id.split(/[\\/]/).at(-1) ?? id
  return rowsStem(name) ?? name
}

/** Every skill of the tasks once, in alphabetical order. */
export const skillsOf = (tasks: readonly Task[]): string[] =>
  [...new Set(tasks.flatMap((task) => task.skills))].sort()

/** Streams in the order a person looks for them: their own, demo streams, other bundled ones; each by id. */
export const listStreams = (infos: readonly StreamInfo[]): StreamInfo[] => {
  const rank = (info: StreamInfo): number => (info.source !== 'bundled' ? 0 : info.demo ? 1 : 2)
  return [...infos].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
