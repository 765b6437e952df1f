import { readFile, stat } from 'node:fs/promises'
import type { ReadRecordings } from '../../../core/ground/recording'
import type { OpenedStream } from '../../../core/streams/stream-library'
import type { Table } from '../../../core/streams/tables'
import type { StreamInfo } from '../../../shared/domain/task'
import { LoamError } from '../../../shared/errors'
import { foreignReader } from './foreign'
import { readKept } from '../kept-file'
import { LONGEST_ROWS } from './longest-rows'

/** A file as it lies. */
export interface FileBytes {
  /** What it is called, for words about it; its ending tells YAML. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file of rows, and what is made of them: the tasks of a stream, a table of people's own, or recorded attempts. */
export type RowsRequest =
  | {
      readonly as: 'stream'
      /** What the stream is called when its file does not say. */
      readonly id: string
      readonly source: StreamInfo['source']
      readonly file: FileBytes
      /** The files that it names, by these names; none for a name that leads nowhere. */
      readonly beside: ReadonlyMap<string, readonly FileBytes[]>
    }
  | { readonly as: 'table'; readonly file: FileBytes }
  | { readonly as: 'recordings'; readonly file: FileBytes }

/** A task of a stream, and where it stands in its file. */
export type StreamRow = readonly [OpenedStream['tasks'][number], OpenedStream['places'][number]]

/** What an isolate answers without its tasks, entries or recordings, which come before it in parts. */
export type RowsReply =
  | { readonly kind: 'stream'; readonly stream: OpenedStream }
  /** The file stands for a stream that is made from its name. */
  | { readonly kind: 'made'; readonly name: string }
  /** Tasks of an environment that does not come with Loam: it has its code where modules are. */
  | {
      readonly kind: 'elsewhere'
      readonly environment: string
      readonly text: string
      readonly notes: readonly string[]
    }
  /** Files that are named and were not handed over. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'recordings'; readonly read: ReadRecordings }

/** Most milliseconds that unpacking and reading a file may take. */
const READ_MS = 60_000

/** A file's bytes; its copy's where Loam keeps it and it is damaged. @throws LoamError `BAD_INPUT` for one that is too long; what the system says when it cannot be opened */
export async function readBytes(path: string): Promise<FileBytes> {
  const stats = await stat(path).catch(() => null)
  if ((stats?.size ?? 0) > LONGEST_ROWS)
    throw new LoamError('BAD_INPUT', `${path} holds more than ${LONGEST_ROWS / 1024 / 1024} MiB.`, {
      suggestion: 'Split it into several streams.',
    })
  return { name: path, bytes: (await readKept(path)) ?? new Uint8Array(await readFile(path)) }
}

/** Text that is no file as the bytes of one. */
export const bytesOfText = (text: string): FileBytes => ({
  name: 'The text',
  bytes: new TextEncoder().encode(text),
})

/** The rows of a table of people's own tasks. @throws LoamError `BAD_INPUT` in words */
export async function readTableApart(file: FileBytes): Promise<Table> {
  const reply = await readRowsApart({ as: 'table', file })
  if (reply.kind === 'table') return reply.table
  throw new Error(`${file.name} was read as ${reply.kind}.`)
}

/** Recorded attempts of a file. @throws LoamError `BAD_INPUT`; what the system says when it cannot be opened */
export async function readRecordingsApart(path: string): Promise<ReadRecordings> {
  const reply = await readRowsApart({ as: 'recordings', file: await readBytes(path) })
  if (reply.kind === 'recordings') return reply.read
  throw new Error(`${path} was read as ${reply.kind}.`)
}

const ask = foreignReader<RowsRequest, RowsReply>('rows', {
  timeMs: READ_MS,
  limits: { heapMb: 1536, processMb: 2500 },
  suggestion: 'It may be damaged. Save it as CSV or JSONL, and choose that file.',
})

/**
 * What a file of tasks holds, read in a process of its own, which ends with one that takes too long or too much memory.
 * @throws LoamError `BAD_INPUT`, `TASK_STREAM`
 */
export async function readRowsApart(request: RowsRequest): Promise<RowsReply> {
  const list: unknown[] = []
  const reply = await ask(request.file.name, request, undefined, (part) => void list.push(...part))
  if (reply.kind === 'table')
    return { kind: 'table', table: { ...reply.table, entries: list as Table['entries'] } }
  if (reply.kind === 'recordings')
    return { kind: 'recordings', read: { ...reply.read, recordings: list as ReadRecordings['recordings'] } }
  if (reply.kind !== 'stream') return reply
  const rows = list as StreamRow[]
  const tasks = rows.map(([task]) => task)
  return { kind: 'stream', stream: { ...reply.stream, tasks, places: rows.map(([, place]) => place) } }
}
