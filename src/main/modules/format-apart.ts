import { dirname } from 'node:path'
import type { Format } from '../../core/formats/format'
import { LoamError } from '../../shared/errors'
import { readPieces } from '../adapters/isolate/read-pieces'
import type { MemoryFileReply, MemoryFileRequest } from '../adapters/isolate/work/memory-file'
import { foreignReader } from '../ground/isolate/foreign'
import { IsolateError } from '../ground/isolate/isolate'
import type { FormatCode, FormatReply, FormatRequest } from './format-talk'

/** A failure of the module's own code, not of a file that took too long. */
const isOwnFailure = (error: unknown): error is LoamError & { readonly cause: IsolateError } =>
  error instanceof LoamError && error.cause instanceof IsolateError && error.cause.reason === 'problem'

/**
 * The format of a module, with its reading done in an isolate: what it makes of a file from outside can neither block nor reach this process. What it
 * writes of a memory it writes here.
 * @throws Error for what the module's own code failed with; LoamError `BAD_INPUT` for a file that took too long or too much memory
 */
export function readApart(format: Format, code: FormatCode, timeMs = 60_000): Format {
  const isolate = foreignReader<FormatRequest, FormatReply>('module-format', {
    timeMs,
    limits: { heapMb: 1024, processMb: 2000 },
    folder: dirname(code.folder),
    suggestion: `"${code.title}" may not be made for such a file. Choose another format.`,
  })
  const ask = async (name: string, request: FormatRequest): Promise<FormatReply> => {
    try {
      return await isolate(name, request)
    } catch (error) {
      throw isOwnFailure(error) ? new Error(error.cause.message, { cause: error }) : error
    }
  }
  const reading = async (name: string, request: MemoryFileRequest): Promise<MemoryFileReply> => {
    const reply = await ask(name, { code, reading: request })
    if ('reading' in reply) return reply.reading
    throw new Error('It was answered as if it had been asked for something else.')
  }
  const { recognise, read, readBytes, ...others } = format
  const { id } = format
  return {
    ...others,
    ...(recognise && {
      recogniseApart: async (head: string, name: string) => {
        // Whoever cannot look at so little text in time has failed, whatever the file.
        const reply = await ask(name, { code, head, name }).catch((error: unknown) => {
          throw error instanceof LoamError ? new Error(error.why, { cause: error }) : error
        })
        if ('recognition' in reply) return reply.recognition
        throw new Error('It was answered as if it had been asked for something else.')
      },
    }),
    ...(read && {
      read: (pieces, { memoryId, now }) =>
        readPieces(reading, code.title, { format: id, memoryId, now, bytes: null, beside: null }, pieces),
    }),
    ...(readBytes && {
      readBytes: (bytes, { memoryId, now }) =>
        readPieces(reading, code.title, { format: id, memoryId, now, bytes, beside: null }, noPieces()),
    }),
  }
}

async function* noPieces(): AsyncGenerator<string> {
  // The whole of the file came with the first request.
}
