import { nestsTooDeep } from '../../../ground/json-check'
import { isRecord } from '../../../ground/record'
import type { DialogMessage, DialogCall, DialogResult } from './dialog-message'
import { textOf } from './records'

const ROLES: Readonly<Record<string, DialogMessage['role']>> = {
  user: 'user',
  human: 'user',
  humanmessage: 'user',
  humanmessagechunk: 'user',
  assistant: 'agent',
  ai: 'agent',
  agent: 'agent',
  model: 'agent',
  gpt: 'agent',
  bot: 'agent',
  aimessage: 'agent',
  aimessagechunk: 'agent',
  tool: 'tool',
  function: 'tool',
  toolmessage: 'tool',
  ipython: 'tool',
  system: 'system',
  developer: 'system',
  systemmessage: 'system',
}

/** Parts of a message that are a call, an answer to one, or a thought, by what programs call them. */
const CALLS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_call',
  'tool-call',
  'function_call',
  'toolCallRequest',
])
const RESULTS: ReadonlySet<string> = new Set([
  'tool_result',
  'tool-result',
  'tool_call_response',
  'function_call_output',
  'toolCallResult',
])
const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'reasoning', 'think'])

/**
 * A message as any of the usual programs writes it: OpenAI's chat and responses, Anthropic's blocks, Gemini's and OpenTelemetry's parts, LangChain's own and
 * serialised form, the AI SDK's parts, ShareGPT's. Null for what is no message.
 */
export function messageOf(value: unknown): DialogMessage | null {
  if (!isRecord(value)) return null
  // LangChain's serialised form says the class in its id, and the rest in kwargs.
  const kwargs = isRecord(value['kwargs']) ? value['kwargs'] : isRecord(value['data']) ? value['data'] : null
  if (kwargs) {
    const name = Array.isArray(value['id']) ? textOf(value['id'].at(-1)) : textOf(value['type'])
    return messageOf({ ...kwargs, role: name })
  }
  const message = textOf(value['role'] ?? value['from'] ?? value['type'] ?? '').toLowerCase()
  const role = ROLES[message]
  if (role === undefined) return null
  const parts = partsOf(value['content'] ?? value['parts'] ?? value['value'] ?? value['text'])
  const calls = [...parts.calls, ...callsOf(value)]
  const answered = role === 'tool' && parts.results.length === 0
  const id = idOf(value['tool_call_id'] ?? value['toolCallId'] ?? value['id'])
  const isFailed = value['is_error'] === true || value['status'] === 'error'
  const results = answered ? [{ id, text: parts.text, failed: isFailed }] : parts.results
  return {
    role,
    text: role === 'tool' ? '' : parts.text,
    thought: [parts.thought, textOf(value['reasoning_content'] ?? value['reasoning'])]
      .filter((text) => text !== '')
      .join('\n'),
    calls,
    results,
  }
}

/** Every message within a value: a list of them, an object that holds one under a usual name, or one message. */
export function messagesIn(value: unknown): DialogMessage[] {
  const input = typeof value === 'string' ? parsedOr(value) : value
  if (Array.isArray(input))
    return input.flatMap((one: unknown) => {
      const message = messageOf(one)
      return message ? [message] : typeof one === 'object' ? messagesIn(one) : []
    })
  if (!isRecord(input)) return []
  const one = messageOf(input)
  if (one) return [one]
  for (const key of ['messages', 'message', 'choices', 'generations', 'input', 'output'])
    if (input[key] !== undefined) {
      const inner = messagesIn(input[key])
      if (inner.length > 0) return inner
    }
  return []
}

interface Parts {
  text: string
  thought: string
  readonly calls: DialogCall[]
  readonly results: DialogResult[]
}

function partsOf(content: unknown): Parts {
  const parts: Parts = { text: '', thought: '', calls: [], results: [] }
  const texts: string[] = []
  const thoughts: string[] = []
  for (const part of Array.isArray(content) ? (content as unknown[]) : [content]) {
    if (!isRecord(part)) {
      texts.push(textOf(part))
      continue
    }
    const type = textOf(part['type'])
    // goose wraps both in what says whether they could be read.
    const wrapped = part['toolCall'] ?? part['toolResult']
    if (isRecord(wrapped) && type === 'toolRequest')
      parts.calls.push(...callsOf({ tool_calls: [{ ...Object(wrapped['value']), id: part['id'] }] }))
    else if (isRecord(wrapped) && type === 'toolResponse')
      parts.results.push({
        id: idOf(part['id']),
        text: textOf(wrapped['value'] ?? wrapped['error']),
        failed: wrapped['status'] === 'error',
      })
    else if (CALLS.has(type)) parts.calls.push(...callsOf({ tool_calls: [part['tool_call'] ?? part] }))
    else if (isRecord(part['functionCall']))
      parts.calls.push(...callsOf({ tool_calls: [part['functionCall']] }))
    else if (RESULTS.has(type)) parts.results.push(resultOf(part))
    else if (isRecord(part['functionResponse'])) parts.results.push(resultOf(part['functionResponse']))
    else if (THOUGHTS.has(type))
      thoughts.push(textOf(valueOf(part['thinking'] ?? part['think'] ?? part['text'] ?? part['content'])))
    else texts.push(textOf(valueOf(part['text'] ?? part['content'] ?? part['value'])))
    // LibreChat and Jan keep a call and its answer in one part.
    const call = part['tool_call'] ?? (type === 'tool_call' ? part : null)
    if (isRecord(call) && call['output'] !== undefined)
      parts.results.push({
        id: idOf(call['id'] ?? call['tool_call_id']),
        text: textOf(call['output']),
        failed: false,
      })
  }
  parts.text = texts.filter((text) => text !== '').join('\n')
  parts.thought = thoughts.filter((text) => text !== '').join('\n')
  return parts
}

/** OpenAI's threads write {"value": ..., "annotations": []} for a text. */
const valueOf = (text: unknown): unknown => (isRecord(text) ? (text['value'] ?? text) : text)

function resultOf(part: Record<string, unknown>): DialogResult {
  const answer = part['content'] ?? part['response'] ?? part['result'] ?? part['output']
  const value = isRecord(answer) ? (answer['value'] ?? answer) : answer
  return {
    id: idOf(
      part['tool_use_id'] ?? part['toolCallId'] ?? part['tool_call_id'] ?? part['call_id'] ?? part['id'],
    ),
    text: textOf(value),
    failed:
      part['is_error'] === true ||
      part['isError'] === true ||
      (isRecord(answer) && answer['error'] !== undefined && answer['output'] === undefined),
  }
}

function callsOf(message: Record<string, unknown>): DialogCall[] {
  const listed = message['tool_calls'] ?? message['toolCalls']
  const list = Array.isArray(listed)
    ? (listed as unknown[])
    : message['function_call']
      ? [message['function_call']]
      : []
  return list.flatMap((call) => {
    if (!isRecord(call)) return []
    const inner = isRecord(call['function']) ? call['function'] : call
    const tool = textOf(inner['name'] ?? inner['toolName'] ?? inner['tool'] ?? inner['tool_name'])
    const input = inner['arguments'] ?? inner['args'] ?? inner['input'] ?? inner['parameters'] ?? {}
    if (tool === '') return []
    return [
      {
        id: idOf(
          call['id'] ??
            call['call_id'] ??
            call['tool_call_id'] ??
            call['toolCallId'] ??
            call['toolCallRequestId'],
        ),
        tool,
        given: input,
      },
    ]
  })
}

const idOf = (id: unknown): string | null =>
  typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : null

/** What a text holds when it is JSON of an object or a list; the text itself otherwise. */
export function parsedOr(text: string): unknown {
  const first = text.trimStart().charAt(0)
  if ((first !== '{' && first !== '[') || nestsTooDeep(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
