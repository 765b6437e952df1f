import type { IncomingMessage } from 'node:http'
import { parseJsonBody } from '../../../ground/json-body'
import { LoamError } from '../../../../shared/errors'
import { dialectCalled } from '../dialects'
import { isJson, type Dialect } from '../dialects/dialect'
import { answerReader, type AnswerReader } from '../read-answer'
import type { Header, Passage, Upstream } from '../upstream'
import { answerWriter, translateError, type AnswerWriter } from './answers'
import { translationOf, type Translation } from './index'
import { READ_IN_HOST } from '../../../ground/isolate/foreign-answer'

/** A request on its way to a server of another dialect. */
export interface TranslatedPassage {
  readonly passage: Passage
  /** What could not be said there, in words for a header; empty for nothing. */
  readonly lost: string
  readonly answers: Dialect
  readonly writer: AnswerWriter
}

/** How a key is said to each kind of server. */
const KEYS = /^(?:authorization|x-api-key)$/i
const VERSION = 'anthropic-version'

/**
 * The passage in the words of the upstream; null where it speaks the client's dialect. @throws LoamError `BAD_INPUT` where it cannot be said there
 */
export async function translatePassage(
  { dialect: spoken }: Upstream,
  client: Dialect,
  passage: Passage,
): Promise<TranslatedPassage | null> {
  const translation = translationFor(spoken, client)
  if (translation === null) return null
  const body = await parseJsonBody(Buffer.from(passage.body).toString('utf8'))
  const writer = isJson(body) && answerWriter(client.id, body)
  if (!isJson(body) || !writer) throw unsayable(spoken, client, 'Its body is no JSON object')
  const { body: translated, lost } = translation.translate(body)
  return {
    passage: {
      ...passage,
      path: translation.path,
      headers: headersFor(translation.answers, passage.headers),
      body: Buffer.from(JSON.stringify(translated)),
    },
    lost: lost.join(', ').replace(/[^\x20-\x7e]/g, '?'),
    answers: dialectCalled(translation.answers),
    writer,
  }
}

/** How a client's requests are said to a server; null: as they are. @throws LoamError `BAD_INPUT` where they cannot be said there */
export function translationFor(spoken: Upstream['dialect'], client: Dialect): Translation | null {
  const translation = translationOf(client.id, spoken)
  if (translation === null) throw unsayable(spoken, client, 'It says other things')
  return translation === 'as-it-is' ? null : translation
}

const unsayable = (spoken: Upstream['dialect'], { id }: Dialect, why: string): LoamError =>
  new LoamError('BAD_INPUT', `A request of ${id} cannot be translated for this server. ${why}.`, {
    suggestion: `The server speaks ${spoken ?? 'something else'}: use a client of that, or another upstream.`,
  })

/** The client's own key where the other protocol expects it. */
function headersFor(answers: string, headers: readonly string[]): string[] {
  const pairs = headers.flatMap((name, i): Header[] => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []))
  const key = pairs.find(([name]) => KEYS.test(name))?.[1].replace(/^Bearer /i, '')
  const rest = pairs.filter(([name]) => !KEYS.test(name) && !/^anthropic-/i.test(name))
  const own: Header[] =
    answers === 'anthropic-messages'
      ? [...(key === undefined ? [] : [['x-api-key', key] as const]), [VERSION, '2023-06-01']]
      : key === undefined
        ? []
        : [['authorization', `Bearer ${key}`]]
  return [...rest, ...own].flat()
}

/** Writes an answer in the client's words while it is read. */
export interface AnswerTranslation {
  readonly reader: AnswerReader
  readonly type: string
  /** What the client is told of bytes that came. */
  bytes(chunk: Uint8Array): Promise<string>
  end(): Promise<string>
}

/** A good answer as the client's protocol has it, streamed where it comes as a stream. */
export function translateAnswer(
  { answers, writer }: Pick<TranslatedPassage, 'answers' | 'writer'>,
  type: string,
): AnswerTranslation {
  const isStream = /event-stream/.test(type)
  let out = ''
  const reader = answerReader(answers, type, (answer) => {
    if (isStream) out += writer.grow(answer)
  })
  return {
    reader,
    type: isStream ? 'text/event-stream' : 'application/json',
    async bytes(chunk) {
      await reader.bytes(chunk)
      const text = out
      out = ''
      return text
    },
    async end() {
      const { answer } = await reader.end()
      return isStream ? out + writer.end(answer) : JSON.stringify(writer.whole(answer))
    },
  }
}

/** Most bytes of an error that are read. */
const MOST_ERROR = READ_IN_HOST

/** An answer that is an error, in the client's words. */
export async function translateFailure(client: Dialect, answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer as AsyncIterable<Buffer>)
    if (text.length < MOST_ERROR) text += chunk.toString('utf8')
  let json: unknown = { error: { message: text } }
  try {
    json = JSON.parse(text) as unknown
  } catch {
    // Told as the text it is.
  }
  return JSON.stringify(translateError(client.id, json, answer.statusCode ?? 502))
}
