import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EngineLanguageModel, EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import { hasStories, STORIES } from './stories-model'

const story = (name: string) => [
  { role: 'system' as const, content: 'You tell stories to children. They are short and kind.' },
  { role: 'user' as const, content: `Once upon a time there was a little girl named ${name}.` },
]

describe.skipIf(!hasStories)('a model in the engine process', { timeout: 120_000 }, () => {
  const engine = new EngineSupervisor()
  let model: EngineLanguageModel
  beforeAll(async () => {
    model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
  })
  afterAll(() => engine.dispose())

  it('says what it loaded', () => {
    expect(model.name).toBe('stories260K')
    expect(model.contextSize).toBe(512)
    expect(engine.state).toMatchObject({
      status: 'ready',
      gpu: 'cpu',
      gpuLayers: 0,
      restarts: 0,
      problem: null,
    })
    expect(engine.state.note).toMatch(/no chat template/)
  })

  it('writes, and reports tokens, time and finish', async () => {
    const result = await model.generate({ messages: story('Lily'), maxTokens: 40 })
    expect(result.text.length).toBeGreaterThan(40)
    expect(result.finish).toBe('max-tokens')
    expect(result.usage.completionTokens).toBe(40)
    expect(result.usage.promptTokens).toBeGreaterThan(30)
    expect(engine.state.memoryBytes).toBeGreaterThan(0)
  })

  it('streams exactly the text it answers with', async () => {
    const pieces: string[] = []
    const result = await model.generate(
      { messages: story('Mia'), maxTokens: 120 },
      { onToken: (text) => pieces.push(text) },
    )
    expect(pieces.join('')).toBe(result.text)
  })

  it('repeats itself for a seed and differs between seeds', async () => {
    const write = async (seed: number) =>
      (await model.generate({ messages: story('Tom'), maxTokens: 60, temperature: 1, seed })).text
    const first = await write(7)
    expect(await write(7)).toBe(first)
    expect(await write(8)).not.toBe(first)
  })

  it('reuses the shared prefix and writes the same with and without it', async () => {
    const ask = (name: string) =>
      model.generate({ messages: story(name), maxTokens: 80, temperature: 0.8, seed: 3 })
    await engine.unload()
    model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    const cold = await ask('Anna')
    expect(cold.usage.reusedTokens).toBe(0)
    await ask('Sue')
    const warm = await ask('Anna')
    expect(warm.usage.reusedTokens).toBeGreaterThan(0)
    expect(warm.text).toBe(cold.text)
    const again = await ask('Anna')
    expect(again.usage.reusedTokens).toBeGreaterThan(again.usage.promptTokens - 18)
    expect(again.text).toBe(cold.text)
  })

  it('never shows any part of a stop text', async () => {
    const { text } = await model.generate({ messages: story('Lily'), maxTokens: 120 })
    const stop = text.slice(30, 42)
    const pieces: string[] = []
    const result = await model.generate(
      { messages: story('Lily'), maxTokens: 120, stop: [stop] },
      { onToken: (piece) => pieces.push(piece) },
    )
    expect(result.finish).toBe('stop')
    expect(result.text).toBe(text.slice(0, text.indexOf(stop)))
    expect(pieces.join('')).toBe(result.text)
  })

  it('holds its output to a JSON schema', async () => {
    const result = await model.generate({
      messages: story('Lily'),
      maxTokens: 300,
      temperature: 0.7,
      constraint: {
        kind: 'json-schema',
        schema: {
          type: 'object',
          properties: {
            mood: { enum: ['happy', 'sad'] },
            age: { type: 'integer' },
            brave: { type: 'boolean' },
          },
        },
      },
    })
    const value = JSON.parse(result.text) as Record<string, unknown>
    expect(['happy', 'sad']).toContain(value['mood'])
    expect(Number.isInteger(value['age'])).toBe(true)
    expect(typeof value['brave']).toBe('boolean')
    expect(result.finish).toBe('end')
  })

  it('holds its output to a GBNF grammar', async () => {
    const result = await model.generate({
      messages: story('Lily'),
      constraint: { kind: 'gbnf', grammar: 'root ::= ("yes" | "no") "!"' },
    })
    expect(result.text).toMatch(/^(yes|no)!$/)
    expect(result.finish).toBe('end')
  })

  it.each([
    { kind: 'gbnf' as const, grammar: 'root ::= (' },
    { kind: 'gbnf' as const, grammar: 'top ::= "a"' },
    { kind: 'json-schema' as const, schema: { type: 'string', pattern: '^a' } },
  ])('refuses a constraint it cannot keep: $kind', async (constraint) => {
    await expect(model.generate({ messages: story('Lily'), constraint })).rejects.toMatchObject({
      code: 'GRAMMAR',
    })
    expect((await model.generate({ messages: story('Lily'), maxTokens: 4 })).usage.completionTokens).toBe(4)
  })

  it('refuses a prompt that leaves no room and clips the reply to the room there is', async () => {
    const long = (words: number) => [
      { role: 'user' as const, content: 'one day the cat sat. '.repeat(words) },
    ]
    await expect(model.generate({ messages: long(100) })).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' })
    let words = 40
    while (((await model.countTokens([long(words)[0]?.content ?? '']))[0] ?? 0) < 440) words++
    const result = await model.generate({ messages: long(words), maxTokens: 500 })
    expect(result.usage.promptTokens + result.usage.completionTokens).toBeLessThanOrEqual(512)
    expect(['max-tokens', 'end']).toContain(result.finish)
  })

  it('counts tokens', async () => {
    const [none, some] = await model.countTokens(['', 'Once upon a time'])
    expect(none).toBe(0)
    expect(some).toBeGreaterThan(2)
  })

  it('never reads the end mark out of a content', async () => {
    const [mark] = await model.countTokens(['</s>'])
    expect(mark).toBeGreaterThan(1)
  })

  it('stops at once when asked and writes the same afterwards', async () => {
    const before = await model.generate({ messages: story('Ben'), maxTokens: 30 })
    const controller = new AbortController()
    const writing = model.generate(
      { messages: story('Ben'), maxTokens: 480, temperature: 1, seed: 1 },
      { signal: controller.signal, onToken: () => controller.abort() },
    )
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' })
    const after = await model.generate({ messages: story('Ben'), maxTokens: 30 })
    expect(after.text).toBe(before.text)
  })
})
