import { z } from 'zod'
import type { CallPiece, ChatTool, GenerateResult } from '../../../core/ground/chat'
import { LoamError } from '../../../shared/errors'
import { JsonDepth } from '../../../core/ground/json-depth'
import { LinePieces } from '../../../core/ground/line-pieces'
import { readAnswer } from '../../ground/isolate/foreign-answer'
import { ThoughtFilter, tellThought } from '../thought-filter'
import { LiveArguments } from '../live-arguments'
import { cutCall, readToolCall, type WrittenCall } from '../tool-calls'
import { endedEarly, notAnApi, refusalError, saidBy, unreadable } from './refusal'
import type { ServerAnswer } from './call-server'

/** The data of each server-sent event in a stream of text (lines `data: ...`, events ended by an empty line). */
async function* eventData(pieces: AsyncIterable<string>, host: string): AsyncGenerator<string> {
  const lines = new LinePieces()
  let data: string[] = []
  let length = 0
  let dataLength = 0
  for await (const piece of pieces) {
    length += piece.length
    for (const line of lines.push(piece)) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
        dataLength = 0
      } else if (line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''))
        dataLength += line.length
      }
    }
    if (lines.length + dataLength > MOST_CHARS || length > MOST_STREAMED) throw unreadable(host, '')
  }
  const rest = lines.end()
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim())
  if (data.length > 0) yield data.join('\n')
}

/** A content in parts, as some servers write it: texts, and thoughts (Mistral). */
const contentParts = z.array(
  z.looseObject({
    text: z.string().nullish(),
    thinking: z
      .union([
        z.string(),
        z
          .array(z.looseObject({ text: z.string().nullish() }))
          .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
      ])
      .nullish(),
  }),
)

const partSchema = z.looseObject({
  content: z.union([z.string(), contentParts]).nullish(),
  /** Thoughts, as llama-server, vLLM and DeepSeek name them, and as Ollama and OpenRouter do. */
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        id: z.string().nullish(),
        function: z
          .looseObject({
            name: z.string().nullish(),
            /** Text in pieces; some servers send it read already. */
            arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
})
const answerSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: partSchema.nullish(),
        message: partSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
})
type Part = z.infer<typeof partSchema>
type Answer = z.infer<typeof answerSchema>

/** Tokens as the server counted them; null where it did not. */
export interface CountedTokens {
  readonly prompt: number
  readonly completion: number
  readonly reused: number
}

/** A reply, before its usage is known for sure. */
export interface ReadReply extends Omit<GenerateResult, 'usage'> {
  readonly counted: CountedTokens | null
}

/** Who is being read. */
export interface ReplySource {
  readonly host: string
  readonly model: string
  readonly tools: readonly ChatTool[]
  readonly onToken: ((text: string) => void) | undefined
  readonly onCall?: ((piece: CallPiece) => void) | undefined
}

/** Reads an answer, streamed or whole. @throws LoamError `MODEL_SERVER` for anything that is not a whole answer */
export async function readReply(answer: ServerAnswer, source: ReplySource): Promise<ReadReply> {
  const reply = new GrowingReply(source)
  const pieces = await getBeginning(answer.pieces)
  // Some servers stream without saying so, or say so and answer whole.
  const isStream = answer.type.includes('event-stream')
    ? !/^\s*\{/.test(pieces.head)
    : /^\s*(data|event|id|retry)?:/.test(pieces.head)
  if (isStream) {
    let isEnded = false
    for await (const data of eventData(pieces.all(), source.host)) {
      if (data.trim() === '') continue
      if (data.trim() === '[DONE]') {
        isEnded = true
        break
      }
      reply.add(await readPart(data, source))
    }
    answer.drop()
    if (!isEnded && !reply.finished) throw endedEarly(source.host)
    return reply.result()
  }
  let body = ''
  for await (const piece of pieces.all()) {
    body += piece
    if (body.length > MOST_CHARS) throw unreadable(source.host, body)
  }
  answer.drop()
  if (answer.type.includes('html') || /^\s*</.test(body)) throw notAnApi(source.host)
  reply.add(await readPart(body, source))
  if (!reply.finished && !reply.began) throw unreadable(source.host, body)
  return reply.result()
}

/** Longest answer that is not streamed, and longest event of one that is. */
const MOST_CHARS = 4 * 1024 * 1024
/** Longest answer that is streamed, with all that stands around its words. */
const MOST_STREAMED = 128 * 1024 * 1024
/** Most characters that a model may write in one reply, thoughts and calls among them. */
const MOST_WRITTEN = 1024 * 1024
/** Characters that tell a stream from a whole answer. */
const HEAD = 64

/** The beginning of what comes in pieces, and all of it. */
async function getBeginning(
  pieces: AsyncIterable<string>,
): Promise<{ readonly head: string; all(): AsyncGenerator<string> }> {
  const rest = pieces[Symbol.asyncIterator]()
  let head = ''
  let isEnded = false
  while (!isEnded && head.trimStart().length < HEAD && !head.trimStart().includes('\n')) {
    const next = await rest.next()
    if (next.done === true) isEnded = true
    else head += next.value
  }
  return {
    head,
    async *all() {
      try {
        yield head
        while (!isEnded) {
          const next = await rest.next()
          if (next.done === true) return
          yield next.value
        }
      } finally {
        // Lets the connection go when nobody reads on.
        await rest.return?.()
      }
    },
  }
}

async function readPart(data: string, { host, model }: ReplySource): Promise<Answer> {
  const json = await readAnswer(data, host).catch((error: unknown) => {
    throw unreadable(host, data, error)
  })
  // Some servers say in the stream, with status 200, what went wrong.
  if (typeof json === 'object' && json !== null && 'error' in json && saidBy(data) !== null)
    throw refusalError({ host, model, status: 500, type: 'application/json', body: data })
  const read = answerSchema.safeParse(json)
  if (!read.success) throw unreadable(host, data)
  return read.data
}

class GrowingReply {
  readonly #filter = new ThoughtFilter()
  /** In the order they began. */
  readonly #calls: WrittenCall[] = []
  /** The call that each number of the stream means now: some servers give all of them the same. */
  readonly #numbered = new Map<number, number>()
  readonly #live = new Map<number, LiveArguments>()
  readonly #depths: JsonDepth[] = []
  #text = ''
  #thought = ''
  #began = false
  #written = 0
  #finish: string | null = null
  #counted: CountedTokens | null = null

  constructor(private readonly source: ReplySource) {}

  get finished(): boolean {
    return this.#finish !== null
  }

  /** Whether there is a message at all. */
  get began(): boolean {
    return this.#began
  }

  add({ choices, usage }: Answer): void {
    const [choice] = choices ?? []
    const part = choice?.delta ?? choice?.message
    if (part) {
      this.#began = true
      this.#addPart(part)
    }
    if (choice?.finish_reason) this.#finish = choice.finish_reason
    if (usage) {
      this.#counted = {
        prompt: usage.prompt_tokens ?? 0,
        completion: usage.completion_tokens ?? 0,
        reused: usage.prompt_tokens_details?.cached_tokens ?? 0,
      }
    }
  }

  result(): ReadReply {
    this.#show(this.#filter.flush().text)
    const { text, thought } = tellThought(this.#text)
    const thoughts = `${this.#thought}${thought ?? ''}`.trim()
    const toolCalls = this.#calls.map((call, i) => {
      const isCut = this.#finish === 'length' && i === this.#calls.length - 1 && !isWhole(call.text)
      return isCut ? cutCall(call) : readToolCall(this.source.tools, call)
    })
    return {
      text,
      ...(thoughts !== '' && { thought: thoughts }),
      ...(toolCalls.length > 0 && { toolCalls }),
      finish: toolCalls.length > 0 ? 'tool-calls' : this.#finish === 'length' ? 'max-tokens' : 'end',
      counted: this.#counted,
    }
  }

  #addPart({ content, reasoning_content, reasoning, tool_calls }: Part): void {
    this.#count(reasoning_content || reasoning || '')
    this.#thought += reasoning_content || reasoning || ''
    if (typeof content !== 'string')
      this.#thought += (content ?? []).map(({ thinking }) => thinking ?? '').join('')
    const message =
      typeof content === 'string' ? content : (content ?? []).map((one) => one.text ?? '').join('')
    this.#count(message)
    if (message !== '') {
      this.#text += message
      this.#show(this.#filter.push(message).text)
    }
    for (const [position, { index, id, function: call }] of (tool_calls ?? []).entries()) {
      const number = index ?? position
      const name = call?.name ?? ''
      const input = call?.arguments ?? ''
      const text = typeof input === 'string' ? input : JSON.stringify(input)
      this.#count(name + text)
      const at = this.#numbered.get(number)
      const knownCall = at === undefined ? undefined : this.#calls[at]
      if (at === undefined || knownCall === undefined || this.#isAnother(at, id, name)) {
        this.#numbered.set(number, this.#calls.length)
        this.#tellCall(this.#calls.length, name, text)
        this.#depths[this.#calls.length] = depthOf(text)
        this.#calls.push({ id: id || `call-${this.#calls.length}`, name, text })
      } else {
        // Some servers say the name with every piece.
        const whole = name === knownCall.name ? name : knownCall.name + name
        this.#calls[at] = { id: knownCall.id, name: whole, text: knownCall.text + text }
        this.#depths[at]?.push(text)
        this.#live.get(at)?.push(text)
      }
    }
  }

  /** @throws LoamError `MODEL_SERVER` once more was written than is read */
  #count({ length }: string): void {
    this.#written += length
    if (this.#written > MOST_WRITTEN)
      throw new LoamError(
        'MODEL_SERVER',
        `${this.source.host} wrote more than ${MOST_WRITTEN >> 20} MiB in one reply.`,
        {
          suggestion: 'Give its replies a limit of tokens, or choose another model.',
        },
      )
  }

  /** A call of a tool there is, while it is written. */
  #tellCall(index: number, name: string, text: string): void {
    const { tools, onCall } = this.source
    const tool = tools.find((one) => one.name === name)
    if (!tool || !onCall) return
    onCall({ index, name, text: '' })
    const live = new LiveArguments(tool, (piece) => onCall({ index, name, text: piece }))
    this.#live.set(index, live)
    live.push(text)
  }

  /** Whether a named piece begins a call of its own under the number of one that is there already: it has an id of its own, or that one is whole. */
  #isAnother(at: number, id: string | null | undefined, name: string): boolean {
    const call = this.#calls[at]
    if (name === '' || call === undefined || call.name === '') return false
    return (!!id && id !== call.id) || this.#depths[at]?.isWhole === true
  }

  #show(text: string): void {
    if (text !== '') this.source.onToken?.(text)
  }
}

function depthOf(text: string): JsonDepth {
  const depth = new JsonDepth()
  depth.push(text)
  return depth
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
