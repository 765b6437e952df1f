import { expect, test } from 'vitest'
import { usualModel, weightsAt, withUsual } from '../../../src/main/models/usual-model'
import type { ModelInfo } from '../../../src/shared/domain/model'

const model = (name: string, gigabytes: number, more: Partial<ModelInfo> = {}): ModelInfo => ({
  ...{ path: `/models/${name}.gguf`, name, architecture: 'llama', sizeBytes: gigabytes * 1e9 },
  ...{ trainContext: 4096, license: null, registryId: null, bundled: false, demo: false },
  ...{ chatTemplate: true, quantization: 'Q4_K_M', problem: null, ...more },
})
const DEMO = model('demo', 0.02, { demo: true })
const SMALL = model('small', 1)
const LARGE = model('large', 5)
const HUGE = model('huge', 40)
const BASE = model('base', 6, { base: true })

const nameOf = (models: readonly ModelInfo[]): string | null => usualModel(models, 16e9)?.name ?? null

test('the largest that can hold a dialog and fits answers', () => {
  expect(nameOf([DEMO, SMALL, LARGE, HUGE, BASE])).toBe('large')
  // Weights count, not bytes: a small model written at length is a small model.
  expect(nameOf([SMALL, model('long', 1.5, { quantization: 'F16' })])).toBe('small')
})

test('a tight one, a base model and the demo model only where there is nothing better, one that does not fit never', () => {
  expect(nameOf([DEMO, HUGE])).toBe('demo')
  expect(nameOf([HUGE])).toBeNull()
  expect(nameOf([DEMO, model('tight', 12)])).toBe('tight')
  expect(nameOf([DEMO, BASE])).toBe('base')
  expect(nameOf([DEMO])).toBe('demo')
  expect(
    nameOf([model('bert', 1, { embedding: 384 }), model('broken', 1, { problem: 'damaged' })]),
  ).toBeNull()
})

test('it is marked in the list', () => {
  expect(withUsual([DEMO, SMALL], 16e9).map(({ usual }) => usual)).toEqual([undefined, true])
})

test.each([
  ['openai:smollm2:135m@ollama', 135e6],
  ['openai:SmolLM2 135M Instruct@http://127.0.0.1:1234/v1', 135e6],
  ['openai:qwen3-0.6b@http://127.0.0.1:11434/v1', 6e8],
  ['openai:meta-llama/Llama-3.2-1B-Instruct:free@openrouter', 1e9],
  ['openai:mixtral:8x7b@ollama', 56e9],
  ['openai:gpt-4o@https://api.openai.com/v1', null],
  ['openai:phi3:latest@http://10.0.0.8:8080/v1', null],
])('the weights of a model on a server are told by its name: %s', async (path, weights) => {
  expect(await weightsAt(path, [])).toBe(weights)
})
