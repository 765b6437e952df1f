import { describe, expect, it } from 'vitest'
import { emptyAnswer, type Json } from '../../../src/main/share/proxy/dialects/dialect'
import { dialectCalled } from '../../../src/main/share/proxy/dialects'
import { answerReader } from '../../../src/main/share/proxy/read-answer'
import { answerWriter } from '../../../src/main/share/proxy/translate/answers'
import { translationOf, upstreamDialectOf } from '../../../src/main/share/proxy/translate'
import { translateAnswer } from '../../../src/main/share/proxy/translate/passage'
import { anthropicToChat, chatToAnthropic } from '../../../src/main/share/proxy/translate/requests'
import { responsesToChat } from '../../../src/main/share/proxy/translate/responses-to-chat'

// Shapes as the published references of the three protocols give them.
const PNG = 'iVBORw0KGgo='
const WEATHER = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] }

const MESSAGES: Json = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  system: 'Answer in one word.',
  temperature: 0.5,
  top_p: 0.9,
  stop_sequences: ['\n\nHuman:'],
  tools: [{ name: 'get_weather', description: 'Weather at a place.', input_schema: WEATHER }],
  tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
  metadata: { user_id: '13803d75-b4b5-4c3e-b2a2-6f21399b021b' },
  stream: true,
  messages: [
    { role: 'user', content: 'What is the weather in this city?' },
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.jpg' } },
        { type: 'text', text: 'And in this one?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look it up.' },
        { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { location: 'San Francisco, CA' } },
        { type: 'tool_use', id: 'toolu_02', name: 'get_weather', input: { location: 'Lima' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_01', content: '15 degrees' },
        { type: 'tool_result', tool_use_id: 'toolu_02', content: [{ type: 'text', text: '22 degrees' }] },
      ],
    },
  ],
}

describe('requests', () => {
  it('for an answer in a form say it in either protocol, and the form is read', () => {
    const format = { type: 'json_schema', schema: WEATHER }
    const asked = { ...MESSAGES, output_config: { format } }
    const { body, lost } = anthropicToChat(asked)
    expect(lost).toEqual([])
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: WEATHER, strict: true },
    })
    expect(chatToAnthropic(body).body['output_config']).toEqual({ format })
    expect(chatToAnthropic({ ...body, response_format: { type: 'json_object' } }).lost).toEqual([
      'response_format',
    ])
    // As it was called at first.
    const { output_config: _later, ...rest } = asked
    for (const one of [asked, { ...rest, output_format: format }])
      expect(dialectCalled('anthropic-messages')?.read(one)?.schema).toEqual(WEATHER)
    expect(anthropicToChat({ ...MESSAGES, output_config: { effort: 'low' } }).lost).toEqual([
      'output_config.effort',
    ])
  })

  it('of Anthropic are said in Chat, and nothing is lost', () => {
    const { body, lost } = anthropicToChat(MESSAGES)
    expect(lost).toEqual([])
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 1024,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['\n\nHuman:'],
      user: '13803d75-b4b5-4c3e-b2a2-6f21399b021b',
      stream: true,
      stream_options: { include_usage: true },
      parallel_tool_calls: false,
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: 'Weather at a place.', parameters: WEATHER },
        },
      ],
      messages: [
        { role: 'system', content: 'Answer in one word.' },
        { role: 'user', content: 'What is the weather in this city?' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
            { type: 'text', text: 'And in this one?' },
          ],
        },
        {
          role: 'assistant',
          content: 'I look it up.',
          tool_calls: ['San Francisco, CA', 'Lima'].map((location, i) => ({
            id: `toolu_0${String(i + 1)}`,
            type: 'function',
            function: { name: 'get_weather', arguments: JSON.stringify({ location }) },
          })),
        },
        { role: 'tool', tool_call_id: 'toolu_01', content: '15 degrees' },
        { role: 'tool', tool_call_id: 'toolu_02', content: '22 degrees' },
      ],
    })
  })

  it('come back from Chat as they were', () => {
    const { body, lost } = chatToAnthropic(anthropicToChat(MESSAGES).body)
    expect(lost).toEqual([])
    const { messages, ...rest } = body
    const { messages: before, ...others } = MESSAGES
    expect(rest).toEqual(others)
    // Texts alone and lists of one text mean the same.
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll('[{"type":"text","text":"22 degrees"}]', '"22 degrees"'))
    expect(messages).toEqual(plain(before))
  })

  it('name what the other protocol has no place for', () => {
    const said = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'a' }] }
    const { lost } = anthropicToChat({
      ...said,
      ...{ top_k: 5, thinking: { type: 'enabled', budget_tokens: 2000 } },
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      messages: [
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
        { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
      ],
    })
    expect(new Set(lost)).toEqual(new Set(['top_k', 'thinking', 'cache_control', 'tool web_search_20250305']))
    const chat = { model: 'm', messages: [{ role: 'user', content: 'a' }] }
    expect(chatToAnthropic({ ...chat, logprobs: true, n: 2, seed: 1, temperature: 1.5 }).lost).toEqual([
      ...['logprobs', 'n', 'seed', 'no limit: 4096 tokens at most', 'temperature above 1'],
    ])
    expect(chatToAnthropic({ ...chat, max_completion_tokens: 5 })).toMatchObject({
      lost: [],
      body: { max_tokens: 5 },
    })
    expect(
      responsesToChat({
        model: 'm',
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { role: 'user', content: 'a' },
        ],
        ...{
          previous_response_id: 'resp_1',
          include: ['reasoning.encrypted_content'],
          tools: [{ type: 'web_search' }],
        },
      }).lost,
    ).toEqual(['previous_response_id', 'include', 'items of type reasoning', 'tool web_search'])
  })

  it('of Responses are said in Chat', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    const { body, lost } = responsesToChat({
      model: 'gpt-5',
      instructions: 'Be brief.',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look.' },
            { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
          ],
        },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"at":1}' },
        { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a boat' },
      ],
      tools: [{ type: 'function', name: 'look', parameters: schema, strict: true }],
      tool_choice: { type: 'function', name: 'look' },
      text: { format: { type: 'json_schema', name: 'a', schema, strict: true } },
      reasoning: { effort: 'low' },
      ...{ max_output_tokens: 50, stream: false, store: false },
    })
    expect(lost).toEqual([])
    expect(body).toMatchObject({
      max_completion_tokens: 50,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      tools: [{ type: 'function', function: { name: 'look', parameters: schema, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Look.' }, { type: 'image_url' }] },
        { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'a boat' },
      ],
    })
  })
})

/** Events of a stream as text. */
const sse = (events: readonly object[], isNamed: boolean): string =>
  events
    .map(
      (event) =>
        `${isNamed && 'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('')

const delta = (value: object, finish: string | null = null) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5' },
  choices: [{ index: 0, delta: value, finish_reason: finish }],
})
const CHAT_STREAM = `${sse(
  [
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'I look' }),
    delta({ content: ' it up ✓' }),
    delta({
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } },
      ],
    }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"location":' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '"Lima"}' } }] }),
    delta({
      tool_calls: [
        { index: 1, id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } },
      ],
    }),
    delta({}, 'tool_calls'),
    {
      ...delta({}),
      choices: [],
      usage: {
        prompt_tokens: 82,
        completion_tokens: 17,
        total_tokens: 99,
        prompt_tokens_details: { cached_tokens: 64 },
      },
    },
  ],
  false,
)}data: [DONE]\n\n`

/** A stream in pieces of so many bytes, in another protocol. */
async function through(
  stream: string,
  from: string,
  to: string,
  size: number,
  body: Json = { model: 'm' },
): Promise<string> {
  const writer = answerWriter(to, body)
  if (!writer) throw new Error(to)
  const translation = translateAnswer(
    { answers: dialectCalled(from), writer },
    'text/event-stream; charset=utf-8',
  )
  const bytes = Buffer.from(stream)
  let text = ''
  for (let i = 0; i < bytes.length; i += size) text += await translation.bytes(bytes.subarray(i, i + size))
  return text + (await translation.end())
}
/** What a reader of a protocol takes from a stream. */
async function read(stream: string, dialect: string) {
  const reader = answerReader(dialectCalled(dialect), 'text/event-stream')
  await reader.bytes(Buffer.from(stream))
  const { answer } = await reader.end()
  return { ...answer, id: null, calls: [...answer.calls.values()] }
}

describe('streams', async () => {
  const before = await read(CHAT_STREAM, 'openai-chat')
  const calls = [
    { id: 'call_1', name: 'get_weather', input: '{"location":"Lima"}' },
    { id: 'call_2', name: 'get_time', input: '{}' },
  ]

  it.each([1, 7, 100_000])('of Chat arrive as Messages and go back, in pieces of %i bytes', async (size) => {
    const messages = await through(CHAT_STREAM, 'openai-chat', 'anthropic-messages', size)
    const there = await read(messages, 'anthropic-messages')
    expect(there).toMatchObject({
      text: 'I look it up ✓',
      finish: 'tool_use',
      promptTokens: 82,
      completionTokens: 17,
      cachedTokens: 64,
    })
    expect(there.calls.map(({ name, input }) => ({ name, input: input || '{}' }))).toEqual(
      calls.map(({ name, input }) => ({ name, input })),
    )
    const types = [...messages.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)
    expect(types[0]).toBe('message_start')
    expect(types.at(-1)).toBe('message_stop')
    expect(types.filter((type) => type === 'content_block_start')).toHaveLength(3)
    expect(types.filter((type) => type === 'content_block_stop')).toHaveLength(3)
    const back = await read(
      await through(messages, 'anthropic-messages', 'openai-chat', size, {
        model: 'm',
        stream_options: { include_usage: true },
      }),
      'openai-chat',
    )
    const { calls: _, ...same } = before
    expect(back).toMatchObject(same)
    expect(back.calls.map(({ name, input }) => ({ name, input }))).toEqual(
      calls.map(({ name, input }) => ({ name, input })),
    )
  })

  it('of Chat arrive as a response', async () => {
    const response = await read(
      await through(CHAT_STREAM, 'openai-chat', 'openai-responses', 9),
      'openai-responses',
    )
    expect(response).toMatchObject({
      text: 'I look it up ✓',
      calls,
      finish: 'completed',
      promptTokens: 82,
      cachedTokens: 64,
    })
  })

  it('say why they ended', async () => {
    for (const [chat, anthropic] of [
      ['stop', 'end_turn'],
      ['length', 'max_tokens'],
      ['content_filter', 'refusal'],
    ] as const) {
      const stream = sse([delta({ content: 'a' }), delta({}, chat)], false)
      const there = await through(stream, 'openai-chat', 'anthropic-messages', 50)
      expect((await read(there, 'anthropic-messages')).finish).toBe(anthropic)
      expect(
        (await read(await through(there, 'anthropic-messages', 'openai-chat', 50), 'openai-chat')).finish,
      ).toBe(chat)
    }
  })
})

it('whole answers keep text, calls, usage and reason', () => {
  const answer = emptyAnswer()
  dialectCalled('anthropic-messages').take(answer, {
    ...{
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    content: [
      { type: 'text', text: 'I look it up.' },
      { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { location: 'Lima' } },
    ],
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 5,
      output_tokens: 30,
    },
  })
  expect(answerWriter('openai-chat', { model: 'm' })?.whole(answer)).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'I look it up.',
          tool_calls: [
            { id: 'toolu_01', function: { name: 'get_weather', arguments: '{"location":"Lima"}' } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 105, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 90 } },
  })
})

it('tells servers by their address, and refuses what it cannot say', () => {
  const at = (url: string) => upstreamDialectOf(new URL(url))
  expect(at('https://api.anthropic.com')).toBe('anthropic-messages')
  expect(at('https://api.z.ai/api/anthropic')).toBe('anthropic-messages')
  expect(at('https://api.openai.com/v1')).toBe('openai-responses')
  expect(at('http://127.0.0.1:8080')).toBeNull()
  expect(translationOf('openai-responses', 'openai-responses')).toBe('as-it-is')
  expect(translationOf('gemini', null)).toBe('as-it-is')
  expect(translationOf('gemini', 'anthropic-messages')).toBeNull()
  expect(translationOf('openai-responses', 'anthropic-messages')).toMatchObject({ path: '/v1/messages' })
})
