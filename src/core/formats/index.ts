import type { FormatInfo } from '../../shared/domain/format'
import { LoamError } from '../../shared/errors'
import { moduleList } from '../ground/module-list'
import { LOG_FORMATS } from '../memory/experiences/import'
import { agentKb } from './agent-kb'
import { archiveOf } from './archive'
import { mementoDummy } from './dummy'
import { shapeOf, UNRECOGNISED, type Recognition } from '../ground/recognition'
import type { Format } from './format'
import { ace } from './ace'
import { agentSkills } from './agent-skills'
import { agentsMd } from './agents-md'
import { axolotl } from './axolotl'
import { csv } from './csv'
import { dpo } from './dpo'
import { factList } from './fact-list'
import { hfDataset } from './hf-dataset'
import { chat } from './chat'
import { inspectLog } from './inspect'
import { inspectArchive } from './inspect/archive'
import { jsonl } from './jsonl'
import { langchain } from './langchain'
import { letta } from './letta'
import { llamaIndex } from './llama-index'
import { llamaPage } from './llama-page'
import { llmsTxt } from './llms-txt'
import { knowledgeGraph } from './knowledge-graph'
import { mem0 } from './mem0'
import { obsidian } from './obsidian'
import { opencodeDatabase } from './opencode-database'
import { parquet } from './parquet'
import { sentencePairs } from './sentence-pairs'
import { sft } from './sft'
import { tau2Results } from './tau2'
import { loam } from './loam'
import { mementoMemory } from './memory'
import { mementoTraining } from './training'

/** Names of files that formats read with another one in the same folder. */
export const isSibling = (name: string): boolean => readableFormats().some(({ sibling }) => sibling === name)

/** A file in an archive is of any format but this one. */
const archive: Format = archiveOf((head, name) => {
  const formats = readableFormats().filter((format) => format !== archive)
  return recogniseFormat(head, name, formats).format
}, isSibling)

/** Every format that a memory can be written as or read from, in the order people see them. */
export const FORMATS = moduleList<Format>([
  loam,
  agentSkills,
  agentsMd,
  obsidian,
  jsonl,
  csv,
  parquet,
  hfDataset,
  langchain,
  llamaIndex,
  factList,
  mem0,
  knowledgeGraph,
  letta,
  ace,
  llmsTxt,
  sft,
  dpo,
  axolotl,
  sentencePairs,
  mementoMemory,
  mementoDummy,
  mementoTraining,
  agentKb,
  inspectLog,
  inspectArchive,
  tau2Results,
  chat,
  llamaPage,
  opencodeDatabase,
  archive,
  ...LOG_FORMATS,
])

const OWN: ReadonlySet<Format> = new Set(FORMATS)
/** Whether a format comes with Loam, and not from a module. */
export const isOwnFormat = (format: Format): boolean => OWN.has(format)

type Writable = Format & Required<Pick<Format, 'write' | 'fileName'>>
/** One that reads text, or bytes. */
export type Readable = Format & (Required<Pick<Format, 'read'>> | Required<Pick<Format, 'readBytes'>>)

const isWritable = (format: Format): format is Writable => format.write !== undefined
const isReadable = (format: Format): format is Readable =>
  format.read !== undefined || format.readBytes !== undefined

/** Those that can be written, and those that can be read. */
const writableFormats = (): Writable[] => FORMATS.filter(isWritable)
export const readableFormats = (): Readable[] => FORMATS.filter(isReadable)

/** Loam's own: what a memory is written as when nobody says otherwise. */
export const OWN_FORMAT = loam.id

/** A format as people choose it. */
export const formatInfo = (format: Format): FormatInfo => ({
  id: format.id,
  title: format.title,
  writtenFor: format.writtenFor,
  keeps: format.keeps,
  loses: format.loses,
  writes: format.write !== undefined,
  reads: isReadable(format),
  folder: format.written === 'folder',
})

const getReference = <F extends Format>(formats: readonly F[], id: string, what: string): F => {
  const format = formats.find((candidate) => candidate.id === id)
  if (format) return format
  throw new LoamError('BAD_INPUT', `There is no format called "${id}" that a memory can be ${what}.`, {
    suggestion: `Use one of: ${formats.map((record) => record.id).join(', ')}.`,
  })
}

/** @throws LoamError `BAD_INPUT` naming the known formats */
export const writableFormat = (id: string): Writable => getReference(writableFormats(), id, 'written as')

/** @throws LoamError `BAD_INPUT` naming the known formats */
export const readableFormat = (id: string): Readable => getReference(readableFormats(), id, 'read from')

/** Confidences closer than this are the same. */
const CLOSE = 0.01

/** What the formats that are asked in another process say of a file's beginning. */
export async function recognisedApart<F extends Format>(
  head: string,
  name: string,
  formats: readonly F[],
): Promise<ReadonlyMap<F, Recognition>> {
  const asks = formats.flatMap((format) => {
    const answer = format.recogniseApart?.(withoutMark(head), name)
    return answer ? [answer.then((recognition) => [format, recognition] as const)] : []
  })
  return new Map(await Promise.all(asks))
}

const withoutMark = (head: string): string => head.replace(/^\uFEFF/, '')

/**
 * The format that a file's first 64 KiB look most like; `formats` in any order. `apart`: what is known of formats that are asked in another process.
 * @throws LoamError `BAD_INPUT` when it looks like none, is empty, or looks like two formats alike
 */
export function recogniseFormat<F extends Format>(
  head: string,
  name: string,
  formats: readonly F[],
  apart: ReadonlyMap<F, Recognition> = new Map(),
): { readonly format: F; readonly seen: string } {
  const text = withoutMark(head)
  const answers = formats
    .map((format) => ({ format, ...(apart.get(format) ?? format.recognise?.(text, name) ?? UNRECOGNISED) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence)
  const [best, second] = answers
  if (best && (!second || best.confidence - second.confidence > CLOSE)) return best
  if (best && second) throw tied([best, second].sort((a, b) => (a.format.id < b.format.id ? -1 : 1)))
  if (text.trim() === '')
    throw new LoamError('BAD_INPUT', 'There is nothing in the file.', {
      suggestion: 'Write or fetch it again, or choose another one.',
    })
  throw new LoamError(
    'BAD_INPUT',
    `The file does not look like any format that Loam reads: it is ${shapeOf(text)}.`,
    {
      suggestion: text.startsWith(ARCHIVE)
        ? 'Of a workbook, save the sheet as CSV. Tasks in a workbook are read by Streams, and files to search in by My files.'
        : 'Name its format if you know it; "loam kb formats" lists them. Tables of tasks are read by Streams, and files to search in by My files.',
    },
  )
}

/** How a ZIP archive begins, and so every workbook of today. */
const ARCHIVE = 'PK\u0003\u0004'

const tied = (answers: readonly { readonly format: Format; readonly seen: string }[]): LoamError =>
  new LoamError(
    'BAD_INPUT',
    `The file may be ${answers.map(({ format, seen }) => `${format.title} (it has ${seen})`).join(' or ')}.`,
    { suggestion: `Choose: name the format ${answers.map(({ format }) => format.id).join(' or ')}.` },
  )
