import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { TORTURE } from '../../torture'
import { startProxy, type RunningProxy } from '../../fixtures/proxy-agent'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'

/** What is said by which protocol is no matter of the model; how it writes a call is, and a real one is asked too by `npm run torture`. */
const MODELS = {
  demo: [],
  ...(TORTURE && hasSmolLm2 && { SmolLM2: ['--model', SMOLLM2, '--context', '2048'] }),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-dialects-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

interface Line {
  readonly message?: { content: string; tool_calls?: { function: { name: string; arguments: object } }[] }
  readonly response?: string
  readonly done?: boolean
  readonly done_reason?: string
  readonly eval_count?: number
}
interface Candidates {
  readonly candidates: {
    content: { parts: { text?: string; functionCall?: { name: string; args: object } }[] }
    finishReason?: string
  }[]
  readonly usageMetadata?: { totalTokenCount: number }
}
const PARAMETERS = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
const NUMBER = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }

describe.each(Object.entries(MODELS))("other servers' protocols with %s", (name, options: string[]) => {
  let proxy: RunningProxy
  let origin: string
  beforeAll(async () => {
    const memory = join(folder, name)
    const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
    await app.memories.open(memory)
    await app.dispose()
    proxy = await startProxy('--memory', memory, '--data', join(folder, `${name}-data`), ...options)
    origin = new URL(proxy.baseUrl).origin
  })
  afterAll(() => proxy.close())

  const send = (path: string, body?: object) =>
    fetch(`${origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const json = async <T>(path: string, body?: object): Promise<T> =>
    (await send(path, body)).json() as Promise<T>
  const linesOf = async (path: string, body: object): Promise<Line[]> =>
    (await (await send(path, body)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const said = { model: 'llama3.2', messages: [{ role: 'user', content: 'Task: say hello' }] }
  const greedy = { temperature: 0, seed: 0, num_predict: 24 }

  it("answers Ollama's chat by lines as it does whole", async () => {
    const whole = await json<Line>('/api/chat', { ...said, options: greedy, stream: false })
    expect(whole.done).toBe(true)
    expect(whole.message?.content).not.toBe('')
    const response = await send('/api/chat', { ...said, options: greedy })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    expect(lines.map(({ message }) => message?.content).join('')).toBe(whole.message?.content)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.at(-1)).toMatchObject({
      done: true,
      done_reason: whole.done_reason,
      eval_count: whole.eval_count,
    })
  })

  it("answers Ollama's generate, forms and side calls", async () => {
    const prompt = 'Task: say hello'
    const whole = await json<Line>('/api/generate', { model: 'm', prompt, options: greedy, stream: false })
    const lines = await linesOf('/api/generate', { model: 'm', prompt, options: greedy })
    expect(lines.map(({ response }) => response).join('')).toBe(whole.response)
    const formed = await json<Line>('/api/chat', { ...said, format: NUMBER, options: greedy, stream: false })
    expect(JSON.parse(formed.message?.content ?? '')).toEqual({ count: expect.any(Number) as number })
    expect(await json('/api/chat', { model: 'm', messages: [] })).toMatchObject({ done_reason: 'load' })
    const { models } = await json<{ models: { name: string; size: number }[] }>('/api/tags')
    expect(models[0]).toMatchObject({ name: 'loam', details: { format: 'gguf' } })
    if (name === 'demo') expect(models[0]?.size).toBeGreaterThan(1000)
    const shown = await json<{ model_info: Record<string, unknown>; capabilities: string[] }>('/api/show', {
      model: 'loam',
    })
    const family = String(shown.model_info['general.architecture'])
    expect(shown.model_info[`${family}.context_length`]).toBeGreaterThan(500)
    expect(shown.capabilities).toContain('tools')
    const { embeddings } = await json<{ embeddings: number[][] }>('/api/embed', {
      model: 'm',
      input: ['a', 'b'],
    })
    expect(embeddings.map((one) => one.length > 8)).toEqual([true, true])
    const refused = await send('/api/chat', { model: 'm', messages: 'none' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({ error: expect.stringContaining('messages') as string })
  })

  const content = (text: string) => ({ role: 'user', parts: [{ text }] })
  const asked = {
    contents: [content('Task: say hello')],
    generationConfig: { temperature: 0, seed: 0, maxOutputTokens: 24 },
  }
  const textOf = (chunks: readonly Candidates[]): string =>
    chunks
      .flatMap(({ candidates }) => candidates[0]?.content.parts.map(({ text }) => text ?? '') ?? [])
      .join('')

  it("answers Gemini's generateContent whole, as events and as a list", async () => {
    const path = '/v1beta/models/gemini-2.5-flash'
    const whole = await json<Candidates>(`${path}:generateContent`, asked)
    expect(textOf([whole])).not.toBe('')
    expect(whole.usageMetadata?.totalTokenCount).toBeGreaterThan(5)
    const events = (await (await send(`${path}:streamGenerateContent?alt=sse`, asked)).text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice(6)) as Candidates)
    expect(textOf(events)).toBe(textOf([whole]))
    expect(events.at(-1)?.candidates[0]?.finishReason).toBe(whole.candidates[0]?.finishReason)
    // Google's own client says v1.
    expect(textOf([await json<Candidates>(`${path.replace('v1beta', 'v1')}:generateContent`, asked)])).toBe(
      textOf([whole]),
    )
    const list = await json<Candidates[]>(`${path}:streamGenerateContent`, asked)
    expect(textOf(list)).toBe(textOf([whole]))
    const formed = await json<Candidates>(`${path}:generateContent`, {
      ...asked,
      generationConfig: {
        ...asked.generationConfig,
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { count: { type: 'INTEGER' } }, required: ['count'] },
      },
    })
    expect(JSON.parse(textOf([formed]))).toEqual({ count: expect.any(Number) as number })
    const { models } = await json<{ models: { name: string }[] }>('/v1beta/models')
    expect(models[0]?.name).toBe('models/loam')
    const counts = await json<{ totalTokens: number }>(`${path}:countTokens`, asked)
    expect(counts.totalTokens).toBeGreaterThan(2)
    const { embedding } = await json<{ embedding: { values: number[] } }>(`${path}:embedContent`, {
      content: { parts: [{ text: 'boats' }] },
    })
    expect(embedding.values.length).toBeGreaterThan(8)
    expect(await json(`${path}:fly`, {})).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
  })

  it('calls tools in each protocol, with arguments that add up while they are written', async () => {
    const { candidates } = await json<Candidates>('/v1beta/models/loam:generateContent', {
      contents: [content('Task: find the code of green')],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'look_up',
              parameters: { type: 'OBJECT', properties: { word: { type: 'STRING' } }, required: ['word'] },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: { temperature: 0, maxOutputTokens: 64 },
    })
    expect(candidates[0]?.content.parts.at(-1)?.functionCall?.name).toBe('look_up')
    const next = await send('/v1beta/models/loam:generateContent', {
      ...asked,
      contents: [
        content('Task: find the code of green'),
        candidates[0]?.content,
        { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { code: 'G17' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'look_up', parameters: { type: 'OBJECT' } }] }],
    })
    expect(next.status).toBe(200)
    const tools = [
      { type: 'function', function: { name: 'look_up', description: 'Looks up.', parameters: PARAMETERS } },
    ]
    const green = [{ role: 'user', content: 'Task: find the code of green' }]
    const body = {
      model: 'm',
      messages: green,
      tools,
      max_tokens: 64,
      temperature: 0,
      tool_choice: 'required',
    }
    const whole = await json<{
      choices: { message: { tool_calls: { function: { arguments: string } }[] } }[]
    }>('/v1/chat/completions', body)
    const input = whole.choices[0]?.message.tool_calls[0]?.function.arguments ?? ''
    const deltas = (await (await send('/v1/chat/completions', { ...body, stream: true })).text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .flatMap(
        (event) =>
          (
            JSON.parse(event.slice(6)) as {
              choices: { delta: { tool_calls?: { id?: string; function: { arguments: string } }[] } }[]
            }
          ).choices[0]?.delta.tool_calls ?? [],
      )
    expect(deltas.filter(({ id }) => id !== undefined)).toHaveLength(1)
    const pieces = deltas.map((delta) => delta.function.arguments).filter((text) => text !== '')
    expect(JSON.parse(pieces.join(''))).toEqual(JSON.parse(input))
    // It is not held back until it is whole; the last bracket is a piece of its own.
    expect(pieces.length).toBeGreaterThan(name === 'demo' ? 1 : 2)
    process.stdout.write(`${name}: ${JSON.stringify({ arguments: input, pieces })}\n`)
    const { message } = await json<Line>('/api/chat', {
      ...{ model: 'm', stream: false, options: { temperature: 0, num_predict: 64 }, tools },
      messages: [
        ...green,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'look_up', arguments: { word: 'green' } } }],
        },
        { role: 'tool', tool_name: 'look_up', content: 'G17' },
      ],
    })
    expect(message?.content !== '' || (message?.tool_calls ?? []).length > 0).toBe(true)
  })
})
