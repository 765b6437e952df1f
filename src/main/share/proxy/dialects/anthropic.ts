import type { ToolCall } from '../../../../core/ground/chat'
import {
  contentText,
  inputText,
  listIn,
  numberIn,
  objectIn,
  personMessage,
  readInput,
  textIn,
  type Dialect,
  type Json,
  type ReadMessage,
} from './dialect'

/** The schema that a request wants its answer in; null for text. Its first form, `output_format`, is read too. */
export function anthropicForm(body: Json): Json | null {
  const { type, schema } = objectIn(objectIn(body['output_config'])['format'] ?? body['output_format'])
  return type === 'json_schema' ? objectIn(schema) : null
}

/** Messages of Anthropic's protocol: what tools answered stands in the person's name. */
export function anthropicMessages(messages: unknown): ReadMessage[] {
  const names = new Map<string, string>()
  return listIn(messages).flatMap((value, i): ReadMessage[] => {
    const { role, content } = objectIn(value)
    const parts = listIn(content).map(objectIn)
    if (role === 'assistant') {
      const toolCalls = parts.flatMap(({ type, id, name, input }): ToolCall[] =>
        type === 'tool_use' ? [{ id: textIn(id), name: textIn(name), arguments: readInput(input) }] : [],
      )
      for (const { id, name } of toolCalls) names.set(id, name)
      const text = contentText(content)
      return [
        {
          message: { role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) },
          place: null,
        },
      ]
    }
    const results = parts.flatMap(({ type, tool_use_id: id, content: result }): ReadMessage[] => {
      if (type !== 'tool_result') return []
      const callId = textIn(id)
      const name = names.get(callId) ?? 'tool'
      return [{ message: { role: 'tool', content: contentText(result), callId, name }, place: null }]
    })
    const person = personMessage(content, ['messages', i, 'content'], (text) => ({ type: 'text', text }))
    if (role === 'system')
      return [{ message: { role: 'system', content: contentText(content) }, place: null }]
    return person && (results.length === 0 || person.message.content !== '') ? [...results, person] : results
  })
}

export const anthropicMessagesDialect: Dialect = {
  id: 'anthropic-messages',
  isAt: (path) => path.endsWith('/messages'),
  read(body) {
    const system = contentText(body['system'])
    return {
      model: textIn(body['model']),
      messages: [
        ...(system === '' ? [] : [{ message: { role: 'system' as const, content: system }, place: null }]),
        ...anthropicMessages(body['messages']),
      ],
      tools: listIn(body['tools']).length,
      maxTokens: numberIn(body['max_tokens']),
      ...{ schema: anthropicForm(body), previous: null },
    }
  },
  take(answer, event) {
    const message = objectIn(event['type'] === 'message_start' ? event['message'] : event)
    const index = numberIn(event['index']) ?? 0
    const delta = objectIn(event['delta'])
    if (message['type'] === 'message') {
      answer.id = textIn(message['id']) || answer.id
      listIn(message['content'])
        .map(objectIn)
        .forEach(({ type, text, id, name, input }, i) => {
          if (type === 'text') answer.text += textIn(text)
          if (type === 'tool_use')
            answer.calls.set(i, { id: textIn(id), name: textIn(name), input: inputText(input) })
        })
      answer.finish = textIn(message['stop_reason']) || answer.finish
    }
    if (event['type'] === 'content_block_start') {
      const block = objectIn(event['content_block'])
      if (block['type'] === 'tool_use')
        answer.calls.set(index, { id: textIn(block['id']), name: textIn(block['name']), input: '' })
    }
    answer.text += textIn(delta['text'])
    const call = answer.calls.get(index)
    if (call) call.input += textIn(delta['partial_json'])
    answer.finish = textIn(delta['stop_reason']) || answer.finish
    const usage = objectIn(event['usage'] ?? message['usage'])
    const uncached = numberIn(usage['input_tokens'])
    if (uncached !== null) {
      answer.cachedTokens = numberIn(usage['cache_read_input_tokens']) ?? 0
      const cacheWrites = numberIn(usage['cache_creation_input_tokens']) ?? 0
      answer.promptTokens = uncached + answer.cachedTokens + cacheWrites
    }
    answer.completionTokens = numberIn(usage['output_tokens']) ?? answer.completionTokens
  },
}
