import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChatMessage, LanguageModel } from '../../../src/core/ground/chat'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { ENOUGH, FITTED } from '../../../src/core/verdict/client-rules'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { openClientVerdicts } from '../../../src/main/share/proxy/client-verdicts'
import { createMemoryProxy } from '../../../src/main/share/proxy/memory-proxy'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { wordEmbedder } from '../memory-store/fixtures'

const said = (role: 'user' | 'assistant', content: string): ChatMessage => ({ role, content })
const model: LanguageModel = {
  ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 1000 },
  generate: () => Promise.reject(new Error('Nobody asks it.')),
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
}
const THANKS = 'Thank you so much!'

const open: { readonly memory: StoredMemory; readonly folder: string }[] = []
afterEach(async () => {
  for (const { memory, folder } of open.splice(0)) {
    await memory.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

async function openGateway() {
  const folder = await mkdtemp(join(tmpdir(), 'loam-verdicts-'))
  const embedder = wordEmbedder()
  const memory = await openMemory({ folder: join(folder, 'memory'), embedder })
  open.push({ memory, folder })
  const file = join(folder, 'verdicts.json')
  const verdicts = await openClientVerdicts(file)
  const proxy = createMemoryProxy({
    clock: { now: () => new Date(0) },
    embedder: async () => embedder,
    prompts: async () => ({ text: (id: string) => id }),
    verdicts,
  })
  const terms = {
    ...{ memory, mode: 'both' as const, budget: 100, method: caseBank, k: 2 },
    ...{ environment: 'qa', judge: false, speaker: 'person' as const },
  }
  /** One request and its reply, then what the person writes next; the program speaks of the first between them. */
  async function talk(client: string, i: number, next: string, word: 'success' | 'failure' | null) {
    const request = { client, terms, model }
    const task = said('user', `Sort the ledger of harbour number ${i} by the wharf.`)
    const reply = said('assistant', 'Here is the ledger.')
    const first = await proxy.open(request, { messages: [task], tools: [] })
    await first.finish({ reply, ending: null, model: 'm', usage: NO_USAGE })
    if (word !== null) await proxy.outcome(client, first.attempt, word)
    await proxy.open(request, { messages: [task, reply, said('user', next)], tools: [] })
    return first.attempt
  }
  async function attempt(id: string): Promise<Trajectory | null> {
    for await (const one of memory.trajectories()) if (one.id === id) return one
    return null
  }
  return { file, verdicts, talk, attempt }
}

test('a program that said thirty times how its attempts ended has rules of its own, and no other program has', async () => {
  const { file, verdicts, talk, attempt } = await openGateway()
  // Thanks teach nothing by the fitted rules.
  const before = await talk('steady', 0, THANKS, null)
  for (let i = 1; i < ENOUGH; i++) await talk('steady', i, THANKS, 'success')
  expect(verdicts.rules('steady')).toBe(FITTED)
  await talk('steady', ENOUGH, 'That is wrong.', 'failure')
  await vi.waitFor(() => expect(verdicts.rules('steady').verdicts).toBe(ENOUGH))
  expect(verdicts.rules('steady').prior).toBeGreaterThan(0.8)
  expect(verdicts.rules('another')).toBe(FITTED)

  const taught = await talk('steady', 100, THANKS, null)
  await vi.waitFor(async () => expect(await attempt(taught)).toMatchObject({ reward: 1 }))
  const other = await talk('another', 101, THANKS, null)
  const wrong = await talk('another', 102, 'That is wrong, the ledger of the harbour is not sorted.', null)
  await vi.waitFor(async () => expect(await attempt(wrong)).toMatchObject({ reward: 0 }))
  expect([await attempt(before), await attempt(other)]).toEqual([null, null])
  // The next start reads by the same.
  expect((await openClientVerdicts(file)).rules('steady')).toEqual(verdicts.rules('steady'))
})

test('a word that is said anew replaces the one before it', async () => {
  const { verdicts } = await openGateway()
  const add = (i: number, solved: boolean) =>
    verdicts.add('c', { attempt: `att-${i}`, kinds: ['thanks'], solved })
  for (let i = 0; i < ENOUGH; i++) await add(i, true)
  const { thanks } = verdicts.rules('c').weights
  for (let i = 0; i < 15; i++) await add(i, false)
  expect(verdicts.rules('c').verdicts).toBe(ENOUGH)
  expect(verdicts.rules('c').weights.thanks).toBeLessThan(thanks)
})
