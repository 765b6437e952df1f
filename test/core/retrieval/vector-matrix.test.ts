import { expect, test } from 'vitest'
import { cosine } from '../../../src/core/retrieval/cosine'
import { VectorMatrix } from '../../../src/core/retrieval/vector-matrix'
import { createRng } from '../../../src/core/ground/random'

const rng = createRng('matrix')
const random = (dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, () => rng.next() - 0.5)

test('finds what comparing one by one finds, beyond its first room', () => {
  const matrix = new VectorMatrix(7)
  const all = Array.from({ length: 1500 }, (_, n) => ({ id: `v${n}`, vector: random(7) }))
  for (const { id, vector } of all) matrix.set(id, vector)
  const query = random(7)
  const exact = all
    .map(({ id, vector }) => ({ id, score: cosine(vector, query) ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 9)
  const found = matrix.nearest(query, 9, () => true)
  expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id))
  found.forEach(({ score }, i) => {
    expect(score).toBeCloseTo(exact[i]?.score ?? 0, 5)
  })
  expect(matrix.nearest(query, 1, (id) => id !== exact[0]?.id)[0]?.id).toBe(exact[1]?.id)
})

test('later rows first among equals, rows without direction never, rows replaced by id', () => {
  const matrix = new VectorMatrix(2)
  matrix.set('a', Float32Array.from([1, 0]))
  matrix.set('b', Float32Array.from([2, 0]))
  matrix.set('zero', new Float32Array(2))
  const query = Float32Array.from([1, 0])
  expect(matrix.nearest(query, 5, () => true)).toEqual([
    { id: 'b', score: 1 },
    { id: 'a', score: 1 },
  ])
  matrix.set('b', Float32Array.from([0, 1]))
  expect(matrix.nearest(query, 1, () => true)[0]?.id).toBe('a')
  expect(matrix.size).toBe(3)
  expect(matrix.get('nobody')).toBeNull()
  expect(matrix.nearest(new Float32Array(2), 5, () => true)).toEqual([])
})
