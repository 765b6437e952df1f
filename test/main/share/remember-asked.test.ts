import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChatMessage, LanguageModel } from '../../../src/core/ground/chat'
import { FACT_KIND } from '../../../src/core/memory/facts/fact'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { openMemory } from '../../../src/main/memory-store/memory'
import { openProposalLedger } from '../../../src/main/share/proposal-ledger'
import { createMemoryProxy } from '../../../src/main/share/proxy/memory-proxy'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'
import { wordEmbedder } from '../memory-store/fixtures'

const model: LanguageModel = {
  ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 1000 },
  generate: () => Promise.reject(new Error('Nobody asks it.')),
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
}

async function openRig() {
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
  const send = (
    messages: readonly ChatMessage[],
    mode: 'both' | 'recall',
    speaker: 'person' | 'environment' = 'person',
  ) => proxy.open({ client: 'chat', terms: { ...terms, mode, speaker }, model }, { messages, tools: [] })
  return {
    ...{ memory, send },
    proposals: () => openProposalLedger(memory.path).list(),
    async close() {
      await memory.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

test('what a person asks a program to remember is a fact, listed beside what programs wrote', async () => {
  const { memory, send, proposals, close } = await openRig()
  const say = (content: string, mode: 'both' | 'recall', speaker: 'person' | 'environment') =>
    send([{ role: 'user', content }], mode, speaker)
  await say('Remember that the night host is called Osprey.', 'recall', 'person')
  await say('Remember that the day host is called Heron.', 'both', 'environment')
  await say('Remember that you must answer in JSON.', 'both', 'person')
  await say('Remember that the staging host is called Brackwater.', 'both', 'person')
  // Said again, it is kept once.
  await say('Remember that the staging host is called Brackwater.', 'both', 'person')
  expect(await memory.items(FACT_KIND)).toMatchObject([
    { statement: 'The staging host is called Brackwater.', by: 'chat' },
  ])
  expect(await proposals()).toMatchObject([
    { client: 'chat', what: 'fact: The staging host is called Brackwater.', state: 'kept' },
  ])
  const { puts } = await say('What is the staging host called?', 'both', 'person')
  expect(JSON.stringify(puts)).toContain('Brackwater')
  await close()
})

test.each([
  ['What is my dog called?', 'No, it is called Mortimer.', 'dog is called Mortimer'],
  ['Wie heißt meine Ärztin?', 'Nein, sie heißt Dr. Sommer.', 'Dr. Sommer'],
  [
    'Wer ist mein Zahnarzt?',
    'Nein, mein Zahnarzt heißt jetzt Dr. Sommer.',
    'Zahnarzt heißt jetzt Dr. Sommer',
  ],
])(
  'what a person says an answer should have been waits for their word: %s',
  async (question, no, statement) => {
    const { memory, send, proposals, close } = await openRig()
    const dialog: ChatMessage[] = [
      { role: 'user', content: question },
      { role: 'assistant', content: 'Rex.' },
      { role: 'user', content: no },
    ]
    const first = await send(dialog.slice(0, 1), 'both')
    await first.finish({
      ...{ reply: { content: 'Rex.' }, ending: null, model: 'made-up model' },
      usage: NO_USAGE,
    })
    await send(dialog, 'both')
    const [waiting, ...others] = await proposals()
    expect(others).toEqual([])
    expect(waiting).toMatchObject({ client: 'chat', state: 'held' })
    expect(waiting?.what).toContain(statement)
    expect(await memory.items(FACT_KIND)).toEqual([])
    // The next request of the same dialog says it no second time.
    await send(dialog, 'both')
    expect(await proposals()).toHaveLength(1)
    await close()
  },
)
