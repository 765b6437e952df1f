import { isOwnFormat } from '../../core/formats'
import type { Format } from '../../core/formats/format'
import type { Found, ReadContext } from '../../core/memory/experiences/import/log'
import { readPieces } from '../adapters/isolate/read-pieces'
import type { MemoryFileReply, MemoryFileRequest } from '../adapters/isolate/work/memory-file'
import { foreignReader } from '../ground/isolate/foreign'

const isolate = foreignReader<MemoryFileRequest, MemoryFileReply>('memory-file', {
  timeMs: 60_000,
  limits: { heapMb: 1536, processMb: 2500 },
  suggestion: 'It may be damaged. Have it written again, or split it.',
})

/** A file as its format reads it. */
export interface FormatInput {
  /** For words about it. */
  readonly name: string
  readonly pieces: AsyncIterable<string>
  /** The whole of it, for formats that are no text. */
  readonly bytes: () => Promise<Uint8Array>
}

/**
 * What a format finds in a file. Loam's own formats read in an isolate that they share; one of a module has been given one of its own when it came in.
 * @throws LoamError `BAD_INPUT` for a file that takes too long or too much memory; AbortError
 */
export async function* readFormat(
  format: Format,
  { name, pieces, bytes }: FormatInput,
  context: ReadContext,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  if (!isOwnFormat(format)) {
    yield* format.read?.(pieces, context) ?? format.readBytes?.(await bytes(), context) ?? []
    return
  }
  const { memoryId, now } = context
  const begin = { format: format.id, memoryId, now, bytes: format.read ? null : await bytes() }
  yield* readPieces(isolate, name, begin, pieces, signal)
}
