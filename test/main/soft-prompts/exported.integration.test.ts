import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getLlama, LlamaContextSequence, LlamaLogLevel, type Token } from 'node-llama-cpp'
import { afterAll, expect, it, vi } from 'vitest'
import { chooseReservedTokens } from '../../../src/core/soft-prompts/reserved-tokens'
import type { ChatMessage } from '../../../src/core/ground/ports'
import { createRng } from '../../../src/core/ground/random'
import { readModelShape } from '../../../src/main/adapters/ggml/model-shape'
import { EngineModel } from '../../../src/main/adapters/llama/llama-model'
import { LlamaRuntime } from '../../../src/main/adapters/llama/llama-runtime'
import { readVocabulary } from '../../../src/main/gguf/vocabulary'
import { writeSoftPrompt, exportSoftPrompt } from '../../../src/main/soft-prompts/soft-prompt-file'
import { findResources } from '../../../src/main/ground/resources'
import { demoModelPath } from '../../../src/main/ground/model-file'
import { modelLoadOptionsSchema } from '../../../src/shared/domain/model'
import { exampleInfo } from './fixtures'

const folder = mkdtempSync(join(tmpdir(), 'loam-exported-'))
afterAll(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})
const base = demoModelPath(findResources().models)
const messages: ChatMessage[] = [
  { role: 'system', content: 'You work with a database.' },
  { role: 'user', content: 'How many guests are there?' },
]

type Probabilities = ReadonlyMap<number, number>
const asked = { generateNext: { probabilities: true } } as const

/** What the sequence thinks comes after `tokens`. */
async function afterTokens(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<Probabilities> {
  const last = tokens.length - 1
  const output = await sequence.controlledEvaluate(
    tokens.map((token, index) => (index < last ? token : [token, asked])),
  )
  const probabilities = output.at(-1)?.next.probabilities
  if (!probabilities) throw new Error('llama.cpp gave no output.')
  return probabilities
}

/** The prompt that Loam's engine evaluates to serve the adapter, and what the model thinks comes next. */
async function asServed(adapter: string, ids: readonly number[]) {
  let seen: { prompt: Token[]; next: Probabilities } | null = null
  const evaluate = vi.spyOn(LlamaContextSequence.prototype, 'evaluate')
  evaluate.mockImplementation(async function* (this: LlamaContextSequence, tail) {
    const before = [...this.contextTokens]
    seen = { prompt: [...before, ...tail], next: await afterTokens(this, tail) }
    yield* []
  })
  const options = modelLoadOptionsSchema.parse({
    path: base,
    gpuLayers: 'cpu',
    softPrompt: { adapter, ids: [...ids] },
  })
  const model = await EngineModel.load(new LlamaRuntime(() => undefined), options)
  await model.generate({ messages, softPrompt: true })
  const { prompt } = model.tokenize(messages, '')
  await model.dispose()
  evaluate.mockRestore()
  if (!seen) throw new Error('Nothing was evaluated.')
  return { ...(seen as { prompt: Token[]; next: Probabilities }), plain: prompt }
}

it('an exported folder alone gives stock llama.cpp the probabilities that Loam serves', async () => {
  const { vocabulary, taken } = await readVocabulary(base)
  const ids = chooseReservedTokens(vocabulary, 20, taken)
  const shape = await readModelShape(base)
  const random = createRng('exported')
  const deltas = Float32Array.from({ length: ids.length * shape.sizes.width }, () => random.next() - 0.5)
  const { architecture, sizes } = shape
  const example = exampleInfo(ids)
  const info = {
    ...example,
    baseModel: { ...example.baseModel, architecture, width: sizes.width, vocabulary: sizes.vocabulary },
  }
  const softPromptList = join(folder, 'shelf')
  const out = join(folder, 'out')
  mkdirSync(softPromptList)
  const file = await writeSoftPrompt(softPromptList, 'learned', info, deltas)
  const served = await asServed(file.adapter, ids)
  await exportSoftPrompt(file, out)
  rmSync(softPromptList, { recursive: true })

  // From here on as somebody would who only has the folder: what to load and what to send stands in the README.
  const readme = readFileSync(join(out, 'README.md'), 'utf8')
  const lora = join(out, /llama-server .* --lora (\S+)/u.exec(readme)?.[1] ?? '')
  const named = /"prompt": \[([\d, ]+), "your prompt/u.exec(readme)?.[1]?.split(', ').map(Number)
  expect(named).toEqual(ids)
  const llama = await getLlama({
    ...({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false } as const),
  })
  const model = await llama.loadModel({ modelPath: base })
  const { bos, shouldPrependBosToken } = model.tokens
  const lead = shouldPrependBosToken && bos !== null ? [bos] : []
  // The text of a chat template, read as llama.cpp's server reads it.
  const body = model.tokenize(model.detokenize(served.plain.slice(lead.length) as Token[], true), true)
  const prompt = [...lead, ...((named ?? []) as Token[]), ...body]
  expect(prompt).toEqual(served.prompt)
  const probabilitiesWith = async (adapter: string | undefined) => {
    const context = await model.createContext({
      contextSize: 512,
      threads: 1,
      ...(adapter && { lora: adapter }),
    })
    const next = await afterTokens(context.getSequence(), prompt)
    await context.dispose()
    return next
  }
  const next = await probabilitiesWith(lora)
  const without = await probabilitiesWith(undefined)
  await llama.dispose()
  const furthest = (a: Probabilities, b: Probabilities) =>
    Math.max(...[...a].map(([id, value]) => Math.abs(value - (b.get(id) ?? 0))))
  expect(next.size).toBe(served.next.size)
  expect(furthest(next, served.next)).toBe(0)
  expect(furthest(next, without)).toBeGreaterThan(1e-3)
})
