import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createRng } from '../../src/shared/random'
import { applyPatch, patchBetween, type Patch } from '../../src/shared/patch'

/** As it arrives on the other side. */
const sent = (patch: Patch): Patch => JSON.parse(JSON.stringify(patch)) as Patch

describe('a patch', () => {
  it('says no more than what is different', () => {
    const before = { run: { done: 1, rewards: [1] }, live: { text: 'SEL', rounds: [] as string[] } }
    const after = { run: { done: 2, rewards: [1, 0] }, live: { text: 'SELECT', rounds: ['first'] } }
    expect(patchBetween(before, after)).toEqual([
      { kind: 'put', path: ['run', 'done'], value: 2 },
      { kind: 'splice', path: ['run', 'rewards'], index: 1, remove: 0, items: [0] },
      { kind: 'append', path: ['live', 'text'], text: 'ECT' },
      { kind: 'splice', path: ['live', 'rounds'], index: 0, remove: 0, items: ['first'] },
    ])
  })

  it('keeps nothing of a text that grows but what was added', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const { heapUsed } = process.memoryUsage()
    const patches = Array.from({ length: 40 }, (_, i) => {
      const text = `${i}`.repeat(1 << 20)
      return patchBetween({ text }, { text: `${text}, and twenty more signs` })
    })
    collect()
    expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(8 << 20)
    expect(patches).toHaveLength(40)
  })

  it('is empty between values that are equal', () => {
    expect(patchBetween({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }], c: undefined })).toEqual([])
  })

  it('changes an item in its place, and leaves all others the objects they were', () => {
    const before = [{ id: 'a', done: 0 }, { id: 'b' }, { id: 'c' }]
    const after = applyPatch(before, patchBetween(before, [{ id: 'a', done: 1 }, { id: 'b' }, { id: 'c' }]))
    expect(after[0]).toEqual({ id: 'a', done: 1 })
    expect(after.slice(1)).toEqual([before[1], before[2]])
    expect(after[1]).toBe(before[1])
  })

  it('takes fields and items away, and null for a value', () => {
    const before = { a: 1, b: { c: 2 }, list: [1, 2, 3], live: { x: 1 } }
    const after = { b: {}, list: [3], live: null }
    expect(applyPatch<unknown>(before, sent(patchBetween(before, after)))).toEqual(after)
  })

  it('leads from any value to any other', () => {
    const rng = createRng('patches')
    const pick = (n: number): number => Math.floor(rng.next() * n)
    const value = (depth: number): unknown => {
      switch (depth > 3 ? pick(3) : pick(5)) {
        case 0:
          return pick(3)
        case 1:
          return 'abcabc'.slice(0, pick(7))
        case 2:
          return null
        case 3:
          return Array.from({ length: pick(5) }, () => value(depth + 1))
        default:
          return Object.fromEntries(['a', 'b', 'c'].slice(pick(3)).map((key) => [key, value(depth + 1)]))
      }
    }
    let before = value(0)
    for (let round = 0; round < 2000; round += 1) {
      const after = value(0)
      expect(applyPatch(before, sent(patchBetween(before, after)))).toEqual(after)
      before = after
    }
  })
})
