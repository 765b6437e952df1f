import {
  isOwnFormat,
  readableFormat,
  readableFormats,
  recogniseFormat,
  recognisedApart,
  type Readable,
} from '../../core/formats'
import type { Format } from '../../core/formats/format'
import type { Found, ReadContext } from '../../core/memory/experiences/import/log'
import { readPieces } from '../adapters/isolate/read-pieces'
import type { MemoryFileReply, MemoryFileRequest } from '../adapters/isolate/work/memory-file'
import type { WholeFile } from './read-text'
import { foreignReader } from '../ground/isolate/foreign'

const isolate = foreignReader<MemoryFileRequest, MemoryFileReply>('memory-file', {
  timeMs: 60_000,
  limits: { heapMb: 1536, processMb: 2500 },
  suggestion: 'It may be damaged. Have it written again, or split it.',
})

/** The format that is asked for, or, for `auto`, the one that a file looks like. @throws LoamError `BAD_INPUT` */
export async function formatOf(head: string, file: string, id: string): Promise<Readable> {
  if (id !== 'auto') return readableFormat(id)
  const formats = readableFormats()
  return recogniseFormat(head, file, formats, await recognisedApart(head, file, formats)).format
}

/** A file as its format reads it. */
export interface FormatInput {
  /** For words about it. */
  readonly name: string
  readonly pieces: AsyncIterable<string>
  /** The whole of it, for formats that are no text. */
  readonly bytes: (beside?: string) => Promise<WholeFile>
  /** A file in the same folder, for formats that name one. */
  readonly sibling?: (name: string) => Promise<Uint8Array | null>
}

/**
 * What a format finds in a file. Loam's own formats read in an isolate that they share; one of a module has been given one of its own when it came in.
 * @throws LoamError `BAD_INPUT` for a file that takes too long or too much memory; AbortError
 */
export async function* readFormat(
  format: Format,
  { name, pieces, bytes, sibling }: FormatInput,
  context: ReadContext,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  if (!isOwnFormat(format)) {
    yield* format.read?.(pieces, context) ?? format.readBytes?.((await bytes()).bytes, context) ?? []
    return
  }
  const { memoryId, now } = context
  const beside = format.sibling === undefined ? null : ((await sibling?.(format.sibling)) ?? null)
  const whole = format.read ? { bytes: null, beside } : await bytes(format.beside)
  const begin = { format: format.id, memoryId, now, ...whole }
  yield* readPieces(isolate, name, begin, pieces, signal)
}
