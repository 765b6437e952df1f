import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseReservedTokens } from '../../../src/core/soft-prompts/reserved-tokens'
import { samplesOf } from '../../../src/core/soft-prompts/samples'
import type { ChatMessage } from '../../../src/core/ground/ports'
import { type EngineLanguageModel, EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { readVocabulary } from '../../../src/main/gguf/vocabulary'
import { writeAdapter } from '../../../src/main/soft-prompts/soft-prompt-file'
import { trainInChild } from '../../../src/main/soft-prompts/trainer'
import { trainingSettingsSchema } from '../../../src/shared/domain/soft-prompt'
import { hasStories, STORIES } from '../adapters/llama/stories-model'

const REPLY = 'They all went home.'
const first: ChatMessage[] = [
  { role: 'system', content: 'You tell stories.' },
  { role: 'user', content: 'What did they do at the end of the long day?' },
]
const second: ChatMessage[] = [
  ...first,
  { role: 'assistant', content: REPLY },
  { role: 'user', content: 'Who was there?' },
]

describe.skipIf(!hasStories)('a soft prompt served by the engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-serving-'))
  const adapter = join(folder, 'adapter.gguf')
  const engine = new EngineSupervisor()
  let plain: string
  let model: EngineLanguageModel
  let ids: number[]

  beforeAll(async () => {
    const { vocabulary, taken } = await readVocabulary(STORIES)
    ids = chooseReservedTokens(vocabulary, 20, taken)
    const base = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu' })
    plain = (await base.generate({ messages: first, maxTokens: 12 })).text
    const rounds = [await base.tokenize(first, REPLY), await base.tokenize(second, REPLY)]
    const train = samplesOf(
      'one',
      // This model was never taught to end, and twenty embeddings cannot teach it.
      rounds.map(({ prompt, reply }) => ({ prompt, action: reply.slice(0, -1) })),
      rounds[0]?.softAt ?? 0,
    )
    const { deltas } = await trainInChild({
      model: STORIES,
      reservedIds: ids,
      train,
      heldOut: [],
      settings: trainingSettingsSchema.parse({ steps: 60 }),
      begin: null,
      backend: 'cpu',
      threads: 1,
      transposes: 'auto',
      checkpoint: null,
      selfTest: null,
      memoryLimit: null,
    })
    writeAdapter(adapter, { architecture: 'llama', vocabulary: 512, width: 64, ids, deltas })
    model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu', softPrompt: { adapter, ids } })
  })
  afterAll(async () => {
    await engine.dispose()
    rmSync(folder, { recursive: true })
  })

  it('makes the model act as it was taught, in the first turn and in later ones', async () => {
    const one = await model.generate({ messages: first, softPrompt: true, stop: ['.'] })
    expect(`${one.text}.`).toBe(REPLY)
    const two = await model.generate({ messages: second, softPrompt: true, stop: ['.'] })
    expect(`${two.text}.`).toBe(REPLY)
    // The second turn begins with all of the first turn's prompt, soft prompt included.
    expect(two.usage.reusedTokens).toBeGreaterThanOrEqual(48)
  })

  it('costs its tokens and nothing else, and is off unless asked for', async () => {
    const without = await model.generate({ messages: first, maxTokens: 12 })
    const served = await model.generate({ messages: first, maxTokens: 12, softPrompt: true })
    expect(without.text).toBe(plain)
    expect(served.usage.promptTokens - without.usage.promptTokens).toBe(ids.length)
  })

  it('says what the model thought likeliest at each token of a reply', async () => {
    const { text } = await model.generate({ messages: first, maxTokens: 8 })
    const { reply } = await model.tokenize(first, text)
    const distributions = await model.distributions(first, text, 4)
    expect(distributions).toHaveLength(reply.length)
    for (const { ids: likely, probabilities } of distributions) {
      expect(likely).toHaveLength(4)
      expect(probabilities[0]).toBeGreaterThanOrEqual(probabilities[1] as number)
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeLessThanOrEqual(1 + 1e-5)
    }
    // What was written greedily is what was likeliest at every place but the end.
    expect(distributions.slice(1, 4).map((one) => one.ids[0])).toEqual(reply.slice(1, 4))
  })
})
