import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { importBundleFile } from '../../../src/main/share/bundle/import-bundle'
import { recordImport, undoImport } from '../../../src/main/transfer/import-record'
import { commitsOf, type BundleChoice } from '../../../src/main/share/bundle/write-bundle'
import { checkedBundle, wholeBundle } from './whole-bundle'
import { LoamError } from '../../../src/shared/errors'
import { cases } from '../../../src/core/memory/cases/kind'
import { emptyMemory, fillMemory, NOW } from '../../core/formats/memories'
import { attempt, caseOf, wordEmbedder } from '../memory-store/fixtures'
import { mutated, MUTATIONS } from '../../fixtures/bundle-mutations'

const FUZZ = Number(process.env['LOAM_FUZZ'] ?? 300)

let folder: string
let space: StoredMemory
let bundle: Uint8Array
let next = 0
const opened: StoredMemory[] = []
const fresh = async (): Promise<StoredMemory> => {
  const made = await emptyMemory(join(folder, `space-${next++}`))
  opened.push(made)
  return made
}
const written = (from: StoredMemory, more: Partial<BundleChoice> = {}) =>
  wholeBundle(from, { loamVersion: '0', now: NOW, ...more })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-bundle-'))
  space = await fresh()
  await fillMemory(space)
  bundle = (await written(space)).bytes
})
afterAll(async () => {
  await Promise.allSettled(opened.map((one) => one.close()))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** An import that can be undone. */
const recorded = (into: StoredMemory) => {
  const about = { importId: 'one', file: 'a.loam', format: 'bundle', client: null, at: NOW.toISOString() }
  return recordImport(into, about, async (onChange) => ({
    ...(await importBundleFile(into, await checkedBundle(bundle), { now: NOW, onChange })),
    format: 'bundle',
  }))
}

const recall = async (of: StoredMemory): Promise<unknown> => {
  const [vector] = await of.embedder.embed(['boats of the harbor'])
  return [
    await of.nearest(vector ?? new Float32Array(32), 10),
    await of.search('harbor', 10),
    await of.experiences.search({ text: 'harbor boats', mode: 'hybrid', k: 10 }),
    await of.items('lesson'),
  ]
}

describe('a memory as one file', () => {
  it('comes back equal to itself: journal, content and what is recalled', async () => {
    const other = await fresh()
    const done = await importBundleFile(other, await checkedBundle(bundle), { now: NOW })
    expect(done).toMatchObject({ whole: true, left: [], conflicts: [], duplicates: 0 })
    expect(await commitsOf(other)).toEqual(await commitsOf(space))
    expect(await other.contentHash()).toBe(await space.contentHash())
    expect(await recall(other)).toEqual(await recall(space))
    expect(Buffer.from((await written(other)).bytes).equals(bundle)).toBe(true)
  })

  it('brings nothing in twice', async () => {
    const other = await fresh()
    await importBundleFile(other, await checkedBundle(bundle), { now: NOW })
    const before = await other.contentHash()
    const again = await importBundleFile(other, await checkedBundle(bundle), { now: NOW })
    expect(again).toMatchObject({ imported: 0, conflicts: [], left: [] })
    expect(again.duplicates).toBe(again.rows)
    expect(await other.contentHash()).toBe(before)
  })

  it('joins a memory that holds other things, and is taken back in one step', async () => {
    const other = await fresh()
    await other.commit(attempt(77, 'something of its own'))
    const commits = await commitsOf(other)
    const before = [await other.contentHash(), await recall(other)]
    const preview = await importBundleFile(other, await checkedBundle(bundle), { now: NOW, preview: true })
    expect(await commitsOf(other)).toEqual(commits)
    const done = await recorded(other)
    expect({ ...done, format: undefined }).toEqual({ ...preview, format: undefined })
    expect(done.imported).toBeGreaterThan(10)
    const { path } = other
    await undoImport(other, null, NOW, () => other.close())
    const back = await openMemory({ folder: path, embedder: wordEmbedder(), clock: { now: () => NOW } })
    opened.push(back)
    expect(await commitsOf(back)).toEqual(commits)
    expect([await back.contentHash(), await recall(back)]).toEqual(before)
    await expect(undoImport(back, null, NOW, () => back.close())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is undone item by item where something was written since, which stays', async () => {
    const other = await fresh()
    await other.commit(attempt(77, 'something of its own'))
    await recorded(other)
    await other.commit(attempt(78, 'written since'))
    const commits = (await commitsOf(other)).length
    const undone = await undoImport(other, null, NOW, () => Promise.reject(new Error('it stays open')))
    expect(undone.removed).toBeGreaterThan(10)
    expect(undone.stays).toMatchObject([{ kind: 'attempts' }])
    // The journal goes on: nothing that was written since is lost.
    expect((await commitsOf(other)).length).toBeGreaterThan(commits)
    const live = [...(await cases.heads(memorySourceOf(other)))].filter(({ gone }) => gone === null)
    expect(live.map(({ id }) => id).sort()).toEqual(['c00077', 'c00078'])
    await expect(undoImport(other, undone.importId, NOW, () => other.close())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it.each(['keep', 'take', 'both', 'ask'] as const)('answers conflicts: %s', async (conflicts) => {
    const other = await fresh()
    const own = caseOf('conflict', 'how it reads here')
    const theirs = { ...own, state: 'how it reads there' }
    await other.commit([{ kind: 'case-added', case: own }])
    const there = await fresh()
    await there.commit([{ kind: 'case-added', case: theirs }])
    const checked = await checkedBundle((await written(there)).bytes)
    const before = await commitsOf(other)
    const done = await importBundleFile(other, checked, { now: NOW, conflicts })
    expect(done.conflicts).toMatchObject([{ kind: 'case', id: 'conflict', answer: conflicts }])
    const live = [...(await cases.heads(memorySourceOf(other)))].filter(({ gone }) => gone === null)
    const texts = await Promise.all(live.map(async ({ id }) => (await other.get(id))?.state))
    expect(texts.sort()).toEqual(
      { keep: [own.state], ask: [own.state], take: [theirs.state], both: [own.state, theirs.state].sort() }[
        conflicts
      ],
    )
    if (conflicts === 'ask' || conflicts === 'keep') expect(await commitsOf(other)).toEqual(before)
    else
      expect(await importBundleFile(other, checked, { now: NOW, conflicts })).toMatchObject({
        imported: 0,
        conflicts: [],
      })
  })

  it('is signed by whoever has the key, and tells a change', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const signed = (await written(space, { key: privateKey })).bytes
    expect((await checkedBundle(signed)).signed?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect((await checkedBundle(bundle)).signed).toBeNull()
    const other = generateKeyPairSync('ed25519').privateKey
    const names = (bytes: Uint8Array) => unzipSync(bytes)
    const foreign = names((await written(space, { key: other, licence: 'MIT' })).bytes)['signature.json']
    const forged = zipSync({
      ...names(signed),
      'signature.json': foreign ?? new Uint8Array(),
    })
    await expect(checkedBundle(forged)).rejects.toThrow(/signature does not fit/)
  })

  it('leaves out what is not wanted, and takes secrets out when asked to', async () => {
    const other = await fresh()
    await other.commit(attempt(1, 'log in with password=hunter2secret'))
    const plain = await written(other, { kinds: ['case'] })
    expect(plain.found).toEqual({ credential: 1 })
    expect(Buffer.from(unzipSync(plain.bytes)['data/case.jsonl'] ?? []).toString()).toContain('hunter2secret')
    const { bytes, manifest } = await written(other, { redact: true, licence: 'CC-BY-4.0' })
    expect(manifest).toMatchObject({ licence: 'CC-BY-4.0', models: ['m'] })
    expect(manifest.redacted.credential).toBeGreaterThan(0)
    for (const data of Object.values(unzipSync(bytes)))
      expect(Buffer.from(data).toString()).not.toContain('hunter2secret')
    expect(Object.keys(unzipSync(plain.bytes)).sort()).toEqual([
      'README.md',
      'data/case.jsonl',
      'manifest.json',
      'report.html',
      'vectors.parquet',
    ])
  })

  it('tells who has no Loam what is in it', async () => {
    const other = await fresh()
    await other.commit(attempt(1, 'log in'))
    const { bytes } = await written(other, { licence: 'CC-BY-4.0' })
    const files = unzipSync(bytes)
    const readme = Buffer.from(files['README.md'] ?? []).toString()
    expect(readme).toContain('Licence: CC-BY-4.0.')
    expect(readme).toContain('| `data/case.jsonl` | a JSON object a line: 1 |')
    expect(readme).toContain('bundle.open("data/')
    for (const [, path = ''] of readme.matchAll(/^\| `([^`]+)`/gm))
      if (path !== 'signature.json') expect(Object.keys(files)).toContain(path)
    await expect(checkedBundle(bytes)).resolves.toBeDefined()
  })

  it(`refuses ${FUZZ} mutated bundles in words, and changes nothing`, { timeout: 3_600_000 }, async () => {
    const other = await fresh()
    await importBundleFile(other, await checkedBundle(bundle), { now: NOW })
    const empty = await fresh()
    const before = JSON.stringify(await commitsOf(other))
    const seen = new Map<string, number>()
    let slowest = 0
    for (let i = 0; i < FUZZ; i++) {
      const { kind, bytes } = mutated(bundle, String(i))
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      const begun = performance.now()
      for (const target of [other, empty]) {
        try {
          const done = await importBundleFile(target, await checkedBundle(bytes), {
            now: NOW,
            preview: target === empty,
          })
          expect({ i, kind, imported: target === other ? done.imported : 0 }).toEqual({
            i,
            kind,
            imported: 0,
          })
        } catch (error) {
          if (!(error instanceof LoamError))
            throw new Error(`Mutation ${i} (${kind}) ended with ${String(error)}`, { cause: error })
        }
      }
      slowest = Math.max(slowest, performance.now() - begun)
    }
    expect(JSON.stringify(await commitsOf(other))).toBe(before)
    expect(await commitsOf(empty)).toEqual([])
    expect([...seen.keys()].sort()).toEqual([...MUTATIONS].sort())
    if (process.env['LOAM_FUZZ'])
      process.stderr.write(`${FUZZ} mutations, slowest ${Math.round(slowest)} ms
`)
  })
})
