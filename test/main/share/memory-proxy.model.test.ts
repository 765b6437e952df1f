import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepFact, rememberedFact } from '../../../src/core/memory/facts/new-fact'
import { createApp, type App } from '../../../src/main/app'
import type { Environment } from '../../../src/core/ground/environment'
import type { Task } from '../../../src/shared/domain/task'
import { longTest } from '../../torture'
import { playOverClient, startProxy, type RunningProxy } from '../../fixtures/proxy-agent'

let folder: string
let app: App
let environment: Environment
let tasks: Task[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-proxy-'))
  app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  const stream = await app.streams.load('house-rules-a')
  tasks = [...stream.tasks]
  environment = await app.environments.acting(stream.info.environment)
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A proxy over a fresh memory, and the official client. */
async function served(
  name: string,
  ...options: string[]
): Promise<{ proxy: RunningProxy; client: OpenAI; memory: string }> {
  const memory = join(folder, name)
  await app.memories.open(memory)
  await app.memories.release(memory)
  const proxy = await startProxy('--memory', memory, '--data', join(folder, `${name}-data`), ...options)
  return { proxy, memory, client: new OpenAI({ baseURL: proxy.baseUrl, apiKey: proxy.key, maxRetries: 0 }) }
}

async function playAll(
  mode: string,
  count: number,
): Promise<{ solved: number; attempts: number; recalled: number }> {
  const { proxy, client, memory } = await served(mode, '--mode', mode, '--environment', environment.id)
  let solved = 0
  try {
    for (const task of tasks.slice(0, count)) solved += await playOverClient(client, environment, task)
  } finally {
    await proxy.close()
  }
  const opened = await app.memories.open(memory)
  let attempts = 0
  let recalled = 0
  for await (const attempt of opened.trajectories()) {
    attempts++
    recalled += attempt.recalled.length
    expect(attempt.rounds.length).toBeGreaterThan(0)
  }
  await app.memories.release(memory)
  return { solved, attempts, recalled }
}

// The same of an agent of the AI SDK is always played (framework-proxy.model.test.ts).
longTest(
  'an agent that only sets a base address solves more of a stream with the memory than without',
  { timeout: 600_000 },
  async () => {
    const COUNT = 16
    const without = await playAll('record', COUNT)
    const withItem = await playAll('both', COUNT)
    expect(without).toMatchObject({ attempts: COUNT, recalled: 0 })
    expect(withItem.attempts).toBe(COUNT)
    expect(withItem.recalled).toBeGreaterThan(COUNT)
    expect(withItem.solved).toBeGreaterThan(without.solved)
  },
)

it('tells what a person taught or has in own files, where a request is about it', async () => {
  const memory = join(folder, 'taught')
  const opened = await app.memories.open(memory)
  const origin = { runId: 'r', trajectoryId: 't', environment: 'question', at: '2026-01-01T00:00:00.000Z' }
  await opened.commit(
    keepFact(rememberedFact('Our deploy host is vela-3.', { ...origin, id: 'f' }), []).events,
  )
  const files = join(folder, 'taught-files')
  await mkdir(files)
  await writeFile(join(files, 'house.md'), 'The boiler is serviced in October by Brandt Heating.\n')
  const { jobId } = await app.files.add(memory, files)
  await expect.poll(() => app.jobs.get(jobId).status).toBe('done')
  await app.memories.release(memory)
  const proxy = await startProxy('--memory', memory, '--data', join(folder, 'taught-data'))
  try {
    const client = new OpenAI({ baseURL: proxy.baseUrl, apiKey: proxy.key, maxRetries: 0 })
    const titlesFor = async (content: string) => {
      const reply = await client.chat.completions.create({
        ...{ model: 'loam', messages: [{ role: 'user', content }], max_tokens: 8 },
      })
      const { loam } = reply as unknown as { loam: { recalled: { kind: string; title: string }[] } }
      return loam.recalled.map(({ kind, title }) => `${kind}: ${title}`)
    }
    expect(await titlesFor('What is our deploy host?')).toEqual(['fact: Our deploy host is vela-3.'])
    expect(await titlesFor('Who services the boiler?')).toEqual(['passage: house.md, line 1'])
    expect(await titlesFor('Write a poem about autumn leaves.')).toEqual([])
  } finally {
    await proxy.close()
  }
})

describe("OpenAI's protocol", () => {
  let client: OpenAI
  let proxy: RunningProxy
  let memory: string
  beforeAll(async () => {
    ;({ client, proxy, memory } = await served('protocol'))
  })
  afterAll(() => proxy.close())
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'look_up',
        description: 'Looks up a code.',
        parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      },
    },
  ]
  const hello: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Task: say hello' }]

  it('streams what it would have answered whole, with usage and the attempt', async () => {
    const whole = await client.chat.completions.create({
      ...{ model: 'loam', messages: hello, max_tokens: 24, temperature: 0, seed: 0 },
    })
    const stream = await client.chat.completions.create({
      model: 'loam',
      messages: hello,
      ...{ max_tokens: 24, temperature: 0, seed: 0 },
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined = null
    let attempt: unknown
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
      attempt = (chunk as unknown as { loam?: { attempt: string } }).loam?.attempt ?? attempt
    }
    expect(text).toBe(whole.choices[0]?.message.content)
    expect(usage?.completion_tokens).toBe(whole.usage?.completion_tokens)
    expect(attempt).toMatch(/^att-/)
  })

  it('answers side work of a program without memory, and keeps no attempt of it', async () => {
    const reply = await client.chat.completions.create({
      model: 'loam',
      messages: [
        { role: 'system', content: 'You are a title generator. You output only a thread title.' },
        { role: 'user', content: 'Task: say hello' },
      ],
      max_tokens: 8,
    })
    const { loam } = reply as unknown as { loam: { attempt: string; recalled: unknown[] } }
    expect(loam.attempt).toMatch(/^side-/)
    expect(loam.recalled).toEqual([])
    await expect(
      client.post(`/loam/attempts/${loam.attempt}/outcome`, { body: { outcome: 'success' } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('takes a loop of tool calls for one attempt', async () => {
    const first = await client.chat.completions.create({
      model: 'loam',
      messages: [{ role: 'user', content: 'Task: find the code of green' }],
      tools,
      tool_choice: 'required',
      max_tokens: 64,
    })
    const [call] = first.choices[0]?.message.tool_calls ?? []
    expect(call).toMatchObject({ type: 'function', function: { name: 'look_up' } })
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    const second = await client.chat.completions
      .create({
        model: 'loam',
        messages: [
          { role: 'user', content: 'Task: find the code of green' },
          first.choices[0]?.message ?? { role: 'assistant', content: '' },
          { role: 'tool', tool_call_id: call?.id ?? '', content: 'G17' },
        ],
        tools,
        max_tokens: 16,
      })
      .withResponse()
    const attempt = second.response.headers.get('x-loam-attempt') ?? ''
    expect(first.id).toBe(`chatcmpl-${attempt}.0`)
    expect(second.data.id).toBe(`chatcmpl-${attempt}.1`)
    const { requests } = await client.get<{ requests: { attempt: string; round: number }[] }>(
      '/loam/requests',
    )
    expect(requests.filter((one) => one.attempt === attempt).map(({ round }) => round)).toEqual([1, 0])
    // The next request says how the last one went.
    await client.chat.completions.create(
      { model: 'loam', messages: hello, max_tokens: 4 },
      { headers: { 'x-loam-outcome': 'success', 'x-loam-attempt': attempt } },
    )
    const again = await client.post(`/loam/attempts/${attempt}/outcome`, { body: { outcome: 'failure' } })
    expect(again).toMatchObject({ attempt, outcome: 'success', kept: true })
  })

  it('serves responses, whole, streamed and gone on from', async () => {
    const input = 'Task: say hello'
    const whole = await client.responses.create({
      model: 'loam',
      input,
      max_output_tokens: 24,
      temperature: 0,
    })
    expect(whole.output_text).not.toBe('')
    const next = await client.responses.create({
      model: 'loam',
      input: 'And now?',
      previous_response_id: whole.id,
      max_output_tokens: 8,
    })
    // The person's next message begins an attempt of its own.
    expect((next as unknown as { loam: { attempt: string } }).loam.attempt).not.toBe(
      (whole as unknown as { loam: { attempt: string } }).loam.attempt,
    )
    const events: string[] = []
    let text = ''
    const stream = await client.responses.create({
      model: 'loam',
      input,
      ...{ max_output_tokens: 24, temperature: 0 },
      stream: true,
    })
    for await (const event of stream) {
      events.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(text).toBe(whole.output_text)
    expect([events[0], /^response\.(completed|incomplete)$/.test(events.at(-1) ?? '')]).toEqual([
      'response.created',
      true,
    ])
    await expect(
      client.responses.create({ model: 'loam', input, previous_response_id: 'resp-none' }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('serves completions, embeddings and models', async () => {
    const { choices } = await client.completions.create({
      model: 'loam',
      prompt: 'Task: say hello',
      max_tokens: 8,
    })
    expect(choices[0]?.text).toBeTypeOf('string')
    const { data } = await client.embeddings.create({ model: 'loam', input: ['boats', 'boats', 'tax'] })
    expect(data[0]?.embedding).toEqual(data[1]?.embedding)
    expect(data[0]?.embedding).not.toEqual(data[2]?.embedding)
    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 4)
    const models = await client.models.list()
    expect(models.data.map(({ id }) => id)).toContain('loam')
  })

  it('answers what it cannot do in full, and says so in a header', async () => {
    const ask = async (input: object) => {
      const body = { model: 'gpt-5', messages: hello, max_tokens: 24, temperature: 0, ...input }
      return client.chat.completions
        .create(body as OpenAI.ChatCompletionCreateParamsNonStreaming)
        .withResponse()
    }
    const schema = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 0, maximum: 9007199254740991 } },
      required: ['count'],
      additionalProperties: false,
    }
    const json_schema = { name: 'a', schema }
    const { data, response } = await ask({
      n: 2,
      logprobs: true,
      response_format: { type: 'json_schema', json_schema },
    })
    expect(JSON.parse(data.choices[0]?.message.content ?? '')).toHaveProperty('count')
    expect(response.headers.get('x-loam-warning')).toMatch(
      /left out: logprobs; one reply.*not held while writing: minimum, maximum/,
    )
    const both = await ask({ tools, response_format: { type: 'json_object' } })
    const [choice] = both.data.choices
    if (choice?.finish_reason === 'stop') JSON.parse(choice.message.content ?? '')
    const named = { type: 'function', function: { name: 'look_up' } }
    const ids = []
    for (let i = 0; i < 2; i++)
      ids.push(
        (await ask({ tools, tool_choice: named, max_tokens: 64 })).data.choices[0]?.message.tool_calls?.[0]
          ?.id,
      )
    expect(new Set(ids).size).toBe(2)
  })

  it("answers in Anthropic's protocol, whole and streamed", async () => {
    const ask = (input: object, path = 'messages') =>
      fetch(`${proxy.baseUrl}/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': proxy.key, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{
            model: 'claude-sonnet-4-5',
            max_tokens: 64,
            temperature: 0,
            system: [{ type: 'text', text: 'Be brief.' }],
          },
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Task: find the code of green' }] }],
          ...input,
        }),
      })
    const tool = {
      name: 'look_up',
      description: 'Looks up a code.',
      input_schema: tools[0]?.type === 'function' ? tools[0].function.parameters : {},
    }
    const whole = (await (await ask({ tools: [tool], tool_choice: { type: 'any' } })).json()) as {
      content: object[]
    }
    expect(whole).toMatchObject({
      type: 'message',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'look_up' }],
    })
    const schema = {
      ...{ type: 'object', additionalProperties: false, required: ['count'] },
      properties: { count: { type: 'integer', minimum: 0 } },
    }
    const inForm = await ask({ output_config: { format: { type: 'json_schema', schema } } })
    expect(inForm.headers.get('x-loam-warning')).toContain('not held while writing: minimum')
    const { content } = (await inForm.json()) as { content: { text: string }[] }
    expect(JSON.parse(content[0]?.text ?? '')).toHaveProperty('count')
    const events = (await (await ask({ stream: true })).text()).match(/^event: .*$/gm) ?? []
    expect([events[0], events.at(-1)]).toEqual(['event: message_start', 'event: message_stop'])
    expect(events).toContain('event: content_block_delta')
    const { input_tokens: count } = (await (await ask({}, 'messages/count_tokens')).json()) as {
      input_tokens: number
    }
    expect(count).toBeGreaterThan(5)
  })

  it('refuses in words: keys, pages, attempts of others', async () => {
    await expect(
      client.post('/loam/attempts/att-none/outcome', { body: { outcome: 'success' } }),
    ).rejects.toMatchObject({ status: 404 })
    const stranger = new OpenAI({ baseURL: proxy.baseUrl, apiKey: 'guessed', maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 })
    const headers = { authorization: `Bearer ${proxy.key}`, origin: 'https://evil.example' }
    expect((await fetch(`${proxy.baseUrl}/models`, { headers })).status).toBe(403)
  })

  it('keeps what nobody spoke about as attempts without an outcome, from which nothing is learned', async () => {
    await proxy.close()
    const opened = await app.memories.open(memory)
    const found: string[] = []
    for await (const { ungraded, reward, rounds } of opened.trajectories())
      found.push(ungraded === undefined ? `reward ${reward}, ${rounds.length} rounds` : 'nobody')
    expect(found.filter((one) => one !== 'nobody')).toEqual(['reward 1, 2 rounds'])
    expect(found.length).toBeGreaterThan(5)
    let cases = 0
    for await (const _ of opened.cases()) cases++
    expect(cases).toBe(1)
  })
})
