import { describe, expect, it } from 'vitest'
import { lexicalEmbedder, lexicalVector } from '../../../src/core/retrieval/lexical-embedder'

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const similarity = (a: string, b: string) => dot(lexicalVector(a), lexicalVector(b))

describe('the lexical embedder', () => {
  it('answers unit vectors of 384 values, even for nothing at all', async () => {
    for (const vector of await lexicalEmbedder.embed(['How many orders?', '', '  \n', '!?', 'ß', '数据库'])) {
      expect(vector.length).toBe(384)
      expect(dot(vector, vector)).toBeCloseTo(1, 5)
    }
  })

  it('is the same every time and everywhere', () => {
    const vector = lexicalVector('Which customer ordered most in May?')
    expect(vector).toEqual(lexicalVector('Which customer ordered most in May?'))
    // A fixed sample: vectors are stored, so the function may not drift between versions.
    const filled = [...vector].flatMap((value, i) => (value === 0 ? [] : [`${i}:${value.toFixed(3)}`]))
    expect(filled.slice(0, 5)).toMatchInlineSnapshot(`
      [
        "4:0.067",
        "10:0.168",
        "12:-0.067",
        "16:0.067",
        "18:-0.067",
      ]
    `)
  })

  it('ignores case and punctuation', () => {
    expect(similarity('List the ORDERS!', 'list the orders')).toBeCloseTo(1, 5)
  })

  it('finds shared words, parts of words and word pairs near, others far', () => {
    const query = 'How many orders did the customer place in May?'
    expect(similarity(query, 'Count the orders the customer placed in June')).toBeGreaterThan(0.35)
    expect(similarity('ordering', 'orders')).toBeGreaterThan(similarity('ordering', 'banana') + 0.2)
    expect(similarity('red ball green tree', 'red ball green tree')).toBeGreaterThan(
      similarity('red ball green tree', 'tree ball red green') + 0.02,
    )
    expect(Math.abs(similarity(query, 'Bake bread slowly'))).toBeLessThan(0.2)
  })

  it('counts little for words that say little', () => {
    expect(similarity('the cat is in the box', 'the dog is in the car')).toBeLessThan(0.45)
  })
})
