import type { Template } from '@huggingface/jinja'
import type { ChatTool } from '../ground/chat'
import type { ChatMessage } from '../ground/ports'
import { callsInText } from '../ground/replies/read-reply'
import { isRecord } from '../ground/writing'
import { THOUGHT_MARKS } from '../ground/replies/thoughts'
import type { ChatLayout } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { readTemplate } from './read-template'
import { Places, type CallStyle, type PromptSegment } from './template-places'
import { waysToSay } from './ways-to-say'
import { writerFor } from './call-texts'

/** What a dialog is rendered with besides its messages. */
export interface RenderOptions {
  /** In the template's own words, for templates that know tools. */
  readonly tools?: readonly ChatTool[]
  /** Default false: thoughts are switched off, or closed where the template opens them. */
  readonly thinking?: boolean
  /** The reply begins at once and is held to a form: no channel is left to choose. Default false. */
  readonly form?: boolean
}

/** What opens and closes a thought. */
export type ThoughtMarks = readonly [open: string, close: string]

/** Renders messages into prompt segments; ends where the assistant's reply begins. */
export interface ChatTemplate {
  /** The model's own, or what stands in for it, and why. */
  readonly layout: ChatLayout
  /** Whether it has a place for tools, and for thoughts. */
  readonly can: { readonly tools: boolean; readonly thinking: boolean }
  /** Null where it has no place for thoughts. */
  readonly thoughtMarks: ThoughtMarks | null
  /** Texts that end a reply besides the model's own end, which a model may not know in this layout. */
  readonly stops: readonly string[]
  render(messages: readonly ChatMessage[], options?: RenderOptions): PromptSegment[]
}

/** The texts that a model's BOS and EOS tokens stand for. */
export interface EdgeTokens {
  readonly bos: string
  readonly eos: string
}

// Templates that print today's date would make tomorrow's run differ; this is the date Llama 3's own template falls back to.
const FIXED_DATE = '26 Jul 2024'

const HARMONY_ANALYSIS = '<|channel|>analysis<|message|>'
const HARMONY_REPLY = '<|start|>assistant'
const HARMONY_FINAL = '<|channel|>final<|message|>'
/** Functionary names the receiver next: a tool, or `all` for text. */
const FUNCTIONARY_REPLY = '>>>'

/** Variables that some templates count on even without tools: Hermes, Functionary, Command R; Firefunction. */
const countedOn = (tools: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  tools,
  documents: [],
  functions: JSON.stringify(tools),
  datetime: FIXED_DATE,
})

/** A tool whose every argument has a description, if an empty one: some templates add to it without looking. */
function described(tool: ChatTool): ChatTool {
  const { properties } = tool.inputSchema
  if (!isRecord(properties)) return tool
  const all = Object.entries(properties).map(([name, schema]) => [
    name,
    isRecord(schema) ? { description: '', ...schema } : schema,
  ])
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(all) as object } }
}

/**
 * The model's own Jinja template (GGUF `tokenizer.chat_template`). Contents are rendered as placeholders and put in
 * afterwards, so nothing in them can pass for markup. A system message is folded into the first user message when the
 * template refuses or drops it, and several calls of one turn are said one after another where it takes only one. Throws `MODEL_LOAD` for a
 * template that does not parse or refuses any dialog at all, `BAD_INPUT` from `render` when it refuses these messages.
 */
export function jinjaChatTemplate(source: string, tokens: EdgeTokens): ChatTemplate {
  const template = parsed(source)
  const thoughtMarks =
    THOUGHT_MARKS.find(([open]) => source.includes(open.replace('analysis<|message|>', ''))) ?? null
  const attemptWith =
    (counting: boolean, calls: CallStyle): Render =>
    (messages: readonly ChatMessage[], { tools = [], thinking = false, form = false }: RenderOptions) => {
      const places = new Places(messages, calls)
      const placed = tools.map((tool) => places.tool(counting ? described(tool) : tool))
      const rendered = template.render({
        messages: places.messages,
        ...(counting && countedOn(placed)),
        ...(placed.length > 0 && { tools: placed }),
        add_generation_prompt: true,
        bos_token: tokens.bos,
        eos_token: tokens.eos,
        fixed_date: () => FIXED_DATE,
        // Qwen3, SmolLM3, GLM and others; DeepSeek and Granite; gpt-oss.
        enable_thinking: thinking,
        thinking,
        reasoning_effort: thinking ? 'medium' : 'low',
      })
      const dropped = messages.find(({ content }, i) => content !== '' && !places.holds(rendered, i))
      if (dropped) throw new Error(`the ${dropped.role} message was dropped`)
      return places.split(beginsReply(rendered, thoughtMarks, thinking, form || tools.length === 0))
    }
  const writer = writerFor(source)
  const { attempt, tools, refusal } = best([
    attemptWith(false, 'values'),
    attemptWith(true, 'values'),
    attemptWith(false, 'text'),
    attemptWith(true, 'text'),
    ...(writer ? [attemptWith(false, writer)] : []),
  ])
  if (attempt === null) throw unusable(refusal)
  const several = tools && saysSeveralCalls(attempt)
  const faithful: Render = (messages, options) => {
    if (!several && messages.some((one) => one.role === 'assistant' && (one.toolCalls ?? []).length > 1))
      throw new Error('it says one call at a time')
    return attempt(messages, options)
  }
  return {
    layout: { own: true, name: 'its own chat template', why: null },
    can: { tools, thinking: thoughtMarks !== null },
    thoughtMarks,
    stops: [],
    render: (messages, options = {}) => renderedSomehow(faithful, messages, options),
  }
}

/**
 * How a reply begins: a thought that nobody asked for is closed where the template opens it; a model of channels that is to reply at once
 * is put into its last one.
 */
export function beginsReply(
  rendered: string,
  marks: ThoughtMarks | null,
  thinking: boolean,
  atOnce: boolean,
): string {
  const text = rendered.trimEnd()
  if (atOnce && text.endsWith(FUNCTIONARY_REPLY)) return `${text}all\n`
  if (thinking || marks === null) return rendered
  if (marks[0] === HARMONY_ANALYSIS)
    return atOnce && text.endsWith(HARMONY_REPLY) ? `${text}${HARMONY_FINAL}` : rendered
  return text.endsWith(marks[0]) ? `${text}\n${marks[1]}\n\n` : rendered
}

type Render = (messages: readonly ChatMessage[], options: RenderOptions) => PromptSegment[]

/** Renders a dialog in the first of the ways to say it that a template takes. @throws LoamError `BAD_INPUT` where it takes none */
export function renderedSomehow(
  render: Render,
  messages: readonly ChatMessage[],
  options: RenderOptions,
): PromptSegment[] {
  let refusal: unknown = null
  for (const saidMessages of waysToSay(messages)) {
    try {
      return render(saidMessages, options)
    } catch (error) {
      // The first refusal says the most.
      refusal ??= error
    }
  }
  throw new LoamError('BAD_INPUT', `The model's chat template refused the messages: ${reason(refusal)}`, {
    suggestion: 'Use another model, or one with a plainer chat template.',
    underlying: refusal,
  })
}

function parsed(source: string): Template {
  try {
    return readTemplate(source)
  } catch (error) {
    throw new LoamError('MODEL_LOAD', `Its chat template cannot be read: ${reason(error)}`, {
      suggestion: 'Pick another build of this model; its GGUF carries a damaged template.',
      underlying: error,
    })
  }
}

const unusable = (error: unknown): LoamError =>
  new LoamError('MODEL_LOAD', `Its chat template fails on any dialog: ${reason(error)}`, {
    suggestion: 'Pick another build of this model; its GGUF carries a damaged template.',
    underlying: error,
  })

const SAID: readonly ChatMessage[] = [
  { role: 'system', content: 'x' },
  { role: 'user', content: 'y' },
  { role: 'assistant', content: 'z' },
  { role: 'user', content: 'y' },
]

/** The first that renders a dialog and tells of tools; else the first that renders a dialog; null, and why, where none does. */
function best(renders: readonly Render[]): { attempt: Render | null; tools: boolean; refusal: unknown } {
  let refusal: unknown = null
  const serving = renders.filter((render) => {
    try {
      return renderedSomehow(render, SAID, {}).length > 0
    } catch (error) {
      refusal ??= error instanceof LoamError ? (error.cause ?? error) : error
      return false
    }
  })
  const telling = serving.find((render) => knowsTools(render))
  return { attempt: telling ?? serving[0] ?? null, tools: telling !== undefined, refusal }
}

const PROBE: ChatTool = {
  name: 'probe_tool',
  description: 'A probe.',
  inputSchema: {
    type: 'object',
    properties: { at: { type: 'string', description: 'A place.' } },
    required: ['at'],
  },
}

/**
 * Whether a template tells of tools, calls and their answers, and in a form that is read again as the same call; one that leaves any of it
 * out is asked in words instead.
 */
export function knowsTools(render: Render): boolean {
  const call = { id: 'probe', name: PROBE.name, arguments: { at: 'PROBED' } }
  const messages: ChatMessage[] = [
    { role: 'system', content: 'x' },
    { role: 'user', content: 'QUESTION' },
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', content: 'ANSWER', callId: 'probe', name: PROBE.name },
  ]
  try {
    const text = renderedSomehow(render, messages, { tools: [PROBE] })
      .map((segment) => segment.text)
      .join('')
    const index = text.indexOf('QUESTION')
    const reply = text.slice(index, text.indexOf('ANSWER'))
    const notice = text.slice(0, index) + text.slice(text.indexOf('ANSWER'))
    const read = callsInText(reply, [PROBE])
    return notice.includes(PROBE.name) && read.some(({ args }) => args['at'] === 'PROBED')
  } catch {
    return false
  }
}

/** Whether a template says all calls of one turn; gpt-oss's says the first alone, Llama's refuses. */
function saysSeveralCalls(render: Render): boolean {
  const toolCalls = ['FIRST', 'SECOND'].map((at) => ({ id: at, name: PROBE.name, arguments: { at } }))
  try {
    const text = render(
      [
        { role: 'system', content: 'x' },
        { role: 'user', content: 'y' },
        { role: 'assistant', content: '', toolCalls },
        ...toolCalls.map(({ id, name }) => ({ role: 'tool' as const, content: 'z', callId: id, name })),
      ],
      { tools: [PROBE] },
    )
      .map((segment) => segment.text)
      .join('')
    return text.includes('FIRST') && text.includes('SECOND')
  } catch {
    return false
  }
}

/** The message of whatever was thrown. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
