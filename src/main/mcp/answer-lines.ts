import { LinePieces } from '../../core/ground/line-pieces'
import { boundedText } from '../net/bounded-text'
import { READ_IN_HOST, readMessage } from '../ground/isolate/foreign-answer'

/** Most bytes of one message of a tool server. */
export const MOST_MESSAGE_BYTES = 16 * 1024 * 1024

/** A long message as what an isolate read of it, written anew: its values are counted, and its nesting. */
const renewed = async (text: string, where: string): Promise<string> =>
  text.length <= READ_IN_HOST ? text : JSON.stringify(await readMessage(text, where))

/**
 * An answer of a tool server over HTTP for a client that parses it: each message in it that is long was read in an isolate before.
 * @param where names the server
 */
export async function checkedAnswer(answer: Response, where: string): Promise<Response> {
  if (answer.body === null) return answer
  const { status, statusText, headers } = answer
  const type = headers.get('content-type') ?? ''
  const body = type.includes('event-stream')
    ? answer.body.pipeThrough(checkedEvents(where))
    : await renewed(await boundedText(answer, MOST_MESSAGE_BYTES), where)
  return new Response(body, { status, statusText, headers })
}

/** Server-sent events, handed on line by line: a client that waits for the end of a line looks at what it has with every piece. */
function checkedEvents(where: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const lines = new LinePieces()
  /** Of the line that has not ended. */
  let bytes = 0
  type Out = TransformStreamDefaultController<Uint8Array>
  const tell = async (line: string, out: Out): Promise<void> => {
    const [field = ''] = /^data: ?/.exec(line) ?? []
    const isLong = field !== '' && line.length > READ_IN_HOST
    const text = isLong ? field + (await renewed(line.slice(field.length), where)) : line
    out.enqueue(encoder.encode(`${text}\n`))
  }
  const take = async (piece: string, out: Out): Promise<void> => {
    for (const line of lines.push(piece)) await tell(line, out)
  }
  return new TransformStream({
    transform(chunk, out) {
      const end = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d))
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end - 1
      if (bytes > MOST_MESSAGE_BYTES)
        throw new Error(`The server's answer is larger than ${MOST_MESSAGE_BYTES} bytes.`)
      return take(decoder.decode(chunk, { stream: true }), out)
    },
    async flush(out) {
      await take(decoder.decode(), out)
      const rest = lines.end()
      if (rest !== '') await tell(rest, out)
    },
  })
}
