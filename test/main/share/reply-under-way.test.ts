import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ChatMessage, LanguageModel } from '../../../src/core/ground/chat'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { openMemory } from '../../../src/main/memory-store/memory'
import { createMemoryProxy } from '../../../src/main/share/proxy/memory-proxy'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { wordEmbedder } from '../memory-store/fixtures'

const said = (role: 'user' | 'assistant', content: string): ChatMessage => ({ role, content })
const model: LanguageModel = {
  ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 1000 },
  generate: () => Promise.reject(new Error('Nobody asks it.')),
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
}

test('a complaint that comes before the reply it is about was kept waits for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-reply-'))
  const embedder = wordEmbedder()
  const memory = await openMemory({ folder, embedder })
  const proxy = createMemoryProxy({
    clock: { now: () => new Date(0) },
    embedder: async () => embedder,
    prompts: async () => ({ text: (id: string) => id }),
  })
  const terms = {
    ...{ memory, mode: 'both' as const, budget: 100, method: caseBank, k: 2 },
    ...{ environment: 'qa', judge: false, speaker: 'person' as const },
  }
  const request = { client: 'c', terms, model }
  const task = said('user', 'Write the harbour ledger sorted by the wharf number.')
  const reply = said('assistant', 'Here is the ledger.')
  const first = await proxy.open(request, { messages: [task], tools: [] })
  const complaint = said('user', 'That is wrong, the harbour ledger is still not sorted.')
  await proxy.open(request, { messages: [task, reply, complaint], tools: [] })
  await first.finish({ reply, ending: null, model: 'm', usage: NO_USAGE })

  const attempts = async (): Promise<Trajectory[]> => {
    const all: Trajectory[] = []
    for await (const attempt of memory.trajectories()) all.push(attempt)
    return all
  }
  await vi.waitFor(async () =>
    expect(await attempts()).toMatchObject([
      { reward: 0, rounds: [{ completion: 'Here is the ledger.' }], task: { instruction: task.content } },
    ]),
  )
  await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
