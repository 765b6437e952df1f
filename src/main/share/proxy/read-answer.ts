import { StringDecoder } from 'node:string_decoder'
import { LinePieces } from '../../../core/ground/line-pieces'
import { readAnswer } from '../../ground/isolate/foreign-answer'
import { emptyAnswer, isJson, type Dialect, type ReadAnswer } from './dialects/dialect'

/** Most characters of an answer that are read; more passes unread. */
const LONGEST = 16 * 1024 * 1024

/** Reads an answer from the bytes that pass, and never changes them. */
export interface AnswerReader {
  bytes(chunk: Uint8Array): Promise<void>
  /** Whether the server has said how the answer ended. */
  isWhole(): boolean
  /** What was read; `isRead` false where nothing of it could be. */
  end(): Promise<{ readonly answer: ReadAnswer; readonly isRead: boolean }>
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
  const take = async (json: string): Promise<void> => {
    try {
      for (const event of [await readAnswer(json, 'An answer that passes')].flat()) {
        if (!isJson(event)) continue
        dialect.take(answer, event)
        events++
        onMore(answer)
      }
    } catch {
      // Counted as unread where nothing else can be read.
    }
  }
  const takeLine = async (line: string): Promise<void> => {
    const text = line.startsWith('data:') ? line.slice(5).trim() : line.trim()
    if (text.startsWith('{') || text.startsWith('[{')) await take(text)
  }
  const add = async (text: string): Promise<void> => {
    length += text.length
    if (length > LONGEST) return
    if (byLine) for (const line of lines.push(text)) await takeLine(line)
    else rest += text
  }
  return {
    bytes: (chunk) => add(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
    isWhole: () => answer.finish !== null,
    async end() {
      await add(decoder.end())
      if (byLine) await takeLine(lines.end())
      else if (rest !== '') await take(rest)
      rest = ''
      return { answer, isRead: events > 0 && length <= LONGEST }
    },
  }
}
