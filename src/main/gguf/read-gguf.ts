import { foreignReader } from '../ground/isolate/foreign'
import { createSerial } from '../../shared/serial'
import { withGguf, type GgufHeader } from './gguf-header'
import type { GgufReply, GgufRequest } from './gguf-talk'

const isolate = foreignReader<GgufRequest, GgufReply>('gguf', {
  timeMs: 20_000,
  limits: { heapMb: 512, processMb: 800 },
  code: 'MODEL_NOT_GGUF',
  suggestion: 'Download or copy the file again.',
})

/** One file after the other: the isolate has one at a time. */
const inTurn = createSerial()

/**
 * Reads a GGUF's header in an isolate, which gets the bytes that it asks for, and checks that every tensor lies inside the file. `arrays` names
 * the arrays to keep. One isolate reads many files; it never touches the weights.
 * @throws LoamError `MODEL_NOT_FOUND`, `MODEL_NOT_GGUF`, `MODEL_TRUNCATED`
 */
export const readGgufHeader = (path: string, arrays: readonly string[] = []): Promise<GgufHeader> =>
  withGguf(path, ({ sizeBytes, read }) =>
    inTurn(async () => {
      let reply = await isolate(path, { path, sizeBytes, arrays })
      while (reply.kind === 'more') {
        const { at, length } = reply
        reply = await isolate(path, { piece: await read(at, length) })
      }
      return reply.header
    }),
  )
