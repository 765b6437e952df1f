import { describe, expect, it } from 'vitest'
import {
  calibrate,
  distanceOnScaleOf,
  onScaleOf,
  UNCALIBRATED,
} from '../../../src/core/retrieval/calibration'
import { lexicalEmbedder, lexicalVector } from '../../../src/core/retrieval/lexical-embedder'
import type { Embedder } from '../../../src/core/ground/ports'
import { openMemory } from '../../../src/main/memory-store/memory'
import { attempt, inTempFolder } from '../../main/memory-store/fixtures'

/** The word matcher with all texts pushed towards one direction, as some neural encoders have them. */
const crowded = (push: number): Embedder => ({
  id: 'crowded',
  dimension: 385,
  embed: (texts) =>
    Promise.resolve(texts.map((text) => Float32Array.from([...lexicalVector(text), Math.sqrt(push)]))),
})

describe('the scale of an encoder', () => {
  it('is found by sentences that have nothing in common', async () => {
    const plain = await calibrate({ ...lexicalEmbedder, id: 'as-words' }, null)
    expect(plain.unrelated).toBeLessThan(0.1)
    expect(plain).toMatchObject({ from: 'sentences', pairs: 276 })
    // cos = (own + push) / (1 + push), so that unrelated texts are at about push / (1 + push).
    const near = await calibrate(crowded(3), null)
    expect(near.unrelated).toBeGreaterThan(0.72)
    expect(near.unrelated).toBeLessThan(0.8)
    expect(await calibrate(lexicalEmbedder, null)).toEqual(UNCALIBRATED)
  })

  it('is found by a memory of its own texts where there are enough', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder: lexicalEmbedder })
      for (let n = 0; n < 40; n++) await memory.commit(attempt(n, `Show the order of customer number ${n}`))
      const own = await calibrate({ ...lexicalEmbedder, id: 'as-words' }, memory)
      await memory.close()
      expect(own.from).toBe('space')
      // Tasks of one kind are alike; that is nothing to conclude from.
      expect(own.unrelated).toBeGreaterThan(0.5)
    }))

  it('moves thresholds', () => {
    expect(onScaleOf({}, 0.8)).toBe(0.8)
    expect(onScaleOf({ unrelated: 0.75 }, 0.8)).toBeCloseTo(0.95)
    expect(distanceOnScaleOf({ unrelated: 0.75 }, 0.4)).toBeCloseTo(0.1)
  })
})
