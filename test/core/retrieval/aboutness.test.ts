import { expect, test } from 'vitest'
import { aboutness, isAbout } from '../../../src/core/retrieval/aboutness'
import { LEXICAL_ID } from '../../../src/core/retrieval/lexical-embedder'
import type { Embedder } from '../../../src/core/ground/ports'

/** Texts with one of these words point the same way. */
const DIRECTIONS = [/teeth|dentist/, /capital/]
const embedder = (id: string): Embedder => ({
  id,
  dimension: 3,
  embed: (texts) =>
    Promise.resolve(
      texts.map((text) => new Float32Array([...DIRECTIONS.map((form) => (form.test(text) ? 1 : 0)), 0.1])),
    ),
})

test('other words are told by their meaning, unless they ask the same of something else', async () => {
  const about = async (request: string, key: string, id = 'other') =>
    isAbout((await aboutness(request, [key], embedder(id)))[0] ?? 0)
  expect(await about('Who looks after my teeth?', 'What is the name of my dentist?')).toBe(true)
  expect(await about('What is the capital of Japan?', 'What is the capital of Norway?')).toBe(false)
  expect(await about('Write a poem.', 'What is the name of my dentist?')).toBe(false)
  // The word matcher has no meaning to tell.
  expect(await about('Who looks after my teeth?', 'What is the name of my dentist?', LEXICAL_ID)).toBe(false)
})
