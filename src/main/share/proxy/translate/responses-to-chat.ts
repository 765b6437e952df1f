import { contentText, isJson, listIn, objectIn, textIn, type Json } from '../dialects/dialect'
import { Losses, only, plainContent, type TranslatedRequest } from './losses'

/** A part of a Responses item as Chat writes it. */
function partOfResponse(part: Json, losses: Losses): object | null {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part['text'] }
    case 'refusal':
      return { type: 'refusal', refusal: part['refusal'] }
    case 'input_image':
      if (typeof part['image_url'] !== 'string') break
      return { type: 'image_url', image_url: only({ url: part['image_url'], detail: part['detail'] }) }
    case 'input_file':
      if (typeof part['file_data'] !== 'string') break
      return { type: 'file', file: only({ filename: part['filename'], file_data: part['file_data'] }) }
    default:
  }
  losses.add(`parts of type ${textIn(part['type'])}`)
  return null
}

function itemForChat(value: unknown, losses: Losses): Json | null {
  const item = objectIn(value)
  const { type, role, content } = item
  if (type === 'function_call') {
    const call = {
      id: item['call_id'],
      type: 'function',
      function: { name: item['name'], arguments: item['arguments'] },
    }
    return { role: 'assistant', content: null, tool_calls: [call] }
  }
  if (type === 'function_call_output')
    return {
      role: 'tool',
      tool_call_id: item['call_id'],
      content: typeof item['output'] === 'string' ? item['output'] : contentText(item['output']),
    }
  if (typeof role !== 'string') {
    losses.add(`items of type ${textIn(type)}`)
    return null
  }
  const parts = listIn(content).flatMap((part) => partOfResponse(objectIn(part), losses) ?? [])
  return { role, content: typeof content === 'string' ? content : plainContent(parts) }
}

const RESPONSE_FIELDS = new Set(
  'model input instructions max_output_tokens temperature top_p stream tools tool_choice parallel_tool_calls text metadata store user reasoning'.split(
    ' ',
  ),
)

/** OpenAI's Responses as Chat. Nothing is kept by the server, so what it would go on from is lost. */
export function responsesToChat(body: Json): TranslatedRequest {
  const losses = new Losses()
  losses.others(body, RESPONSE_FIELDS)
  const { input, instructions } = body
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listIn(input)
  const messages: Json[] = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  for (const message of items.map((item) => itemForChat(item, losses)).filter((one) => one !== null)) {
    const last = messages.at(-1)
    // Calls of one turn are items of their own.
    if (message['tool_calls'] && last?.['role'] === 'assistant')
      messages[messages.length - 1] = {
        ...last,
        tool_calls: [...listIn(last['tool_calls']), ...listIn(message['tool_calls'])],
      }
    else messages.push(message)
  }
  const tools = listIn(body['tools'])
    .map(objectIn)
    .flatMap(({ type, name, description, parameters, strict }) => {
      if (type !== 'function') losses.add(`tool ${textIn(type)}`)
      return type === 'function' ? [{ type, function: only({ name, description, parameters, strict }) }] : []
    })
  const choice = body['tool_choice']
  const format = objectIn(objectIn(body['text'])['format'])
  const { type: form, ...schema } = format
  const reasoning = objectIn(body['reasoning'])
  if (reasoning['summary'] !== undefined) losses.add('reasoning.summary')
  return {
    body: only({
      model: body['model'],
      messages,
      max_completion_tokens: body['max_output_tokens'],
      temperature: body['temperature'],
      top_p: body['top_p'],
      tools: tools.length > 0 ? tools : null,
      tool_choice:
        tools.length === 0
          ? null
          : isJson(choice)
            ? { type: 'function', function: { name: choice['name'] } }
            : choice,
      parallel_tool_calls: tools.length > 0 ? body['parallel_tool_calls'] : null,
      response_format:
        form === 'json_schema'
          ? { type: form, json_schema: schema }
          : form === 'json_object'
            ? { type: form }
            : null,
      verbosity: objectIn(body['text'])['verbosity'],
      reasoning_effort: reasoning['effort'],
      metadata: body['metadata'],
      store: body['store'],
      user: body['user'],
      stream: body['stream'],
      stream_options: body['stream'] === true ? { include_usage: true } : null,
    }),
    lost: losses.list(),
  }
}
