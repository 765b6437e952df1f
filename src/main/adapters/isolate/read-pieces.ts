import { abortable } from '../../../core/ground/abort'
import type { Found } from '../../../core/memory/experiences/import/log'
import type { Beginning, MemoryFileReply, MemoryFileRequest } from './work/memory-file'

/** Hands a request to the isolate that reads. */
export type AskReader = (name: string, request: MemoryFileRequest) => Promise<MemoryFileReply>

/** Names files that are read side by side. */
let last = 0

/**
 * What an isolate finds in a file whose pieces it is handed as it asks for them. `name` is what the file is called in words about it.
 * @throws what `isolate` throws; AbortError
 */
export async function* readPieces(
  isolate: AskReader,
  name: string,
  begin: Beginning,
  pieces: AsyncIterable<string>,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  const id = ++last
  const source = pieces[Symbol.asyncIterator]()
  let isOver = false
  // Who stops does not wait for the piece at work, and the isolate goes on for others.
  const ask = (request: MemoryFileRequest): Promise<MemoryFileReply> =>
    abortable(isolate(name, request), signal)
  try {
    let reply = await ask({ id, begin })
    for (;;) {
      yield* reply.found
      isOver = reply.state === 'over'
      if (isOver) return
      if (reply.state === 'busy') reply = await ask({ id, goOn: true })
      else {
        const piece = await source.next()
        reply = await ask({ id, piece: piece.done === true ? null : piece.value })
      }
    }
  } finally {
    await source.return?.()
    if (!isOver) isolate(name, { id, leave: true }).catch(() => undefined)
  }
}
