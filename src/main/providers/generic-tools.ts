import { describeTools } from '../../core/agent/executor'
import { enforceable } from '../../core/agent/executor-reply'
import type {
  CallOptions,
  ChatImage,
  ChatMessage,
  ChatTool,
  GenerateRequest,
  GenerateResult,
  ToolCall,
} from '../../core/ground/chat'
import { declareConstraint } from '../../core/ground/constraint'
import { isRecord } from '../../core/ground/writing'
import { CallsInProgress } from './live-arguments'
import { cutCall, finishOf, readToolCall } from './tool-calls'
import { FormText, textOfCut, toolOfCut } from './form-text'

type Generate = (request: GenerateRequest, options?: CallOptions) => Promise<GenerateResult>
type Plain = Extract<ChatMessage, { role: 'system' | 'user' | 'assistant' }>

const SAMPLE: ChatTool = {
  name: 'sample',
  description: '',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

/** Holds a reply to a call of one of the tools or, where that is left open, to a text. */
const toolConstraint = declareConstraint<[tools: readonly ChatTool[], required: boolean]>(
  'tools',
  (tools, required) => ({
    kind: 'json-schema',
    schema: {
      oneOf: [
        ...tools.map(({ name, inputSchema }) => ({
          type: 'object',
          properties: { tool: { const: name }, arguments: enforceable({ ...inputSchema, type: 'object' }) },
        })),
        ...(required ? [] : [{ type: 'object', properties: { reply: { type: 'string', minLength: 1 } } }]),
      ],
    },
  }),
  () => [
    [[SAMPLE], true],
    [[SAMPLE, { ...SAMPLE, name: 'other' }], false],
  ],
)

/**
 * Tools for any model: they stand in the system prompt, a grammar holds the reply to a call or a text, and what tools answered comes as the
 * user's words.
 */
export async function generateWithTools(
  generate: Generate,
  request: GenerateRequest,
  options: CallOptions = {},
): Promise<GenerateResult> {
  const { tools = [], toolChoice = 'auto', ...rest } = request
  const messages = plainTurns(request.messages)
  if (tools.length === 0) return generate({ ...rest, messages }, options)
  const required = toolChoice === 'required'
  const plains = withTools(messages, tools, required)
  const { onToken, onCall, ...others } = options
  const shownText = new FormText((text) => onToken?.(text))
  const calls = onCall && new CallsInProgress(tools, onCall)
  let soFar = ''
  const watch = (piece: string): void => {
    shownText.push(piece)
    calls?.see((soFar += piece))
  }
  const generateResult = await generate(
    { ...rest, messages: plains, constraint: toolConstraint(tools, required) },
    { ...others, ...((onToken ?? onCall) && { onToken: watch }) },
  )
  const read = readForm(generateResult.text, tools)
  if ('call' in read)
    return {
      ...generateResult,
      text: '',
      toolCalls: [read.call],
      finish: finishOf(generateResult, read.isCut),
    }
  // What a program holds to no form, it may write in another one.
  if (shownText.text === '' && read.text !== '') onToken?.(read.text)
  return { ...generateResult, text: read.text }
}

function readForm(
  text: string,
  tools: readonly ChatTool[],
): { readonly text: string } | { readonly call: ToolCall; readonly isCut: boolean } {
  let form: unknown
  try {
    form = JSON.parse(text)
  } catch {
    // Cut by its token limit: a text as far as it goes; a call is never made in part.
    const name = toolOfCut(text)
    if (name === null) return { text: textOfCut(text) ?? text }
    return { call: cutCall({ id: `call-${name}`, name, text }), isCut: true }
  }
  if (!isRecord(form)) return { text }
  if (typeof form['tool'] !== 'string')
    return { text: typeof form['reply'] === 'string' ? form['reply'] : text }
  const input = isRecord(form['arguments']) ? form['arguments'] : {}
  // A grammar writes null where something optional is left out.
  const selection = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  const name = form['tool']
  return {
    call: readToolCall(tools, { id: `call-${name}`, name, text: JSON.stringify(selection) }),
    isCut: false,
  }
}

/** Calls and answers of tools as plain turns; two of one role in a row become one, since many chat templates want turns. */
function plainTurns(messages: readonly ChatMessage[]): Plain[] {
  const turns: Plain[] = []
  for (const message of messages) {
    const turn = plainTurn(message)
    const last = turns.at(-1)
    const joins = last?.role === turn.role && (message.role === 'tool' || turn.role === 'assistant')
    if (joins) turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${turn.content}` }
    else turns.push(turn)
  }
  return turns
}

/** A dialog of user and assistant in turn, for templates that know nothing else: what the system says goes before the user's first words. */
export function turnsOfTwo(messages: readonly ChatMessage[]): Plain[] {
  const turns: Plain[] = []
  for (const turn of plainTurns(messages)) {
    const role = turn.role === 'assistant' ? turn.role : 'user'
    const last = turns.at(-1)
    const isJoined = last?.role === role
    const images = [...(isJoined ? imagesOf(last) : []), ...imagesOf(turn)]
    const content = isJoined ? `${last.content}\n\n${turn.content}` : turn.content
    const next: Plain = { role, content, ...(images.length > 0 && { images }) }
    if (isJoined) turns[turns.length - 1] = next
    else turns.push(next)
  }
  return turns
}

const imagesOf = (turn: Plain): readonly ChatImage[] => (turn.role === 'assistant' ? [] : (turn.images ?? []))

function plainTurn(message: ChatMessage): Plain {
  if (message.role === 'tool')
    return { role: 'user', content: `Result of ${message.name}:\n${message.content}` }
  if (message.role !== 'assistant' || !message.toolCalls) return message
  const calls = message.toolCalls.map((call) =>
    JSON.stringify({ tool: call.name, arguments: call.arguments }),
  )
  return { role: 'assistant', content: [message.content, ...calls].filter((part) => part !== '').join('\n') }
}

function withTools(messages: readonly Plain[], tools: readonly ChatTool[], required: boolean): Plain[] {
  const form = '{"tool": NAME, "arguments": {...}}'
  const how = required
    ? `Reply with ${form} and nothing else.`
    : `Reply with ${form} to use a tool, or with {"reply": TEXT} to answer, and nothing else.`
  const block = `Tools you can use:\n${describeTools(tools)}\n${how}`
  const [first, ...others] = messages
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${block}` }, ...others]
    : [{ role: 'system', content: block }, ...messages]
}
