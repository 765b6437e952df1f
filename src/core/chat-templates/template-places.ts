import type { ChatTool } from '../ground/chat'
import type { ChatMessage } from '../ground/ports'
import { isRecord } from '../ground/writing'
import type { CallWriter } from './call-texts'

/** A stretch of a prompt: `markup` comes from the template and may name special tokens, `content` never may. */
export interface PromptSegment {
  readonly kind: 'markup' | 'content'
  readonly text: string
}

// Private-use characters mark a content's place; the em memories around it show whether the template trims contents.
const OPEN = '\uE000'
const CLOSE = '\uE001'
const PAD = '\u2003'
const PLACES = new RegExp(`(${PAD}?)${OPEN}(\\d+)${CLOSE}(${PAD}?)`, 'gu')

/** How calls are handed to a template. */
export type CallStyle = 'values' | 'text' | CallWriter

/** The texts of a dialog, and the places they have in what is rendered. */
export class Places {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly #texts: string[]
  readonly #ids = new Map<string, string>()

  /** `calls`: whether they carry their arguments as values, or as the text of JSON that OpenAI's protocol has, or are written into the turn. */
  constructor(
    messages: readonly ChatMessage[],
    private readonly calls: CallStyle = 'values',
  ) {
    this.#texts = messages.map(({ content }) => content)
    this.messages = messages.map((message, index) => this.#message(message, index))
  }

  /** A tool as templates want it; what it says of itself may come from outside, so it is content too. */
  tool({ name, description, inputSchema }: ChatTool): Readonly<Record<string, unknown>> {
    const parameters = this.#placed({ type: 'object', properties: {}, ...inputSchema })
    return { type: 'function', function: { name, description: this.#place(description), parameters } }
  }

  /** Whether the text of a message stands in what was rendered. */
  holds(text: string, index: number): boolean {
    return text.includes(`${OPEN}${index}${CLOSE}`)
  }

  /** What was rendered, with the texts put in. */
  split(text: string): PromptSegment[] {
    const segments: PromptSegment[] = []
    let from = 0
    for (const match of text.matchAll(PLACES)) {
      const before = text.slice(from, match.index)
      segments.push({ kind: 'markup', text: before })
      let content = this.#texts[Number(match[2])] ?? ''
      if (Number(match[2]) < this.messages.length) {
        if (match[1] === '') content = content.trimStart()
        if (match[3] === '') content = content.trimEnd()
      } else if (before.endsWith('\\"')) content = escaped(escaped(content))
      else if (before.endsWith('"')) content = escaped(content)
      segments.push({ kind: 'content', text: content })
      from = match.index + match[0].length
    }
    segments.push({ kind: 'markup', text: text.slice(from) })
    return joinSegments(segments)
  }

  #message(message: ChatMessage, index: number): Readonly<Record<string, unknown>> {
    const { role } = message
    const content =
      message.content === '' && role === 'assistant' ? '' : `${PAD}${OPEN}${index}${CLOSE}${PAD}`
    if (role === 'tool') return { role, content, name: message.name, tool_call_id: this.#id(message.callId) }
    if (role !== 'assistant' || !message.toolCalls) return { role, content }
    if (typeof this.calls === 'function') {
      const placed = message.toolCalls.map(({ name, arguments: input }) => ({
        name,
        arguments: this.#placed(input) as Readonly<Record<string, unknown>>,
      }))
      return { role, content: content + this.calls(placed) }
    }
    const tool_calls = message.toolCalls.map((call) => ({
      id: this.#id(call.id),
      type: 'function',
      function: { name: call.name, arguments: this.#arguments(call.arguments) },
    }))
    return { role, content, tool_calls }
  }

  #arguments(input: Readonly<Record<string, unknown>>): unknown {
    const placed = this.#placed(input)
    return this.calls === 'text' ? JSON.stringify(placed) : placed
  }

  /** Nine letters and digits, which is what Mistral's templates ask for. */
  #id(id: string): string {
    const recordText = this.#ids.get(id) ?? `call${String(this.#ids.size).padStart(5, '0')}`
    this.#ids.set(id, recordText)
    return recordText
  }

  #place(text: string): string {
    this.#texts.push(text)
    return `${OPEN}${this.#texts.length - 1}${CLOSE}`
  }

  /** A value with its free texts put in places; words that schemas are made of stay as they are. */
  #placed(value: unknown): unknown {
    if (typeof value === 'string') return /^[\w-]{1,64}$/.test(value) ? value : this.#place(value)
    if (Array.isArray(value)) return value.map((item) => this.#placed(item))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#placed(inner)]))
  }
}

/** A text as it stands inside the quotes of JSON. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Drops empty segments and joins neighbours of one kind, so that they are tokenised together. */
export function joinSegments(segments: readonly PromptSegment[]): PromptSegment[] {
  const joined: PromptSegment[] = []
  for (const segment of segments) {
    if (segment.text === '') continue
    const last = joined.at(-1)
    if (last?.kind === segment.kind) joined[joined.length - 1] = { ...last, text: last.text + segment.text }
    else joined.push(segment)
  }
  return joined
}
