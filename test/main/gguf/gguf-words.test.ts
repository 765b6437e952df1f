import { expect, test } from 'vitest'
import { isBaseModel, modelTitle, recommendedSampling } from '../../../src/main/gguf/gguf-words'

const NOTHING = new Map<string, string>()

test.each([
  ['/models/SmolLM2-135M-Instruct.Q4_1.gguf', 'SmolLM2 135M Instruct'],
  ['/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf', 'Qwen2.5 7B Instruct'],
  ['/models/gemma-3-270m-q4_k_m.gguf', 'gemma 3 270m'],
  ['/models/Mixtral-8x7B-v0.1.Q8_0-00001-of-00002.gguf', 'Mixtral 8x7B v0.1'],
])('a model is called as its makers call its file: %s', (path, title) => {
  expect(modelTitle(path, new Map([['general.name', 'Smollm2 135M 8k Lc100K Mix1 Ep2']]))).toBe(title)
})

test('a file without a size in its name is called what it says of itself, else as it is', () => {
  expect(modelTitle('/models/loam-demo.gguf', new Map([['general.name', 'Loam demo']]))).toBe('Loam demo')
  expect(modelTitle('/models/story.gguf', NOTHING)).toBe('story')
  expect(modelTitle(`/blobs/sha256-${'ab1b'.repeat(16)}`, NOTHING, 'smollm2:135m')).toBe('smollm2:135m')
})

test('a base model has no template, or is called one', () => {
  const template = new Map([['tokenizer.chat_template', '{{ messages }}']])
  expect(isBaseModel('/models/gemma-3-270m.gguf', NOTHING)).toBe(true)
  expect(isBaseModel('/models/Qwen3-8B-Base-Q4_K_M.gguf', template)).toBe(true)
  expect(isBaseModel('/models/SmolLM2-135M-Instruct.gguf', template)).toBe(false)
  expect(isBaseModel('/models/database-7B-chat.gguf', template)).toBe(false)
})

test('sampling is what the file says, else what the makers of its family do', () => {
  const said = new Map<string, number>([
    ['general.sampling.temp', 0.4],
    ['general.sampling.top_p', 0.8],
  ])
  expect(recommendedSampling(said, '/models/x.gguf')).toEqual({ temperature: 0.4, topP: 0.8 })
  expect(recommendedSampling(NOTHING, '/models/SmolLM2-135M-Instruct.gguf')).toEqual({
    temperature: 0.2,
    topP: 0.9,
  })
  expect(recommendedSampling(NOTHING, '/models/unknown.gguf')).toBeNull()
})
