import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { SearchCore, type CoreRow } from '../../../src/core/retrieval/search-core'
import { INDEX_TUNING, openCaseIndex, type CaseIndex } from '../../../src/main/adapters/lancedb/case-index'
import type { CaseRow } from '../../../src/main/adapters/lancedb/case-table'
import { readCoreFile, SPILL, writeCoreFile } from '../../../src/main/adapters/lancedb/core-file'
import { spilledRows } from '../../../src/main/adapters/lancedb/spilled-rows'
import { inTempFolder } from './fixtures'

const rng = createRng('core file')
const vector = (dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, () => rng.next() - 0.5)
const text = (): string => Array.from({ length: 12 }, () => `w${rng.int(300)}`).join(' ')
const coreRow = (id: string, dimension: number): CoreRow => ({
  ...{ id, text: text(), vector: vector(dimension), environment: 'é', reward: rng.int(2), deleted: false },
})

function tidyCore(rows: readonly CoreRow[], dimension: number): SearchCore {
  const core = new SearchCore(dimension)
  for (const row of rows) core.set(row)
  for (const job = core.tidied(); job.next().done !== true;);
  return core
}

const onlyFile = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bin'))
  expect(names).toHaveLength(1)
  return join(folder, names[0] ?? '')
}

async function flip(path: string, ...places: readonly number[]): Promise<void> {
  const bytes = await readFile(path)
  for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8))
  await writeFile(path, bytes)
}

describe('the file of a search core', () => {
  it.each([
    ['held in memory', 700, 16],
    ['read one by one', 1100, 1024],
  ])('has the core as it was, vectors %s', (_, size, dimension) =>
    inTempFolder(async (folder) => {
      const rows = Array.from({ length: size }, (__, i) => coreRow(`row ${i}`, dimension))
      const core = tidyCore(rows, dimension)
      core.remove('row 5')
      core.setDeleted('row 6', true)
      ;(await writeCoreFile(folder, core, 7))?.close()
      const file = await readCoreFile(folder, dimension)
      expect(file?.tableVersion).toBe(7)
      for (let i = 0; i < 20; i++) {
        const [query, near] = [text(), vector(dimension)]
        for (const filter of [{}, { environment: 'é', reward: 1 as const }]) {
          expect(file?.core.match(query, 20, filter)).toEqual(core.match(query, 20, filter))
          expect(file?.core.nearest(near, 20, filter)).toEqual(core.nearest(near, 20, filter))
        }
      }
      const late = coreRow('late', dimension)
      file?.core.set(late)
      expect(file?.core.nearest(late.vector, 1, {})[0]?.id).toBe('late')
      file?.close()
    }),
  )

  it('is the same of vectors that lay on the disk while the core was made', () =>
    inTempFolder(async (folder) => {
      const rows = Array.from({ length: 700 }, (_, i) => coreRow(`row ${i}`, 16))
      const core = tidyCore(rows, 16)
      expect(spilledRows(16, join(folder, 'nowhere', SPILL))).toBeNull()
      const spill = spilledRows(16, join(folder, SPILL))
      if (!spill) throw new Error('The disk takes a file.')
      const other = new SearchCore(16)
      other.parts.vectors.rows = spill.rows
      for (const row of rows) other.set(row)
      expect(await readdir(folder)).toEqual([])
      for (let i = 0; i < 20; i++) {
        const near = vector(16)
        expect(other.nearest(near, 20, {})).toEqual(core.nearest(near, 20, {}))
      }
      const [one, two] = [
        other.vectorOf({ id: '', row: 3, score: 0 }),
        other.vectorOf({ id: '', row: 699, score: 0 }),
      ]
      expect([one, two]).toEqual([rows[3]?.vector, rows[699]?.vector])
      ;(await writeCoreFile(folder, core, 7))?.close()
      const whole = await readFile(await onlyFile(folder))
      for (const job = other.tidied(); job.next().done !== true;);
      ;(await writeCoreFile(folder, other, 7))?.close()
      expect(whole.equals(await readFile(await onlyFile(folder)))).toBe(true)
      spill.close()
    }))

  it('notices every damage', () =>
    inTempFolder(async (folder) => {
      const core = tidyCore(
        Array.from({ length: 300 }, (_, i) => coreRow(`row ${i}`, 16)),
        16,
      )
      ;(await writeCoreFile(folder, core, 1))?.close()
      const path = await onlyFile(folder)
      const { size } = await stat(path)
      const whole = await readFile(path)
      for (let i = 0; i < 120; i++) {
        await flip(path, i < 16 ? i : rng.int(size))
        expect(await readCoreFile(folder, 16)).toBeNull()
        await writeFile(path, whole)
      }
      for (let i = 0; i < 20; i++) {
        await truncate(path, rng.int(size))
        expect(await readCoreFile(folder, 16)).toBeNull()
        await writeFile(path, whole)
      }
      expect(await readCoreFile(folder, 8)).toBeNull()
      const file = await readCoreFile(folder, 16)
      expect(file?.core.size).toBe(300)
      file?.close()
    }))

  it('reads pages of a large core when they are asked for, and notices their damage then', () =>
    inTempFolder(async (folder) => {
      const rows = Array.from({ length: 4200 }, (_, i) => coreRow(`row ${i}`, 128))
      const core = tidyCore(rows, 128)
      ;(await writeCoreFile(folder, core, 1))?.close()
      const path = await onlyFile(folder)
      const file = await readCoreFile(folder, 128)
      for (const { text: own, vector: near, id } of rows.slice(0, 8)) {
        expect(file?.core.match(own, 9, {})).toEqual(core.match(own, 9, {}))
        expect(file?.core.nearest(near, 1, {})[0]?.id).toBe(id)
      }
      // What lies in the file stays: it has all of it, and is the same when it is written again.
      const whole = await readFile(path)
      if (file) (await writeCoreFile(folder, file.core, 1))?.close()
      expect(whole.equals(await readFile(await onlyFile(folder)))).toBe(true)
      file?.close()
      const codesEnd = whole.length - 4200 * 128 * 4 - 500_000
      for (const place of [5000, 70_000, codesEnd]) {
        await flip(await onlyFile(folder), place)
        const other = await readCoreFile(folder, 128)
        await expect((async () => writeCoreFile(folder, other?.core as SearchCore, 1))()).rejects.toThrow(
          'damaged',
        )
        other?.close()
        await flip(await onlyFile(folder), place)
      }
    }))

  it('writes nothing when the core changes meanwhile', () =>
    inTempFolder(async (folder) => {
      const core = tidyCore([coreRow('a', 16)], 16)
      const writing = writeCoreFile(folder, core, 1)
      core.set(coreRow('b', 16))
      expect(await writing).toBeNull()
      expect((await readdir(folder)).filter((name) => name.endsWith('.bin'))).toEqual([])
    }))
})

const DIMENSION = 1024
const caseRow = (id: string): CaseRow => ({
  ...{
    id,
    state: text(),
    vector: vector(DIMENSION),
    environment: 'e',
    reward: 1,
    createdAt: '',
    deleted: false,
  },
})
const open = (folder: string, create = false): Promise<CaseIndex> =>
  openCaseIndex(
    {
      ...{ folder, dimension: DIMENSION, createdAt: () => '', tuning: { ...INDEX_TUNING, idleMs: 0 } },
      note: () => ({
        ...{
          format: 4,
          embedder: { id: 'e', dimension: DIMENSION },
          appliedSeq: 0,
          cases: 0,
          trajectories: 0,
        },
      }),
    },
    create,
  )

describe('an index with the file of its core', () => {
  it('answers as before after it was opened again, after writes that the file lacks, and after damage', () =>
    inTempFolder(async (folder) => {
      const rows = new Map(Array.from({ length: 1100 }, (_, i) => [`r${i}`, caseRow(`r${i}`)]))
      let index = await open(folder, true)
      await index.add([...rows.values()])
      await index.tidy()
      await index.close()
      const asked = [...rows.values()].filter((_, i) => i % 100 === 7)
      const verify = async (): Promise<void> => {
        for (const { id, state, vector: own } of asked) {
          const isThere = rows.get(id)?.vector === own
          expect((await index.nearest(own, 1, {}))[0]?.id === id).toBe(isThere)
          expect((await index.match(state, 1, {}))[0]?.id === id).toBe(isThere)
        }
        expect((await index.match('w1 w2', 2000, {})).every(({ id }) => rows.has(id))).toBe(true)
      }
      const reopen = async (): Promise<void> => {
        await index.close()
        index = await open(folder)
      }
      index = await open(folder)
      await verify()
      // Fewer than are worth a new file.
      const path = await onlyFile(folder)
      for (const id of ['n1', 'n2', 'n3']) {
        const row = caseRow(id)
        rows.set(id, row)
        asked.push(row)
        await index.add([row])
      }
      await reopen()
      await verify()
      expect(await onlyFile(folder)).toBe(path)
      // Deleted, taken out, replaced.
      await index.setDeleted('r7', true)
      rows.delete('r7')
      await reopen()
      await verify()
      await index.remove(['r107'])
      rows.delete('r107')
      const other = caseRow('r207')
      rows.set('r207', other)
      await index.replace([other])
      expect((await readdir(folder)).filter((name) => name.endsWith('.bin'))).toEqual([])
      asked.push(other)
      await verify()
      await reopen()
      await verify()
      // A vector that is only read when it is scored again.
      const file = await onlyFile(folder)
      const { size } = await stat(file)
      const last = Array.from({ length: 8000 }, (_, i) => size - 1 - i * 512)
      await flip(file, ...last)
      await reopen()
      await verify()
      await index.close()
      // A write that was killed.
      await writeFile(join(folder, 'core-9.bin.1.tmp'), 'half')
      await truncate(await onlyFile(folder).catch(() => file), 5000).catch(() => undefined)
      index = await open(folder)
      await verify()
      await index.close()
    }))
})
