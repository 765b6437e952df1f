import { expect, test } from 'vitest'
import { usualModel, withUsual } from '../../../src/main/models/usual-model'
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
