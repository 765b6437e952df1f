import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LanguageModel } from '../../../src/core/ground/chat'
import { FACT_KIND } from '../../../src/core/memory/facts/fact'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { openMemory } from '../../../src/main/memory-store/memory'
import { openProposalLedger } from '../../../src/main/share/proposal-ledger'
import { createMemoryProxy } from '../../../src/main/share/proxy/memory-proxy'
import { wordEmbedder } from '../memory-store/fixtures'

const model: LanguageModel = {
  ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 1000 },
  generate: () => Promise.reject(new Error('Nobody asks it.')),
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
}

test('what a person asks a program to remember is a fact, listed beside what programs wrote', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-remember-'))
  const embedder = wordEmbedder()
  const memory = await openMemory({ folder, embedder })
  const proxy = createMemoryProxy({
    clock: { now: () => new Date(0) },
    embedder: async () => embedder,
    prompts: async () => ({ text: (id: string) => id }),
  })
  const terms = {
    ...{ memory, budget: 100, method: caseBank, k: 2, environment: 'agent', judge: false },
  }
  const say = (content: string, mode: 'both' | 'recall', speaker: 'person' | 'environment') =>
    proxy.open(
      { client: 'chat', terms: { ...terms, mode, speaker }, model },
      { messages: [{ role: 'user', content }], tools: [] },
    )
  await say('Remember that the night host is called Osprey.', 'recall', 'person')
  await say('Remember that the day host is called Heron.', 'both', 'environment')
  await say('Remember that you must answer in JSON.', 'both', 'person')
  await say('Remember that the staging host is called Brackwater.', 'both', 'person')
  // Said again, it is kept once.
  await say('Remember that the staging host is called Brackwater.', 'both', 'person')
  expect(await memory.items(FACT_KIND)).toMatchObject([
    { statement: 'The staging host is called Brackwater.', by: 'chat' },
  ])
  expect(await openProposalLedger(memory.path).list()).toMatchObject([
    { client: 'chat', what: 'fact: The staging host is called Brackwater.', state: 'kept' },
  ])
  const { puts } = await say('What is the staging host called?', 'both', 'person')
  expect(JSON.stringify(puts)).toContain('Brackwater')
  await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
