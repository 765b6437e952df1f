import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChatMessage, GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { openMemory } from '../../../src/main/memory-store/memory'
import { createMemoryProxy } from '../../../src/main/share/proxy/memory-proxy'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'
import { wordEmbedder } from '../memory-store/fixtures'

const TOOLS = [{ name: 'look_up', description: '', inputSchema: { type: 'object' } }]

/** What a model reads of requests that come through the proxy. */
async function openRig(usesTools: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'loam-talk-'))
  const embedder = wordEmbedder()
  const memory = await openMemory({ folder, embedder })
  const reads: GenerateRequest[] = []
  const model: LanguageModel = {
    ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 1000 },
    generate(request) {
      reads.push(request)
      return Promise.resolve({
        text: 'A sentence.',
        usage: { ...NO_USAGE, reusedTokens: 0, ms: 1 },
        finish: 'end',
      })
    },
    countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
  }
  const proxy = createMemoryProxy({
    clock: { now: () => new Date(0) },
    embedder: async () => embedder,
    prompts: async () => ({ text: (id: string) => id }),
    usesTools: () => Promise.resolve(usesTools),
  })
  const terms = { ...{ memory, budget: 100, method: caseBank, k: 2, environment: 'agent', judge: false } }
  return {
    async read(
      messages: readonly ChatMessage[],
      more: Partial<GenerateRequest> = {},
      {
        mode = 'both',
        speaker = 'person',
      }: { mode?: 'both' | 'record'; speaker?: 'person' | 'environment' } = {},
    ): Promise<string[]> {
      await proxy.complete(
        { client: 'chat', terms: { ...terms, mode, speaker }, model },
        { messages, ...more },
        {},
      )
      return reads.at(-1)?.messages.map(({ content }) => content) ?? []
    },
    /** What a program gets as it is written and as a whole, and how often the model was asked so far. */
    async answer(content: string, more: Partial<GenerateRequest> = {}): Promise<unknown[]> {
      const tokens: string[] = []
      const asked = { client: 'chat', terms: { ...terms, mode: 'both', speaker: 'person' }, model } as const
      const request = { messages: [{ role: 'user', content } as const], ...more }
      const { result } = await proxy.complete(asked, request, { onToken: (text) => tokens.push(text) })
      return [tokens.join(''), result.text, reads.length]
    },
    async close() {
      await proxy.close()
      await memory.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const talk = (...contents: string[]): ChatMessage[] =>
  contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))

test('a sum is worked out for who sends no tools, as in asks', async () => {
  const { read, close } = await openRig(true)
  const sum = talk('What is 37 times 12?')
  const [told = ''] = await read(sum)
  expect(told).toBe('What is known:\n- 37 times 12 = 444\n\nWhat is 37 times 12?')
  // It stays where it stood, so that what was read stays read.
  expect((await read(talk('What is 37 times 12?', '444', 'Thanks.')))[0]).toBe(told)
  const other = talk('What is 38 times 12?')
  expect(await read(other, { tools: TOOLS })).toEqual(['What is 38 times 12?'])
  expect(await read(talk('What is 39 times 12?'), {}, { mode: 'record' })).toEqual(['What is 39 times 12?'])
  expect(await read(talk('What is 40 times 12?'), {}, { speaker: 'environment' })).toEqual([
    'What is 40 times 12?',
  ])
  await close()
})

test('the answer to a sum is its result for a model too small for tools', async () => {
  const { answer, close } = await openRig(false)
  const sum = '37 times 12 = 444.'
  expect(await answer('What is 37 times 12?')).toEqual([sum, sum, 0])
  expect(await answer('Write a long poem about 37 times 12')).toEqual(['', 'A sentence.', 1])
  expect(await answer('What is 41 times 12?', { tools: TOOLS })).toEqual(['', 'A sentence.', 2])
  const sorted: ChatMessage[] = [
    { role: 'system', content: 'Say of each message whether it is a sum.' },
    { role: 'user', content: 'What is 42 times 12?' },
  ]
  expect((await answer('', { messages: sorted }))[1]).toBe('A sentence.')
  await close()
  const able = await openRig(true)
  expect(await able.answer('What is 37 times 12?')).toEqual(['', 'A sentence.', 1])
  await able.close()
})

test('where a program says what its answers are for, a model too small for tools is told to say the result', async () => {
  const told =
    'What is known:\n- 42 times 12 = 504\n\nWhat is 42 times 12?\n\nCalculator: 42 times 12 = 504\n\nAnswer with what the calculator says.'
  const system: ChatMessage = { role: 'system', content: 'Be brief.' }
  const sum: ChatMessage[] = [system, ...talk('What is 42 times 12?')]
  const { read, close } = await openRig(false)
  expect(await read(sum)).toEqual(['Be brief.', told])
  expect(await read([...sum, ...talk('', '500', 'Try again.').slice(1)])).toEqual(['Be brief.', told])
  const poem = await read([system, ...talk('Write a long poem about 43 times 12')])
  expect(poem[1]).not.toContain('Calculator')
  await close()
  const able = await openRig(true)
  expect((await able.read(sum))[1]).not.toContain('Calculator')
  await able.close()
})

test('a wish for another answer alone is its request once more, for a model too small for tools', async () => {
  const dialog = talk('Name a colour.', 'Blue.', 'Write a sentence about rain.', 'Rain falls.', 'Try again.')
  const { read, close } = await openRig(false)
  expect(await read(dialog)).toEqual(['Name a colour.', 'Blue.', 'Write a sentence about rain.'])
  const longer = [...dialog, ...talk('', 'Rain is wet.', 'Noch einmal.').slice(1)]
  expect(await read(longer)).toEqual(['Name a colour.', 'Blue.', 'Write a sentence about rain.'])
  expect(await read(dialog, { tools: TOOLS })).toHaveLength(5)
  expect(await read(talk('Try again.'))).toEqual(['Try again.'])
  expect(await read([...dialog.slice(0, 4), { role: 'user', content: 'Try again, shorter.' }])).toHaveLength(
    5,
  )
  await close()
  const able = await openRig(true)
  expect(await able.read(dialog)).toHaveLength(5)
  await able.close()
})
