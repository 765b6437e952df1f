import { expect, it } from 'vitest'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import { localModel } from '../../../src/main/share/proxy/local-model'
import { generateWithTools } from '../../../src/main/providers/generic-tools'
import { requestBody } from '../../../src/main/providers/openai/write-request'

const messages = [{ role: 'user', content: 'Name a port.' }] as const
const DEFAULTED = ['temperature', 'top_p', 'seed', 'max_tokens', 'chat_template_kwargs']

/** What a request of a client becomes on its way to a server (`isLocal` false) or to a model file. */
async function passedOn(request: GenerateRequest, isLocal: boolean): Promise<GenerateRequest> {
  const requests: GenerateRequest[] = []
  const model: LanguageModel = {
    ...{ name: 'm', path: 'm', contextSize: 4096, recommended: { temperature: 0.6, topP: 0.8 } },
    countTokens: () => Promise.resolve([]),
    generate: (input) => {
      requests.push(input)
      const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
      return Promise.resolve({ text: 'Harbor.', usage, finish: 'end' })
    },
  }
  await localModel(model, isLocal).generate(request)
  return requests[0] ?? { messages: [] }
}

it('a server is sent nothing that no client said', async () => {
  const body = requestBody('m', await passedOn({ messages }, false), 'llama-server')
  expect(DEFAULTED.filter((field) => field in body)).toEqual([])
  const told = { messages, temperature: 0.2, seed: 4, maxTokens: 9, sampling: { topP: 0.5 } }
  expect(requestBody('m', await passedOn(told, false), 'llama-server')).toMatchObject({
    ...{ temperature: 0.2, seed: 4, max_tokens: 9, top_p: 0.5 },
  })
})

it('a model file samples as its makers recommend, and writes up to its context', async () => {
  expect(await passedOn({ messages }, true)).toMatchObject({
    ...{ temperature: 0.6, sampling: { topP: 0.8 }, maxTokens: 4096, seed: expect.any(Number) },
  })
  expect(await passedOn({ messages, temperature: 0, maxTokens: 5 }, true)).toMatchObject({
    ...{ temperature: 0, maxTokens: 5 },
  })
})

it('a model file that calls the same three times in a row answers in words then, where it may', async () => {
  const tools = [{ name: 'create_goal', description: '', inputSchema: { type: 'object' } }]
  const dialog = (names: readonly string[]): GenerateRequest => ({
    tools,
    messages: [
      ...messages,
      ...names.flatMap((name, i) => [
        { role: 'assistant', content: '', toolCalls: [{ id: `c${i}`, name, arguments: { a: 1 } }] } as const,
        { role: 'tool', callId: `c${i}`, name, content: 'It failed.' } as const,
      ]),
    ],
  })
  const same = Array.from({ length: 3 }, () => 'create_goal')
  expect((await passedOn(dialog(same), true)).tools).toBeUndefined()
  for (const request of [
    dialog(same.slice(1)),
    dialog(['create_goal', 'look', 'create_goal']),
    { ...dialog(same), toolChoice: 'required' as const },
  ])
    expect((await passedOn(request, true)).tools).toEqual(tools)
  expect((await passedOn(dialog(same), false)).tools).toEqual(tools)
})

it('a call of a model file that goes round in circles is not made, and the same request is answered in words then', async () => {
  const tools = [{ name: 'create_goal', description: '', inputSchema: { type: 'object' } }]
  const requests: GenerateRequest[] = []
  const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
  const model: LanguageModel = {
    ...{ name: 'm', path: 'm', contextSize: 4096, countTokens: () => Promise.resolve([]) },
    generate: (input, options) =>
      generateWithTools(
        (held) => {
          requests.push(held)
          const text = `{"tool": "create_goal", "arguments": {"objective": "${'a_lollipop_'.repeat(9)}`
          return Promise.resolve(
            held.constraint ? { text, usage, finish: 'loop' } : { text: 'At berth 7.', usage, finish: 'end' },
          )
        },
        input,
        options,
      ),
  }
  const local = localModel(model, true)
  const first = await local.generate({ messages, tools })
  expect(first).toMatchObject({ finish: 'max-tokens', text: '' })
  expect(first.toolCalls).toBeUndefined()
  expect(await local.generate({ messages, tools })).toMatchObject({ finish: 'end', text: 'At berth 7.' })
  expect(requests.map(({ stopLoops }) => stopLoops)).toEqual(['in-forms', true])
  const other = [{ role: 'user', content: 'Name a ship.' }] as const
  expect(await local.generate({ messages: other, tools })).toMatchObject({ finish: 'max-tokens' })
})

it('Loam’s own requests to servers are repeatable', () => {
  expect(requestBody('m', { messages }, 'vllm')).toMatchObject({
    ...{ temperature: 0, seed: 0, max_tokens: 512, chat_template_kwargs: { enable_thinking: false } },
  })
})
