import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '../../../../src/core/ground/chat'
import { ask } from '../../../../src/core/ground/ask'
import { openBudget } from '../../../../src/core/ground/budget'
import { plannerConstraint, readPlannerReply } from '../../../../src/core/ground/planner-reply'
import { openAiCompatible } from '../../../../src/main/providers/openai'
import { testWorld, type TestWorld } from '../world'

type Json = Record<string, unknown>
type Paths = Record<string, (body: Json) => unknown>

let world: TestWorld
let servers: Server[]
/** What was asked for, in order. */
let asked: { path: string; body: Json }[]

beforeEach(async () => {
  world = await testWorld()
  world.change({ settings: { openai: { timeoutS: 2, retries: 0 } } })
  servers = []
  asked = []
})
afterEach(async () => {
  for (const server of servers) {
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections()
    server.close()
  }
  await world.close()
})

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

const bodyOf = async (request: IncomingMessage): Promise<Json> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : (JSON.parse(text) as Json)
}

/** A refusal of a server. */
class Refused {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}
/** A body as it stands, with its type. */
class Raw {
  constructor(
    readonly type: string | null,
    readonly body: string,
  ) {}
}

const answering =
  (paths: Paths): RequestListener =>
  (request, response: ServerResponse) => {
    const answer = async () => {
      const path = request.url ?? ''
      const body = await bodyOf(request)
      asked.push({ path, body })
      const said = paths[path]?.(body) ?? new Refused(404, { error: { message: 'not found' } })
      if (said instanceof Raw)
        response.writeHead(200, said.type === null ? {} : { 'content-type': said.type }).end(said.body)
      else
        response
          .writeHead(said instanceof Refused ? said.status : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(said instanceof Refused ? said.body : said))
    }
    void answer()
  }

/** Starts a server and gives its address without a path. */
const serve = async (paths: Paths) => `http://127.0.0.1:${await listen(createServer(answering(paths)))}`
const load = (name: string, base: string) => openAiCompatible.open(world).load(`openai:${name}@${base}`, {})
const hello: GenerateRequest = { messages: [{ role: 'user', content: 'Hello' }] }

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const delta = (part: Json, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: part, finish_reason: finish }] })
const stream = (...events: string[]) => new Raw('text/event-stream', `${events.join('')}${event('[DONE]')}`)
const said = (text: string) => stream(delta({ content: text }), delta({}, 'stop'))
const whole = (message: Json) => ({ choices: [{ message, finish_reason: 'stop' }] })
const tool = (name: string) => ({
  name,
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
})
const chatOf = async (answer: (body: Json) => unknown, request: Partial<GenerateRequest> = {}) => {
  const base = await serve({ '/v1/chat/completions': answer })
  return (await load('m', `${base}/v1`)).generate({ ...hello, ...request })
}

describe('what Ollama says of itself', () => {
  const ollama = (loaded: Json[], over: Paths = {}): Paths => {
    const running: Json[] = [...loaded]
    return {
      '/v1/models': () => ({
        data: [
          { id: 'hf.co/some/Model:Q4', owned_by: 'some' },
          { id: 'qwen3:latest', owned_by: 'library' },
        ],
      }),
      '/api/show': () => ({ details: {}, parameters: '', model_info: { 'qwen3.context_length': 131072 } }),
      '/api/ps': () => ({ models: running }),
      '/api/generate': ({ model }) => {
        running.push({ name: model, model: `${String(model)}:latest`, context_length: 4096 })
        return { done: true }
      },
      ...over,
    }
  }

  it('the context is that of the loaded model, not what it was trained for, and a model that is not loaded is', async () => {
    const running = [{ model: 'qwen3:latest', context_length: 16384 }]
    expect((await load('qwen3', `${await serve(ollama(running))}/v1`)).contextSize).toBe(16384)
    const resting = await serve(ollama([]))
    expect((await load('qwen3', `${resting}/v1`)).contextSize).toBe(4096)
    expect(asked.map(({ path }) => path)).toContain('/api/generate')
  })

  it('is sampled as the makers of its family recommend, where they are known', async () => {
    const base = `${await serve(ollama([{ model: 'qwen3:latest' }, { model: 'hf.co/some/Model:Q4' }]))}/v1`
    expect((await load('qwen3', base)).recommended).toEqual({ temperature: 0.7, topP: 0.8, topK: 20 })
    expect((await load('hf.co/some/Model:Q4', base)).recommended).toBeUndefined()
  })

  it('a model of another maker is one of Ollama too; what it does not say is taken for little', async () => {
    const base = await serve(
      ollama([{ model: 'hf.co/some/Model:Q4' }], { '/v1/chat/completions': () => said('Hi') }),
    )
    const model = await load('hf.co/some/Model:Q4', `${base}/v1/`)
    expect(model.contextSize).toBe(4096)
    await model.generate(hello)
    // How Ollama is told not to think.
    expect(asked.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { reasoning_effort: 'none' } })
  })
})

describe('what a server cannot do', () => {
  it.each([
    ['Ollama', 400, { error: { message: 'registry.ollama.ai/library/gemma2 does not support tools' } }],
    [
      'vLLM',
      400,
      { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' },
    ],
    ['llama-server', 500, { error: { message: 'tools param requires --jinja flag' } }],
  ])('tools: %s is told of them in the prompt, from then on at once', async (_who, status, body) => {
    const base = await serve({
      '/v1/chat/completions': (request) =>
        'tools' in request
          ? new Refused(status, body)
          : said(JSON.stringify({ tool: 'look_up', arguments: { word: 'loam' } })),
    })
    const model = await load('m', `${base}/v1`)
    const reply = await model.generate({ ...hello, tools: [tool('look_up')] })
    expect(reply).toMatchObject({ text: '', finish: 'tool-calls' })
    expect(reply.toolCalls).toMatchObject([{ name: 'look_up', arguments: { word: 'loam' } }])
    const id = reply.toolCalls?.[0]?.id ?? ''
    await model.generate({
      messages: [
        ...hello.messages,
        { role: 'assistant', content: '', toolCalls: reply.toolCalls ?? [] },
        { role: 'tool', callId: id, name: 'look_up', content: 'soil' },
      ],
    })
    const chats = asked.filter(({ path }) => path.endsWith('completions'))
    expect(chats.map(({ body: sent }) => 'tools' in sent)).toEqual([true, false, false])
    expect(JSON.stringify(chats[1]?.body['messages'])).toContain('Tools you can use')
    expect((chats[2]?.body['messages'] as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
  })

  it('a grammar: the planner is asked without one, and read all the same', async () => {
    const base = await serve({
      '/v1/models': () => ({ data: [{ id: 'qwen3:latest', owned_by: 'library' }] }),
      '/v1/chat/completions': () => said('So: {"plan": [{"id": 1, "description": "Look it up"}]}'),
    })
    const model = await load('qwen3', `${base}/v1`)
    const budget = openBudget(1000, 10)
    const nextSeed = () => 1
    const role = {
      ...{ model, thinking: 'fast' as const, thinkTokens: 9 },
      maxTokens: 64,
      temperature: 0,
      nextSeed,
    }
    const { reply } = await ask(role, hello.messages, plannerConstraint(3, 'either', 64), budget)
    budget.close()
    expect(readPlannerReply(reply.text, 3)).toMatchObject({ kind: 'plan' })
    expect(asked.at(-1)?.body).not.toHaveProperty('grammar')
  })

  it('roles: a template without a system gets its words with those of the user', async () => {
    const base = await serve({
      '/v1/chat/completions': ({ messages }) => {
        const roles = (messages as { role: string }[]).map(({ role }) => role)
        return roles.some((role, i) => role !== ['user', 'assistant'][i % 2])
          ? new Refused(400, { object: 'error', message: 'System role not supported' })
          : said('Hi')
      },
    })
    const model = await load('m', `${base}/v1`)
    const messages = [{ role: 'system', content: 'Be brief.' }, ...hello.messages] as const
    expect((await model.generate({ messages })).text).toBe('Hi')
    expect(asked.at(-1)?.body['messages']).toEqual([{ role: 'user', content: 'Be brief.\n\nHello' }])
  })

  it('not to think: thoughts that eat up a reply get room, and from then on at once', async () => {
    const base = await serve({
      '/v1/chat/completions': ({ max_tokens: most }) =>
        Number(most) < 100
          ? stream(delta({ reasoning_content: 'Well, ' }), delta({}, 'length'))
          : stream(delta({ reasoning_content: 'Well.' }), delta({ content: 'Paris' }), delta({}, 'stop')),
    })
    const model = await load('m', `${base}/v1`)
    const replies = [
      await model.generate({ ...hello, maxTokens: 50 }),
      await model.generate({ ...hello, maxTokens: 50 }),
    ]
    expect(replies.map(({ text, thought }) => [text, thought])).toEqual([
      ['Paris', 'Well.'],
      ['Paris', 'Well.'],
    ])
    const chats = asked.filter(({ path }) => path.endsWith('completions'))
    expect(chats.map(({ body }) => body['max_tokens'])).toEqual([50, 50 + 4096, 50 + 4096])
  })

  it('to think: a model that does not is asked without', async () => {
    const base = await serve({
      '/v1/models': () => ({ data: [{ id: 'gemma2', owned_by: 'library' }] }),
      '/v1/chat/completions': (body) =>
        'reasoning_effort' in body
          ? new Refused(400, { error: { message: '"gemma2" does not support thinking' } })
          : said('Hi'),
    })
    const model = await load('gemma2', `${base}/v1`)
    expect((await model.generate({ ...hello, thinking: 'on' })).text).toBe('Hi')
    // Ollama cuts what is too long without a word.
    const long = model.generate({ messages: [{ role: 'user', content: 'Soil and sand. '.repeat(2000) }] })
    await expect(long).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' })
  })

  it('fields that it does not know are left out, the limit of a reply goes by its newer name', async () => {
    const base = await serve({
      '/v1/chat/completions': (body) => {
        if ('max_tokens' in body)
          return new Refused(400, {
            error: {
              message:
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            },
          })
        if ('temperature' in body)
          return new Refused(400, {
            error: { message: "Unsupported value: 'temperature' does not support 0 with this model." },
          })
        return 'seed' in body
          ? new Refused(422, {
              detail: [
                { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' },
              ],
            })
          : said('Hi')
      },
    })
    const model = await load('m', `${base}/v1`)
    expect((await model.generate({ ...hello, maxTokens: 9 })).text).toBe('Hi')
    expect((await model.generate({ ...hello, maxTokens: 9 })).text).toBe('Hi')
    const chats = asked.filter(({ path }) => path.endsWith('completions'))
    expect(chats).toHaveLength(5)
    expect(chats.at(-1)?.body).toMatchObject({ max_completion_tokens: 9 })
  })
})

describe('how answers come', () => {
  it('calls that share a number or have none, names said again, and calls in the text', async () => {
    const call = (over: Json) => delta({ tool_calls: [over] })
    const tools = [tool('find'), tool('look_up')]
    const both = [
      { name: 'find', arguments: { word: 'a' } },
      { name: 'look_up', arguments: { word: 'b' } },
    ]
    const end = delta({}, 'tool_calls')
    const sameNumber = stream(
      call({ index: 0, id: 'x', function: { name: 'find', arguments: '{"word":"a"}' } }),
      call({ index: 0, id: 'y', function: { name: 'look_up', arguments: '{"word"' } }),
      call({ index: 0, function: { arguments: ':"b"}' } }),
      end,
    )
    expect((await chatOf(() => sameNumber, { tools })).toolCalls).toMatchObject(both)
    const noNumber = stream(
      call({ index: null, function: { name: 'find', arguments: '{"word":"a"}' } }),
      call({ function: { name: 'look_up', arguments: { word: 'b' } } }),
      end,
    )
    expect((await chatOf(() => noNumber, { tools })).toolCalls).toMatchObject(both)
    const again = stream(
      call({ index: 0, id: 'x', type: 'function' }),
      call({ index: 0, id: 'x', function: { name: 'find', arguments: '{"wo' } }),
      call({ index: 0, id: 'x', function: { name: 'find', arguments: 'rd":"a"}' } }),
      end,
    )
    expect((await chatOf(() => again, { tools })).toolCalls).toMatchObject(both.slice(0, 1))
    const inText = said('I look.\n<tool_call>\n{"name": "find", "arguments": {"word": "a"}}\n</tool_call>')
    expect(await chatOf(() => inText, { tools })).toMatchObject({
      text: 'I look.',
      finish: 'tool-calls',
      toolCalls: both.slice(0, 1),
    })
  })

  it('contents in parts, answers that do not say how they ended, and streams that do not say that they are', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
    ]
    expect(await chatOf(() => whole({ content: parts }))).toMatchObject({ text: 'Hi', thought: 'Hm.' })
    expect((await chatOf(() => ({ choices: [{ message: { content: 'Hi' } }] }))).text).toBe('Hi')
    const events = `: here\r\n\r\n${said('Hi').body}`.replaceAll('\n\n', '\r\n\r\n')
    for (const type of [null, 'text/plain', 'application/json'])
      expect((await chatOf(() => new Raw(type, events))).text).toBe('Hi')
    const answer = new Raw('text/event-stream', JSON.stringify(whole({ content: 'Hi' })))
    expect((await chatOf(() => answer)).text).toBe('Hi')
    const empty = stream(event({ choices: null }), 'data:\n\n', delta({ content: 'Hi' }), delta({}, 'stop'))
    expect((await chatOf(() => empty)).text).toBe('Hi')
  })
})

describe('addresses', () => {
  it('one that lacks its /v1 is told the whole', async () => {
    const base = await serve({ '/v1/models': () => ({ data: [{ id: 'm' }] }) })
    await expect(load('m', base)).rejects.toMatchObject({
      code: 'MODEL_SERVER',
      suggestion: expect.stringContaining(`openai:m@${base}/v1`) as unknown,
    })
  })

  // Node makes no certificates of its own.
  const canSign = spawnSync('openssl', ['version']).status === 0
  it.skipIf(!canSign)(
    'a certificate that nobody signed, a server without TLS, and one that points elsewhere say so, at once',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'loam-tls-'))
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-keyout',
          key,
          '-out',
          cert,
          '-subj',
          '/CN=localhost',
          '-days',
          '1',
        ],
        { stdio: 'ignore' },
      )
      const options = { key: readFileSync(key), cert: readFileSync(cert) }
      await rm(folder, { recursive: true })
      world.change({ settings: { openai: { timeoutS: 2, retries: 5 } } })
      const secure = await listen(createTlsServer(options, answering({})))
      const why = (pattern: RegExp) => ({
        code: 'MODEL_SERVER',
        why: expect.stringMatching(pattern) as unknown,
      })
      await expect(load('m', `https://127.0.0.1:${secure}/v1`)).rejects.toMatchObject(
        why(/certificate that is not trusted/),
      )
      const plain = await serve({})
      await expect(load('m', `${plain.replace('http', 'https')}/v1`)).rejects.toMatchObject(
        why(/does not speak https/),
      )
      const elsewhere = await listen(
        createServer(
          (_request, response) => void response.writeHead(308, { location: 'https://localhost/v1' }).end(),
        ),
      )
      await expect(load('m', `http://127.0.0.1:${elsewhere}/v1`)).rejects.toMatchObject(
        why(/points to another address/),
      )
    },
  )
})
