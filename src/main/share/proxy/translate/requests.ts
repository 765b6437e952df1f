import { anthropicForm } from '../dialects/anthropic'
import { Losses, only, plainContent, type TranslatedRequest } from './losses'
import {
  contentText,
  inputText,
  isJson,
  listIn,
  objectIn,
  readInput,
  textIn,
  type Json,
} from '../dialects/dialect'

/** Most tokens of a reply where a server insists on a number and the client said none. */
const USUAL_LENGTH = 4096

const DATA_URL = /^data:([\w.+/-]{1,100});base64,/
const dataUrl = ({ media_type: type, data }: Json): string => `data:${textIn(type)};base64,${textIn(data)}`

/** A part of Anthropic's content as Chat writes it; null where it has no place there. */
function partForChat(part: Json, losses: Losses): object | null {
  const source = objectIn(part['source'])
  if (part['cache_control']) losses.add('cache_control')
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: part['text'] }
    case 'image':
      return {
        type: 'image_url',
        image_url: { url: source['type'] === 'url' ? source['url'] : dataUrl(source) },
      }
    case 'document':
      if (source['type'] === 'text') return { type: 'text', text: source['data'] }
      if (source['type'] !== 'base64') break
      return {
        type: 'file',
        file: { filename: textIn(part['title']) || 'document.pdf', file_data: dataUrl(source) },
      }
    default:
  }
  losses.add(`parts of type ${textIn(part['type'])}`)
  return null
}

function anthropicTurn(value: unknown, losses: Losses): object[] {
  const { role, content } = objectIn(value)
  if (typeof content === 'string') return [{ role, content }]
  const parts = listIn(content).map(objectIn)
  const placed = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking'])
  const texts = parts
    .filter(({ type }) => !placed.has(textIn(type)))
    .flatMap((part) => partForChat(part, losses) ?? [])
  if (parts.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')) losses.add('thinking')
  if (role === 'assistant') {
    const calls = parts.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id, type: 'function', function: { name, arguments: inputText(input) } }] : [],
    )
    return [
      {
        role,
        content: texts.length === 0 ? null : plainContent(texts),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ]
  }
  const results = parts.flatMap(({ type, tool_use_id: id, content: result, is_error: isError }) => {
    if (type !== 'tool_result') return []
    if (isError === true) losses.add('is_error')
    if (listIn(result).some((part) => objectIn(part)['type'] !== 'text'))
      losses.add('pictures in tool results')
    return [{ role: 'tool', tool_call_id: id, content: contentText(result) }]
  })
  return [...results, ...(texts.length > 0 ? [{ role, content: plainContent(texts) }] : [])]
}

const ANTHROPIC_FIELDS = new Set(
  'model messages system max_tokens temperature top_p stop_sequences stream tools tool_choice metadata output_config output_format'.split(
    ' ',
  ),
)

/** Anthropic's Messages as Chat. */
export function anthropicToChat(body: Json): TranslatedRequest {
  const losses = new Losses()
  losses.others(body, ANTHROPIC_FIELDS)
  const system = contentText(body['system'])
  if (listIn(body['system']).some((part) => objectIn(part)['cache_control'])) losses.add('cache_control')
  const tools = listIn(body['tools'])
    .map(objectIn)
    .flatMap(({ type, name, description, input_schema: parameters, cache_control: hint }) => {
      if (hint) losses.add('cache_control')
      if (parameters === undefined) {
        losses.add(`tool ${textIn(type)}`)
        return []
      }
      return [{ type: 'function', function: only({ name, description, parameters }) }]
    })
  const choice = objectIn(body['tool_choice'])
  const choices: Json = {
    ...{ auto: 'auto', any: 'required', none: 'none' },
    tool: { type: 'function', function: { name: choice['name'] } },
  }
  const isStream = body['stream'] === true
  const schema = anthropicForm(body)
  for (const name of Object.keys(objectIn(body['output_config'])))
    if (name !== 'format') losses.add(`output_config.${name}`)
  return {
    body: only({
      model: body['model'],
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system }]),
        ...listIn(body['messages']).flatMap((message) => anthropicTurn(message, losses)),
      ],
      max_tokens: body['max_tokens'],
      temperature: body['temperature'],
      top_p: body['top_p'],
      stop: body['stop_sequences'],
      tools: tools.length > 0 ? tools : null,
      tool_choice: tools.length > 0 ? choices[textIn(choice['type'])] : null,
      parallel_tool_calls: tools.length > 0 && choice['disable_parallel_tool_use'] === true ? false : null,
      user: objectIn(body['metadata'])['user_id'],
      response_format: schema && {
        type: 'json_schema',
        json_schema: { name: 'answer', schema, strict: true },
      },
      stream: body['stream'],
      stream_options: isStream ? { include_usage: true } : null,
    }),
    lost: losses.list(),
  }
}

/** A part of Chat's content as Anthropic writes it; null where it has no place there. */
function partForAnthropic(part: Json, losses: Losses): object | null {
  const sourceOf = (url: string): object => {
    const match = DATA_URL.exec(url)
    return match
      ? { type: 'base64', media_type: match[1], data: url.slice(match[0].length) }
      : { type: 'url', url }
  }
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: textIn(part['text'] ?? part['refusal']) }
    case 'image_url': {
      const { url, detail } = objectIn(part['image_url'])
      if (detail !== undefined && detail !== 'auto') losses.add('detail of pictures')
      return { type: 'image', source: sourceOf(textIn(url)) }
    }
    case 'file': {
      const { file_data: data, filename } = objectIn(part['file'])
      if (typeof data !== 'string') break
      return {
        type: 'document',
        source: sourceOf(data),
        ...(typeof filename === 'string' && { title: filename }),
      }
    }
    default:
  }
  losses.add(`parts of type ${textIn(part['type'])}`)
  return null
}

const blocksOf = (content: unknown, losses: Losses): object[] =>
  typeof content === 'string'
    ? content === ''
      ? []
      : [{ type: 'text', text: content }]
    : listIn(content).flatMap((part) => partForAnthropic(objectIn(part), losses) ?? [])

/** A whole turn: one text alone stays a string. */
const turn = (role: string, content: unknown, losses: Losses): object => ({
  role,
  content: typeof content === 'string' ? content : blocksOf(content, losses),
})

function chatTurns(messages: readonly Json[], losses: Losses): object[] {
  const turns: { role: string; content: object[] | string }[] = []
  let results: object[] | null = null
  for (const message of messages) {
    const { role, content } = message
    if (role === 'tool' || role === 'function') {
      if (!results) turns.push({ role: 'user', content: (results = []) })
      results.push({
        type: 'tool_result',
        tool_use_id: message['tool_call_id'],
        content: contentText(content),
      })
      continue
    }
    results = null
    if (role !== 'assistant') {
      turns.push(turn('user', content, losses) as { role: string; content: object[] | string })
      continue
    }
    const calls = listIn(message['tool_calls'])
      .map(objectIn)
      .flatMap(({ id, function: callee }) => {
        const { name, arguments: input } = objectIn(callee)
        if (name === undefined) losses.add('calls of other tools')
        return name === undefined ? [] : [{ type: 'tool_use', id, name, input: readInput(input) }]
      })
    if (calls.length === 0) turns.push(turn('assistant', content, losses) as (typeof turns)[number])
    else turns.push({ role: 'assistant', content: [...blocksOf(content, losses), ...calls] })
  }
  return turns
}

const CHAT_FIELDS = new Set(
  'model messages max_tokens max_completion_tokens temperature top_p stop stream stream_options tools tool_choice parallel_tool_calls user response_format'.split(
    ' ',
  ),
)

/** Chat as Anthropic's Messages. */
export function chatToAnthropic(body: Json): TranslatedRequest {
  const losses = new Losses()
  losses.others(body, CHAT_FIELDS)
  const messages = listIn(body['messages']).map(objectIn)
  const isSystem = ({ role }: Json): boolean => role === 'system' || role === 'developer'
  const dialog = messages.filter((message) => !isSystem(message))
  const begin = messages.findIndex((message) => !isSystem(message))
  if (begin >= 0 && messages.slice(begin).some(isSystem)) losses.add('the place of system messages')
  const system = messages.filter(isSystem).map(({ content }) => contentText(content))
  const tools = listIn(body['tools'])
    .map(objectIn)
    .flatMap(({ type, function: own }) => {
      const { name, description, parameters } = objectIn(own)
      if (name === undefined) losses.add(`tool ${textIn(type)}`)
      return name === undefined
        ? []
        : [only({ name, description, input_schema: parameters ?? { type: 'object' } })]
    })
  const length = body['max_completion_tokens'] ?? body['max_tokens']
  if (length === undefined || length === null) losses.add(`no limit: ${String(USUAL_LENGTH)} tokens at most`)
  const { temperature } = body
  const isHot = typeof temperature === 'number' && temperature > 1
  if (isHot) losses.add('temperature above 1')
  const user = body['user']
  const form = objectIn(body['response_format'])
  const { schema } = objectIn(form['json_schema'])
  if (form['type'] === 'json_object') losses.add('response_format')
  return {
    body: only({
      model: body['model'],
      max_tokens: length ?? USUAL_LENGTH,
      system: system.length > 0 ? system.join('\n\n') : null,
      messages: chatTurns(dialog, losses),
      temperature: isHot ? 1 : temperature,
      top_p: body['top_p'],
      stop_sequences: body['stop'] === undefined || body['stop'] === null ? null : [body['stop']].flat(),
      tools: tools.length > 0 ? tools : null,
      tool_choice: tools.length > 0 ? choiceForAnthropic(body) : null,
      metadata: typeof user === 'string' ? { user_id: user } : null,
      output_config: form['type'] === 'json_schema' ? { format: { type: 'json_schema', schema } } : null,
      stream: body['stream'],
    }),
    lost: losses.list(),
  }
}

function choiceForAnthropic({ tool_choice: choice, parallel_tool_calls: parallel }: Json): object | null {
  const name = isJson(choice) ? objectIn(choice['function'])['name'] : undefined
  const types: Json = { auto: 'auto', required: 'any', none: 'none' }
  const type = name === undefined ? types[textIn(choice)] : 'tool'
  const isSingle = parallel === false
  if (type === undefined && !isSingle) return null
  return only({
    type: type ?? 'auto',
    name,
    disable_parallel_tool_use: isSingle && type !== 'none' ? true : undefined,
  })
}
