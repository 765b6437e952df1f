import { StringDecoder } from 'node:string_decoder'
import { LinePieces } from '../../../core/ground/line-pieces'
import { emptyAnswer, isJson, type Dialect, type ReadAnswer } from './dialects/dialect'

/** Most characters of an answer that are read; more passes unread. */
const LONGEST = 16 * 1024 * 1024

/** Reads an answer from the bytes that pass, and never changes them. */
export interface AnswerReader {
  bytes(chunk: Uint8Array): void
  /** Whether the server has said how the answer ended. */
  isWhole(): boolean
  /** What was read; `isRead` false where nothing of it could be. */
  end(): { readonly answer: ReadAnswer; readonly isRead: boolean }
}

/** Reads answers whole, as server-sent events, as a line of JSON each, or as a list of them. */
export function answerReader(
  dialect: Dialect,
  contentType: string,
  /** Called when more of it was read. */
  onMore: (answer: ReadAnswer) => void = () => undefined,
): AnswerReader {
  const answer = emptyAnswer()
  const decoder = new StringDecoder('utf8')
  const byLine = /event-stream|ndjson|jsonl/.test(contentType)
  const lines = new LinePieces()
  let rest = ''
  let length = 0
  let events = 0
  const take = (json: string): void => {
    try {
      for (const event of [JSON.parse(json) as unknown].flat()) {
        if (!isJson(event)) continue
        dialect.take(answer, event)
        events++
        onMore(answer)
      }
    } catch {
      // Counted as unread where nothing else can be read.
    }
  }
  const takeLine = (line: string): void => {
    const text = line.startsWith('data:') ? line.slice(5).trim() : line.trim()
    if (text.startsWith('{') || text.startsWith('[{')) take(text)
  }
  const add = (text: string): void => {
    length += text.length
    if (length > LONGEST) return
    if (byLine) lines.push(text).forEach(takeLine)
    else rest += text
  }
  return {
    bytes: (chunk) => add(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
    isWhole: () => answer.finish !== null,
    end() {
      add(decoder.end())
      if (byLine) takeLine(lines.end())
      else take(rest)
      rest = ''
      return { answer, isRead: events > 0 && length <= LONGEST }
    },
  }
}
