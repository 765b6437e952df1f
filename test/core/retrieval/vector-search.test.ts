import { describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { cosine } from '../../../src/core/retrieval/cosine'
import { NO_ROW } from '../../../src/core/retrieval/postings'
import { rowsHeld } from '../../../src/core/retrieval/vector-rows'
import { VectorSearch } from '../../../src/core/retrieval/vector-search'

const rng = createRng('vector search')
const DIMENSION = 136
const ROWS = 6500
const gauss = (): number => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next())
const random = (): Float32Array => Float32Array.from({ length: DIMENSION }, gauss)
const centers = Array.from({ length: 40 }, random)

/** Vectors of three kinds: around centers, of few numbers, and of every direction alike. */
const KINDS: Record<string, () => Float32Array> = {
  clusters: () => rng.pick(centers).map((value) => value + 0.9 * gauss()),
  sparse: () => new Float32Array(DIMENSION).map(() => (rng.int(12) === 0 ? 1 + rng.int(3) : 0)),
  isotropic: random,
}

function exactly(
  rows: readonly Float32Array[],
  query: Float32Array,
  k: number,
  passes: (row: number) => boolean,
) {
  const hits = rows.flatMap((own, row) => {
    const score = passes(row) ? cosine(own, query) : null
    return score === null ? [] : [{ row, score }]
  })
  const last = hits.toSorted((a, b) => b.score - a.score)[k - 1]?.score ?? -2
  return hits.filter(({ score }) => score >= last)
}

describe('nearest rows of many', () => {
  it.each(Object.keys(KINDS))('are those that comparing one by one finds: %s', (kind) => {
    const make = KINDS[kind] ?? random
    const rows = Array.from({ length: ROWS }, (_, i) =>
      i % 500 === 0 ? new Float32Array(DIMENSION) : make(),
    )
    const search = new VectorSearch(DIMENSION, rowsHeld(DIMENSION))
    for (const row of rows) search.add(row)
    const few = (row: number): boolean => row % 400 === 3
    for (let i = 0; i < 4; i++) {
      const query = make()
      for (const [k, passes] of [[1], [10], [40], [10, few], [50, few]] as [
        number,
        ((row: number) => boolean)?,
      ][])
        expect(search.nearest(query, k, passes).toSorted((a, b) => a.row - b.row)).toEqual(
          exactly(rows, query, k, passes ?? (() => true)),
        )
    }
    expect(search.nearest(new Float32Array(DIMENSION), 5)).toEqual([])
  })

  it('are the same after rows were left out', () => {
    const rows = Array.from({ length: ROWS }, KINDS['clusters'] ?? random)
    const search = new VectorSearch(DIMENSION, rowsHeld(DIMENSION))
    for (const row of rows) search.add(row)
    const rest = rows.filter((_, i) => i % 7 !== 2)
    const held = rowsHeld(DIMENSION)
    for (const row of rest) held.push(row)
    let next = 0
    const job = search.without(
      Uint32Array.from(rows, (_, i) => (i % 7 === 2 ? NO_ROW : next++)),
      held,
    )
    let step = job.next()
    while (step.done !== true) step = job.next()
    const query = rng.pick(rest)
    expect(step.value.nearest(query, 10).toSorted((a, b) => a.row - b.row)).toEqual(
      exactly(rest, query, 10, () => true),
    )
  })
})
