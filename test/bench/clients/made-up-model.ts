import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOn, type Exchange } from './watch'

type Json = Readonly<Record<string, unknown>>
type Headers = Exchange['headers']
const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectIn) : [])
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Most tokens of an answer, as each protocol says it. */
const limitIn = (body: Json): number =>
  Number(
    body['max_completion_tokens'] ??
      body['max_tokens'] ??
      body['max_output_tokens'] ??
      objectIn(body['generationConfig'])['maxOutputTokens'] ??
      Infinity,
  )
/** With fewer tokens than these an answer is cut. */
const FEW = 20

interface Call {
  readonly name: string
  readonly space: string | null
  readonly input: string
}
type Reply = { readonly text: string; readonly isCut?: true } | { readonly call: Call }
const isCut = (reply: Reply): boolean => 'text' in reply && reply.isCut === true

/** What the model says. It calls a tool once where the person names a berth, and asks about it in words else. */
function replyTo(body: Json): Reply {
  const messages = [...listIn(body['messages']), ...listIn(body['contents'])]
  const input =
    typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : listIn(body['input'])
  const last = JSON.stringify([...messages, ...input].findLast(({ role }) => role !== 'system') ?? {})
  const isResult =
    /"tool_result"|"role":"tool"|"function_call_output"|"functionResponse"|"custom_tool_call_output"/.test(
      last,
    )
  const horn = (): Call | null => callOf(body, SHELL, commandFor(HORN))
  // What was held is sent again, as a model does that means it.
  const again = isResult && /Not done yet\. From earlier tasks/.test(last) ? horn() : null
  if (again) return { call: again }
  if (isResult) return { text: 'At the berth lies the Alma.' }
  const call = /berth/i.test(last) ? lookup(body) : /fog horn/i.test(last) ? horn() : null
  if (call) return { call }
  if (limitIn(body) < FEW) return { text: 'Here is the', isCut: true }
  // Long enough to be left before it ends.
  if (/every ship/i.test(last)) return { text: 'The Alma, laden with salt. '.repeat(300) }
  return {
    text: /wrong/i.test(last)
      ? 'Sorry, now the ledger is sorted — ✓'
      : 'Here is the ledger:\n1. Alma\n2. Berta',
  }
}

const SHELL = /^(?:bash|shell|exec_command|run_shell_command|run_commands)$/i
/** What earlier tasks were refused (`clients.ts`), and what is no command here. */
const HORN = 'foghorn --loud west'

/** What a shell is given; Codex calls it otherwise. */
const commandFor =
  (command: string) =>
  (tool: string): object =>
    tool === 'exec_command'
      ? { cmd: command }
      : tool === 'run_commands'
        ? { commands: [command] }
        : { command, description: 'Says a name' }

/** A call of the memory's list, of a tool of the client's own, or of its shell. */
const lookup = (body: Json): Call | null =>
  callOf(body, /memory_list$/, () => ({})) ??
  callOf(body, /^look$/, () => ({ at: 4 })) ??
  callOf(body, SHELL, commandFor('echo Alma'))

function callOf(body: Json, pattern: RegExp, inputFor: (tool: string) => object): Call | null {
  const tools = listIn(body['tools']).flatMap((tool) => {
    const inner = [...listIn(tool['tools']), ...listIn(tool['functionDeclarations'])]
    if (inner.length > 0)
      return inner.map(({ name }) => ({ name: textIn(name), space: textIn(tool['name']) || null }))
    return [{ name: textIn(tool['name']) || textIn(objectIn(tool['function'])['name']), space: null }]
  })
  const tool = tools.find(({ name }) => pattern.test(name))
  return tool ? { ...tool, input: JSON.stringify(inputFor(tool.name)) } : null
}

let count = 0
const pieces = (text: string): string[] => text.match(/[\s\S]{1,9}/g) ?? []

function chat(body: Json, reply: Reply): object[] {
  const about = {
    id: `chatcmpl-${++count}`,
    created: 1,
    model: textIn(body['model']),
    system_fingerprint: 'fp_1',
  }
  const usage = { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 }
  const call =
    'call' in reply
      ? {
          id: `call_${count}`,
          type: 'function',
          function: { name: reply.call.name, arguments: reply.call.input },
        }
      : null
  const finish = call ? 'tool_calls' : isCut(reply) ? 'length' : 'stop'
  if (body['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: 'text' in reply ? reply.text : null,
      refusal: null,
      ...(call && { tool_calls: [call] }),
    }
    return [
      {
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
        usage,
      },
    ]
  }
  const piece = (delta: object, end: string | null = null) => ({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: end, logprobs: null }],
  })
  const deltas = call
    ? [
        { tool_calls: [{ index: 0, ...call, function: { ...call.function, arguments: '' } }] },
        ...pieces(call.function.arguments).map((text) => ({
          tool_calls: [{ index: 0, function: { arguments: text } }],
        })),
      ]
    : pieces('text' in reply ? reply.text : '').map((content) => ({ content }))
  return [
    piece({ role: 'assistant', content: call ? null : '' }),
    ...deltas.map((delta) => piece(delta)),
    piece({}, finish),
    { ...about, object: 'chat.completion.chunk', choices: [], usage },
  ]
}

function responses(body: Json, reply: Reply): object[] {
  const id = `resp_${++count}`
  const item =
    'call' in reply
      ? {
          ...{ type: 'function_call', id: `fc_${count}`, call_id: `call_${count}`, status: 'completed' },
          ...{ name: reply.call.name, arguments: reply.call.input },
          ...(reply.call.space !== null && { namespace: reply.call.space }),
        }
      : {
          ...{ type: 'message', id: `msg_${count}`, role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }],
        }
  const usage = {
    ...{ input_tokens: 20, output_tokens: 8, total_tokens: 28 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  }
  const base = {
    id,
    object: 'response',
    created_at: 1,
    model: textIn(body['model']),
    error: null,
    incomplete_details: null,
  }
  const response = {
    ...base,
    status: isCut(reply) ? 'incomplete' : 'completed',
    ...(isCut(reply) && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [item],
    usage,
    tools: [],
    parallel_tool_calls: true,
    metadata: {},
  }
  if (body['stream'] !== true) return [response]
  const start = { ...response, status: 'in_progress', output: [], usage: null }
  const at = { item_id: item.id, output_index: 0 }
  const within =
    'call' in reply
      ? [
          ...pieces(reply.call.input).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...at,
            delta,
          })),
          { type: 'response.function_call_arguments.done', ...at, arguments: reply.call.input },
        ]
      : [
          {
            type: 'response.content_part.added',
            ...at,
            content_index: 0,
            part: { type: 'output_text', text: '', annotations: [] },
          },
          ...pieces(reply.text).map((delta) => ({
            type: 'response.output_text.delta',
            ...at,
            content_index: 0,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', ...at, content_index: 0, text: reply.text, logprobs: [] },
          {
            type: 'response.content_part.done',
            ...at,
            content_index: 0,
            part: { type: 'output_text', text: reply.text, annotations: [] },
          },
        ]
  const open =
    'call' in reply
      ? { ...item, arguments: '', status: 'in_progress' }
      : { ...item, content: [], status: 'in_progress' }
  return [
    { type: 'response.created', response: start },
    { type: 'response.in_progress', response: start },
    { type: 'response.output_item.added', output_index: 0, item: open },
    ...within,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: isCut(reply) ? 'response.incomplete' : 'response.completed', response },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

function messages(body: Json, reply: Reply): object[] {
  const block =
    'call' in reply
      ? {
          type: 'tool_use',
          id: `toolu_${++count}`,
          name: reply.call.name,
          input: JSON.parse(reply.call.input) as object,
        }
      : { type: 'text', text: reply.text }
  const reason = 'call' in reply ? 'tool_use' : isCut(reply) ? 'max_tokens' : 'end_turn'
  const stop = { stop_reason: reason, stop_sequence: null }
  const about = { id: `msg_${++count}`, type: 'message', role: 'assistant', model: textIn(body['model']) }
  const usage = {
    input_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 8,
  }
  if (body['stream'] !== true) return [{ ...about, content: [block], ...stop, usage }]
  const start = 'call' in reply ? { ...block, input: {} } : { type: 'text', text: '' }
  const deltas =
    'call' in reply
      ? pieces(reply.call.input).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      : pieces(reply.text).map((text) => ({ type: 'text_delta', text }))
  return [
    {
      type: 'message_start',
      message: {
        ...about,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 8 } },
    { type: 'message_stop' },
  ]
}

function gemini(reply: Reply, isStream: boolean): object[] {
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 8, totalTokenCount: 28 }
  const parts =
    'call' in reply
      ? [
          {
            functionCall: {
              id: `fc-${++count}`,
              name: reply.call.name,
              args: JSON.parse(reply.call.input) as object,
            },
          },
        ]
      : (isStream ? pieces(reply.text) : [reply.text]).map((text) => ({ text }))
  return parts.map((part, i) => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [part] },
        ...(i === parts.length - 1 && { finishReason: isCut(reply) ? 'MAX_TOKENS' : 'STOP' }),
      },
    ],
    usageMetadata,
    modelVersion: 'made-up',
  }))
}

function eventsOf(path: string, body: Json, isStream: boolean): object[] {
  const reply = replyTo(body)
  if (path.includes('/count_tokens')) return [{ input_tokens: 20 }]
  if (path.includes('/chat/completions')) return chat(body, reply)
  if (path.includes('/responses')) return responses(body, reply)
  if (path.includes('/messages')) return messages(body, reply)
  if (path.includes('enerateContent')) return gemini(reply, isStream)
  return [{ object: 'list', data: [{ id: 'made-up', object: 'model' }], models: [] }]
}

async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<Headers> {
  const path = request.url ?? ''
  const body = objectIn(text.startsWith('{') ? JSON.parse(text) : {})
  const isStream = body['stream'] === true || path.includes('alt=sse')
  const events = eventsOf(path, body, isStream)
  const head = {
    'x-request-id': `made-up-${++count}`,
    'x-ratelimit-remaining-requests': '99',
    'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
  }
  response.writeHead(200, head)
  if (!isStream) {
    response.end(JSON.stringify(events[0]))
    return head
  }
  for (const event of events) {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  if (path.includes('/chat/')) response.write('data: [DONE]\n\n')
  response.end()
  return head
}

/** A server in the protocols of OpenAI, Anthropic and Google, with every field that the clients of this bench insist on. What came and went is in `exchanges`, by the number of the request. */
export async function startMadeUpModel() {
  const exchanges = new Map<string, Exchange>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const sent: string[] = []
      const write = response.write.bind(response) as (text: string) => boolean
      response.write = ((text: string) => (sent.push(text), write(text))) as typeof response.write
      const end = response.end.bind(response) as (text?: string) => ServerResponse
      response.end = ((text?: string) => (sent.push(text ?? ''), end(text))) as typeof response.end
      void answer(request, response, body).then((head) => {
        const { method = '', url: path = '', headers } = request
        const number = String(headers['x-bench'])
        const said = {
          status: response.statusCode,
          headers: head,
          text: sent.join(''),
        }
        exchanges.set(number, { method, path, headers: { ...headers }, body, answer: said })
      })
    })
  })
  return { exchanges, ...(await listenOn(server)) }
}
