import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { importBundleFile } from '../../../src/main/share/bundle/import-bundle'
import type { CheckedBundle } from '../../../src/main/bundle/manifest'
import { commitsOf, type BundleChoice } from '../../../src/main/share/bundle/write-bundle'
import { checkedBundle, wholeBundle } from './whole-bundle'
import { emptyMemory, fillMemory, NOW } from '../../core/formats/memories'
import { attempt } from '../memory-store/fixtures'
import { caseEdits } from '../memory-store/case-edits'

let folder: string
let space: StoredMemory
let first: CheckedBundle
let second: CheckedBundle
let next = 0
const opened: StoredMemory[] = []
const fresh = async (): Promise<StoredMemory> => {
  const made = await emptyMemory(join(folder, `space-${next++}`))
  opened.push(made)
  return made
}
const written = async (from: StoredMemory, more: Partial<BundleChoice> = {}): Promise<CheckedBundle> =>
  await checkedBundle((await wholeBundle(from, { loamVersion: '0', now: NOW, ...more })).bytes)
const take = (into: StoredMemory, bundle: CheckedBundle) => importBundleFile(into, bundle, { now: NOW })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-since-'))
  space = await fresh()
  await fillMemory(space)
  first = await written(space)
  await space.commit(attempt(50, 'a new attempt'))
  await caseEdits(space).correctCase('c00002', { state: 'corrected later', plan: 'p', reward: 1 })
  await caseEdits(space).deleteCase('c00001')
  second = await written(space, { since: first })
})
afterAll(async () => {
  await Promise.allSettled(opened.map((one) => one.close()))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe('a bundle of what is new since an earlier one', () => {
  it('holds less, and brings a memory that stands where the earlier one left it to an equal one', async () => {
    expect(second.manifest.since?.commits).toBe(first.manifest.commits)
    const lines = (bundle: CheckedBundle): number =>
      Object.values(bundle.manifest.counts).reduce((sum, n) => sum + n, 0)
    expect(lines(second)).toBeLessThan(lines(first) / 2)
    const other = await fresh()
    await take(other, first)
    expect(await take(other, second)).toMatchObject({ whole: true, conflicts: [], left: [] })
    expect(await commitsOf(other)).toEqual(await commitsOf(space))
    expect(await other.contentHash()).toBe(await space.contentHash())
    // And again: nothing is brought in twice.
    const before = await commitsOf(other)
    expect(await take(other, second)).toMatchObject({ imported: 0, whole: false })
    expect(await commitsOf(other)).toEqual(before)
  })

  it('goes on behind one that went on itself', async () => {
    const other = await fresh()
    await take(other, first)
    await take(other, second)
    await space.commit(attempt(51, 'one more'))
    await take(other, await written(space, { since: second }))
    expect(await commitsOf(other)).toEqual(await commitsOf(space))
  })

  it('joins another memory like any bundle, and says where an item differs', async () => {
    const other = await fresh()
    await take(other, first)
    await other.commit(attempt(99, 'something of its own'))
    await caseEdits(other).correctCase('c00002', { state: 'corrected here', plan: 'p', reward: 1 })
    const preview = await importBundleFile(other, second, { now: NOW, conflicts: 'ask', preview: true })
    expect(preview.whole).toBe(false)
    expect(preview.conflicts.find(({ id }) => id === 'c00002')).toMatchObject({
      answer: 'ask',
      parts: expect.arrayContaining([
        { part: 'case.state', mine: 'corrected here', theirs: 'corrected later' },
      ]) as unknown[],
    })
    const answers = Object.fromEntries(
      preview.conflicts.map(({ kind, id }) => [
        `${kind}/${id}`,
        id === 'c00002' ? ('both' as const) : ('keep' as const),
      ]),
    )
    const done = await importBundleFile(other, second, { now: NOW, conflicts: 'ask', answers })
    expect(done.conflicts.map(({ answer }) => answer)).not.toContain('ask')
    const states: string[] = []
    for await (const one of other.cases({ includeDeleted: false })) states.push(one.state)
    expect(states).toEqual(expect.arrayContaining(['corrected here', 'corrected later', 'a new attempt']))
  })

  it('is refused where the earlier bundle is of another memory, or its history was changed', async () => {
    const other = await fresh()
    await other.commit(attempt(1, 'another beginning'))
    await expect(written(other, { since: first })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})
