import { expect, test } from 'vitest'
import { cosine } from '../../../src/core/retrieval/cosine'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'
import { onScaleOfPlans } from '../../../src/core/retrieval/plan-scale'
import type { Embedder } from '../../../src/core/ground/ports'

/** Plans of a run, with what came of them. */
const REST = 'Run the statement on repairs.'
const PLAN = `1. Note Fjord rules: waived ?, charge ?.\n2. Look up waived and charge first.\n3. ${REST}\n4. Answer with its rows.`
const FILLED_IN = `1. Note Fjord rules: waived 28, charge units.\n2. ${REST}\n3. Answer with its rows.`
const OTHER = '1. Search the web for the town.\n2. Compare both censuses.\n3. Answer with the number.'

const near = async (embedder: Embedder, a: string, b: string): Promise<number> => {
  const [x, y] = await embedder.embed([a, b])
  return (x && y && cosine(x, y)) ?? 0
}

test('for the word matcher the gate lies where refinements that keep what a plan is about pass, and other plans do not', async () => {
  const beta = await onScaleOfPlans(lexicalEmbedder, 0.8)
  const filledIn = await near(lexicalEmbedder, PLAN, FILLED_IN)
  expect(filledIn).toBeLessThan(0.8)
  expect(filledIn).toBeGreaterThan(beta)
  expect(await near(lexicalEmbedder, PLAN, OTHER)).toBeLessThan(beta)
})

test('the scale keeps its ends, and more is asked for by more', async () => {
  const scale = [-1, 0, 0.4, 0.8, 0.9, 1]
  const at = await Promise.all(scale.map((threshold) => onScaleOfPlans(lexicalEmbedder, threshold)))
  expect([at[0], at[1], at[5]]).toEqual([-1, 0, 1])
  expect(at).toEqual([...at].sort((a, b) => a - b))
})

test('an encoder for which faithful refinements are alike enough keeps the threshold on its own scale', async () => {
  const flat: Embedder = {
    ...{ id: 'flat', dimension: 2, unrelated: 0.5 },
    embed: (texts) => Promise.resolve(texts.map(() => Float32Array.from([1, 0]))),
  }
  expect(await onScaleOfPlans(flat, 0.8)).toBeCloseTo(0.9)
})

test('an encoder that failed is asked again', async () => {
  let fails = 1
  const embed: Embedder['embed'] = (texts) =>
    fails-- > 0 ? Promise.reject(new Error('away')) : lexicalEmbedder.embed(texts)
  const embedder = { ...lexicalEmbedder, embed }
  await expect(onScaleOfPlans(embedder, 0.8)).rejects.toThrow('away')
  expect(await onScaleOfPlans(embedder, 0.8)).toBeLessThan(0.8)
})
