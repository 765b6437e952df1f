import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '../../../../src/core/ground/chat'
import { openAiCompatible } from '../../../../src/main/providers/openai'
import { testWorld, type TestWorld } from '../world'

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const piece = (content: string) => event({ choices: [{ delta: { content }, finish_reason: null }] })
const END = event({ choices: [{ delta: {}, finish_reason: 'stop' }] }) + event('[DONE]')
const stream =
  (...events: string[]): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
const refuse =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const page: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Hello</h1>')

describe('a model server that does not answer as it should', () => {
  let world: TestWorld
  let answers: Answer[]
  let bodies: string[]
  let base: string
  let close: () => void

  beforeEach(async () => {
    world = await testWorld('a-key')
    world.change({ settings: { openai: { timeoutS: 1, retries: 1 } } })
    answers = []
    bodies = []
    const server = createServer((request, response) => {
      if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        bodies.push(body)
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        answer?.(response, request, body)
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    close = () => {
      server.closeAllConnections()
      server.close()
    }
  })
  afterEach(async () => {
    close()
    await world.close()
  })

  const ask = async (request: Partial<GenerateRequest> = {}, onToken?: (text: string) => void) => {
    const model = await openAiCompatible.open(world).load(`openai:some/model@${base}`, {})
    return model.generate(
      { messages: [{ role: 'user', content: 'Hello' }], ...request },
      onToken ? { onToken } : {},
    )
  }

  it.each<[string, Answer, string, RegExp]>([
    ['a web page', page, 'MODEL_SERVER', /answered with a web page instead of data/],
    ['half a stream', stream(piece('Hel')), 'MODEL_SERVER', /ended in the middle/],
    ['wrong JSON', stream('data: {"choices": [\n\n'), 'MODEL_SERVER', /cannot be read/],
    ['JSON of another kind', refuse(200, { hello: 'there' }), 'MODEL_SERVER', /cannot be read/],
    ['nothing', (response) => void response.writeHead(200).end(), 'MODEL_SERVER', /it is empty/],
    ['silence', () => undefined, 'MODEL_SERVER', /did not begin to answer for 1 seconds/],
    [
      'silence in the middle',
      (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('H')),
      'MODEL_SERVER',
      /stopped in the middle of its answer for 1 seconds/,
    ],
    ['a broken connection', (response) => void response.destroy(), 'MODEL_SERVER', /Nobody answers/],
    [
      '500',
      refuse(500, { error: { message: 'out of memory' } }),
      'MODEL_SERVER',
      /status 500\. It said: out of memory/,
    ],
    [
      '429',
      refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '0' }),
      'MODEL_SERVER',
      /asked too often/,
    ],
    ['401', refuse(401, { error: { message: 'no such key' } }), 'UNAUTHORIZED', /does not accept the key/],
    [
      '404',
      refuse(404, { error: { message: 'unknown model' } }),
      'MODEL_SERVER',
      /has no model "some\/model"/,
    ],
    [
      'a context that is too small',
      refuse(400, { error: { message: "This model's maximum context length is 4096 tokens" } }),
      'CONTEXT_OVERFLOW',
      /maximum context length/,
    ],
    [
      'an error inside the stream',
      stream(event({ error: { message: 'CUDA error' } })),
      'MODEL_SERVER',
      /CUDA error/,
    ],
  ])('is named in words: %s', async (_what, answer, code, cause) => {
    answers = [answer]
    await expect(ask()).rejects.toMatchObject({ code, why: expect.stringMatching(cause) as unknown })
  })

  it('is asked again while it is busy, but not once something was shown', async () => {
    answers = [refuse(503, { error: { message: 'loading' } }), stream(piece('Hello'), END)]
    expect((await ask()).text).toBe('Hello')
    expect(bodies).toHaveLength(2)
    answers = [stream(piece('Hel')), stream(piece('never'), END)]
    const shown: string[] = []
    await expect(ask({}, (text) => shown.push(text))).rejects.toMatchObject({ code: 'MODEL_SERVER' })
    expect(shown).toEqual(['Hel'])
  })

  it('is not asked again with a wrong key, and never gets the key where it points', async () => {
    answers = [refuse(401, {})]
    await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(bodies).toHaveLength(1)
    answers = [(response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end()]
    await expect(ask()).rejects.toMatchObject({ code: 'MODEL_SERVER' })
  })

  it('is asked once without the form that it refuses', async () => {
    answers = [
      refuse(400, { error: { message: 'Unknown field: response_format' } }),
      stream(piece('{}'), END),
    ]
    const constraint = {
      kind: 'json-schema',
      schema: { type: 'object' },
    } as unknown as GenerateRequest['constraint']
    expect((await ask({ ...(constraint && { constraint }) })).text).toBe('{}')
    expect(bodies.map((body) => body.includes('response_format'))).toEqual([true, false])
  })

  it('thinks apart, however it says so', async () => {
    const said = event({ choices: [{ delta: { reasoning_content: 'Two and ' } }] })
    answers = [stream(said, event({ choices: [{ delta: { reasoning_content: 'two.' } }] }), piece('4'), END)]
    expect(await ask()).toMatchObject({ text: '4', thought: 'Two and two.' })
    answers = [stream(piece('<thi'), piece('nk>Two and two.</th'), piece('ink>\n\n4'), END)]
    const shown: string[] = []
    expect(await ask({}, (text) => shown.push(text))).toMatchObject({ text: '4', thought: 'Two and two.' })
    expect(shown.join('')).toBe('4')
    answers = [stream(piece('Two and two.</think>4'), END)]
    expect(await ask()).toMatchObject({ text: '4', thought: 'Two and two.' })
  })

  it.each([
    ['an unknown tool', 'fly', '{}', 'There is no tool "fly". There is: look_up.'],
    [
      'arguments that are no JSON',
      'look_up',
      '{"word": ',
      'The arguments of look_up are not JSON: {"word": ',
    ],
    ['arguments that are no object', 'look_up', '[1]', 'The arguments of look_up are not an object: [1]'],
    ['an argument that is missing', 'look_up', '{}', 'look_up also needs word.'],
  ])('says what is wrong with a call: %s', async (_what, name, written, problem) => {
    const calls = [{ index: 0, id: 'c1', function: { name, arguments: written } }]
    answers = [
      stream(
        event({ choices: [{ delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] }),
        event('[DONE]'),
      ),
    ]
    const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
    const { toolCalls, finish } = await ask({ tools: [{ name: 'look_up', description: '', inputSchema }] })
    expect(finish).toBe('tool-calls')
    expect(toolCalls).toMatchObject([{ id: 'c1', name, problem }])
  })

  it('reads an answer that is not streamed', async () => {
    answers = [
      refuse(200, {
        choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
      }),
    ]
    expect(await ask()).toMatchObject({
      text: 'Hello',
      finish: 'max-tokens',
      usage: { promptTokens: 5, completionTokens: 1 },
    })
  })

  it('holds to a grammar only where the server has one', async () => {
    answers = [stream(piece('yes'), END)]
    const constraint = { kind: 'gbnf', grammar: 'root ::= "yes"' } as unknown as GenerateRequest['constraint']
    await expect(ask({ ...(constraint && { constraint }) })).rejects.toMatchObject({ code: 'GRAMMAR' })
    expect(bodies).toEqual([])
  })
})

describe('a model server that is not on this machine', () => {
  it('is not spoken to while the network is off, and the person hears what would leave', async () => {
    const world = await testWorld()
    try {
      const load = openAiCompatible.open(world).load('openai:gpt@https://models.example.com/v1', {})
      await expect(load).rejects.toMatchObject({
        code: 'NETWORK_OFF',
        suggestion: expect.stringContaining('models.example.com then gets every prompt') as unknown,
      })
      await world.servers.save({ name: 'far', provider: 'openai', url: 'https://models.example.com/v1' })
      expect(await openAiCompatible.open(world).list()).toEqual([])
    } finally {
      await world.close()
    }
  })

  it.each(['ftp://here/v1', 'nonsense/v1', 'http://user:secret@127.0.0.1/v1'])(
    'is refused as %s',
    async (url) => {
      const world = await testWorld()
      try {
        const load = openAiCompatible.open(world).load(`openai:m@${url}`, {})
        await expect(load).rejects.toMatchObject({ name: 'LoamError' })
      } finally {
        await world.close()
      }
    },
  )
})
