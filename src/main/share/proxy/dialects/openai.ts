import type { ToolCall } from '../../../../core/ground/chat'
import {
  contentText,
  inputText,
  isJson,
  listIn,
  numberIn,
  objectIn,
  personMessage,
  readInput,
  textIn,
  type Dialect,
  type Json,
  type ReadAnswer,
  type ReadMessage,
} from './dialect'

/** The schema of a form: `{type: 'json_schema', ...}`; any JSON for `json_object`; null for text. */
function schemaIn(form: unknown): Json | null {
  const { type, json_schema: nested, schema } = objectIn(form)
  if (type === 'json_object') return {}
  return type === 'json_schema' ? objectIn(objectIn(nested)['schema'] ?? schema) : null
}

const callsIn = (calls: unknown): ToolCall[] =>
  listIn(calls).map((call) => {
    const { id, function: callee } = objectIn(call)
    const { name, arguments: input } = objectIn(callee)
    return { id: textIn(id), name: textIn(name), arguments: readInput(input) }
  })

/** Messages as Chat and Ollama write them. */
export function chatMessages(messages: unknown): ReadMessage[] {
  const names = new Map<string, string>()
  return listIn(messages).flatMap((value, i): ReadMessage[] => {
    const message = objectIn(value)
    const content = contentText(message['content'])
    switch (message['role']) {
      case 'system':
      case 'developer':
        return [{ message: { role: 'system', content }, place: null }]
      case 'assistant': {
        const toolCalls = callsIn(message['tool_calls'])
        for (const { id, name } of toolCalls) names.set(id, name)
        return [
          {
            message: { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) },
            place: null,
          },
        ]
      }
      case 'tool':
      case 'function': {
        const callId = textIn(message['tool_call_id'])
        const name = names.get(callId) ?? textIn(message['name'] ?? message['tool_name'])
        return [{ message: { role: 'tool', content, callId, name }, place: null }]
      }
      default: {
        const path = ['messages', i, 'content']
        return [personMessage(message['content'], path, (text) => ({ type: 'text', text })) ?? []].flat()
      }
    }
  })
}

/** Adds calls, or pieces of them, as Chat and Ollama write them. */
export function takeCalls(answer: ReadAnswer, calls: unknown): void {
  listIn(calls).forEach((value, i) => {
    const { index, id, function: callee } = objectIn(value)
    const { name, arguments: input } = objectIn(callee)
    const key = numberIn(index) ?? i
    const call = answer.calls.get(key) ?? { id: '', name: '', input: '' }
    call.id = textIn(id) || call.id
    call.name += textIn(name)
    if (input !== undefined) call.input += inputText(input)
    answer.calls.set(key, call)
  })
}

function takeUsage(answer: ReadAnswer, usage: unknown): void {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, ...others } = objectIn(usage)
  const { input_tokens, output_tokens, input_tokens_details } = others
  answer.promptTokens = numberIn(prompt_tokens ?? input_tokens) ?? answer.promptTokens
  answer.completionTokens = numberIn(completion_tokens ?? output_tokens) ?? answer.completionTokens
  const { cached_tokens } = objectIn(prompt_tokens_details ?? input_tokens_details)
  answer.cachedTokens = numberIn(cached_tokens) ?? answer.cachedTokens
}

export const openaiChat: Dialect = {
  id: 'openai-chat',
  isAt: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    model: textIn(body['model']),
    messages: chatMessages(body['messages']),
    tools: listIn(body['tools']).length + listIn(body['functions']).length,
    maxTokens: numberIn(body['max_completion_tokens'] ?? body['max_tokens']),
    schema: schemaIn(body['response_format']),
    previous: null,
  }),
  take(answer, event) {
    answer.id = textIn(event['id']) || answer.id
    const choice = objectIn(listIn(event['choices'])[0])
    const message = objectIn(choice['delta'] ?? choice['message'])
    // Of several replies the first is kept.
    if ((numberIn(choice['index']) ?? 0) === 0) {
      answer.text += contentText(message['content'])
      takeCalls(answer, message['tool_calls'])
      answer.finish = textIn(choice['finish_reason']) || answer.finish
    }
    takeUsage(answer, event['usage'])
  },
}

export const openaiCompletions: Dialect = {
  id: 'openai-completions',
  isAt: (path) => path.endsWith('/completions') && !path.endsWith('/chat/completions'),
  read: (body) =>
    typeof body['prompt'] === 'string'
      ? {
          model: textIn(body['model']),
          messages: [
            {
              message: { role: 'user', content: body['prompt'] },
              place: { path: ['prompt'], part: null },
            },
          ],
          ...{ tools: 0, maxTokens: numberIn(body['max_tokens']), schema: null, previous: null },
        }
      : null,
  take(answer, event) {
    answer.id = textIn(event['id']) || answer.id
    const choice = objectIn(listIn(event['choices'])[0])
    if ((numberIn(choice['index']) ?? 0) === 0) {
      answer.text += textIn(choice['text'])
      answer.finish = textIn(choice['finish_reason']) || answer.finish
    }
    takeUsage(answer, event['usage'])
  },
}

function inputItem(value: unknown, i: number): ReadMessage | null {
  const item = objectIn(value)
  const { type, role } = item
  if (type === 'function_call' || type === 'custom_tool_call') {
    const call = {
      id: textIn(item['call_id']),
      name: textIn(item['name']),
      arguments: readInput(item['arguments'] ?? { input: item['input'] }),
    }
    return { message: { role: 'assistant', content: '', toolCalls: [call] }, place: null }
  }
  if (typeof type === 'string' && type.endsWith('_output')) {
    const output = typeof item['output'] === 'string' ? item['output'] : contentText(item['output'])
    return {
      message: { role: 'tool', content: output, callId: textIn(item['call_id']), name: 'tool' },
      place: null,
    }
  }
  if (role === 'system' || role === 'developer')
    return { message: { role: 'system', content: contentText(item['content']) }, place: null }
  if (role === 'assistant')
    return { message: { role: 'assistant', content: contentText(item['content']) }, place: null }
  if (role === 'user')
    return personMessage(item['content'], ['input', i, 'content'], (text) => ({ type: 'input_text', text }))
  return null
}

/** Calls that follow a reply belong to it. */
function joinCalls(messages: readonly ReadMessage[]): ReadMessage[] {
  const result: ReadMessage[] = []
  for (const entry of messages) {
    const last = result.at(-1)
    const { message } = entry
    if (message.role === 'assistant' && message.toolCalls && last?.message.role === 'assistant')
      result[result.length - 1] = {
        ...last,
        message: { ...last.message, toolCalls: [...(last.message.toolCalls ?? []), ...message.toolCalls] },
      }
    else result.push(entry)
  }
  return result
}

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  isAt: (path) => path.endsWith('/responses'),
  read(body) {
    const { input, instructions } = body
    const system: ReadMessage[] =
      typeof instructions === 'string'
        ? [{ message: { role: 'system', content: instructions }, place: null }]
        : []
    const messages: ReadMessage[] =
      typeof input === 'string'
        ? [{ message: { role: 'user', content: input }, place: { path: ['input'], part: null } }]
        : joinCalls(listIn(input).flatMap((item, i) => inputItem(item, i) ?? []))
    return {
      model: textIn(body['model']),
      messages: [...system, ...messages],
      tools: listIn(body['tools']).length,
      maxTokens: numberIn(body['max_output_tokens']),
      schema: schemaIn(objectIn(body['text'])['format']),
      previous: textIn(body['previous_response_id']) || null,
    }
  },
  take(answer, event) {
    if (event['type'] === 'response.output_text.delta') answer.text += textIn(event['delta'])
    const response = isJson(event['response']) ? event['response'] : event
    if (response['object'] !== 'response') return
    answer.id = textIn(response['id']) || answer.id
    const output = listIn(response['output']).map(objectIn)
    if (output.length > 0) {
      answer.text = output
        .filter(({ type }) => type === 'message')
        .map(({ content }) => contentText(content))
        .join('\n')
      output.forEach(({ type, call_id, name, arguments: input, input: custom }, i) => {
        if (type === 'function_call' || type === 'custom_tool_call')
          answer.calls.set(i, {
            ...{ id: textIn(call_id), name: textIn(name) },
            input: inputText(input ?? { input: custom }),
          })
      })
    }
    const status = textIn(response['status'])
    answer.finish =
      textIn(objectIn(response['incomplete_details'])['reason']) ||
      (status === 'in_progress' || status === 'queued' ? answer.finish : status || answer.finish)
    takeUsage(answer, response['usage'])
  },
}
