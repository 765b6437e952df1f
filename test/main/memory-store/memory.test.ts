import { writeRecord } from '../../../src/main/ground/record-file'
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CaseRecord } from '../../../src/shared/domain/case'
import { exportHeaderSchema } from '../../../src/core/formats/loam/lines'
import { written } from '../../core/formats/memories'
import type { Embedder, MemoryEvent } from '../../../src/core/ground/ports'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { folderBytes } from '../../../src/main/memory-store/memory-folder'
import { attempt, inTempFolder, wordEmbedder } from './fixtures'
import { caseEdits } from './case-edits'

const embedder = wordEmbedder(64)
const WORDS =
  'cancel booking invoice paid city order refund ticket flight loan repair shop depot claim'.split(' ')
const stateOf = (n: number): string =>
  `${WORDS[n % 14]} ${WORDS[(n * 5 + 1) % 14]} ${WORDS[(n * n) % 14]} number${n % 50}`
const QUERIES = ['cancel booking', 'invoice paid number7', 'refund ticket city', 'number33 repair', 'order']

async function fill(memory: StoredMemory, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++)
    await memory.commit(attempt(n, stateOf(n), { reward: n % 3 === 0 ? 0 : 1 }))
}

/** Everything a memory answers: ids and scores (rounded to what 32-bit arithmetic holds). */
async function answers(memory: StoredMemory, by: Embedder = embedder): Promise<unknown> {
  const found: unknown[] = []
  for (const text of QUERIES) {
    const [vector = new Float32Array()] = await by.embed([text])
    for (const hits of [await memory.nearest(vector, 6), await memory.search(text, 6)]) {
      found.push(hits.map((hit) => [hit.case.id, hit.score.toFixed(4)]))
    }
    found.push(await memory.nearest(vector, 3, { environment: 'other' }))
  }
  return found
}

async function everyFile(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('space', () => {
  it('answers the same before and after it is closed', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 120)
      await caseEdits(memory).deleteCase('c00007')
      const before = await answers(memory)
      const hash = await memory.contentHash()
      await memory.close()
      const again = await openMemory({ folder, embedder })
      expect(again.opening).toEqual({ tornTail: null, rebuilt: null, caughtUp: 0 })
      expect(await answers(again)).toEqual(before)
      expect(await again.contentHash()).toBe(hash)
      await again.close()
    }))

  it('answers the same from an index rebuilt from the journal', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder, tuning: { pendingRows: 16 } })
      await fill(memory, 1, 120)
      await memory.tidy()
      const before = await answers(memory)
      await memory.reindex()
      expect(await answers(memory)).toEqual(before)
      await memory.close()
      await rm(join(folder, 'lance'), { recursive: true })
      const again = await openMemory({ folder, embedder })
      expect(again.opening.rebuilt).toBe('missing')
      expect(await answers(again)).toEqual(before)
      await again.close()
    }))

  it.each(['a truncated manifest', 'a lost data file', 'an unreadable note'])(
    'rebuilds an index with %s',
    (damage) =>
      inTempFolder(async (folder) => {
        const memory = await openMemory({ folder, embedder })
        await fill(memory, 1, 40)
        await memory.tidy()
        const before = await answers(memory)
        await memory.close()
        const files = await everyFile(join(folder, 'lance'))
        const of = (kind: string): string[] => files.filter((file) => file.endsWith(kind))
        if (damage === 'a truncated manifest') for (const file of of('.manifest')) await truncate(file, 3)
        else if (damage === 'a lost data file') for (const file of of('.lance')) await rm(file)
        else await writeFile(join(folder, 'lance', 'index.json'), '{')
        const again = await openMemory({ folder, embedder })
        expect(again.opening.rebuilt).toBe(damage === 'an unreadable note' ? 'missing' : 'damaged')
        expect(await answers(again)).toEqual(before)
        await again.close()
      }),
  )

  it('adds what an older index lacks and corrects its marks', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 20)
      await memory.close()
      const journal = join(folder, 'journal', '000000000001.jsonl')
      const other = `${folder}-later`
      await cp(folder, other, { recursive: true })
      const later = await openMemory({ folder: other, embedder })
      await fill(later, 21, 30)
      await caseEdits(later).deleteCase('c00003')
      const expected = await answers(later)
      await later.close()
      await cp(join(other, 'journal', '000000000001.jsonl'), journal)
      await rm(other, { recursive: true })
      const again = await openMemory({ folder, embedder })
      expect(again.opening).toEqual({ tornTail: null, rebuilt: null, caughtUp: 11 })
      expect(await answers(again)).toEqual(expected)
      await again.close()
    }))

  it('reindexes for another embedder, on opening or on demand, and can be cancelled', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 150)
      const before = await answers(memory)
      const wide = wordEmbedder(128)
      const abort = new AbortController()
      const cancelled = memory.reindex({
        embedder: wide,
        signal: abort.signal,
        onProgress: (done) => {
          if (done > 0) abort.abort()
        },
      })
      await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
      expect(memory.embedder.id).toBe(embedder.id)
      expect(await answers(memory)).toEqual(before)
      expect(await readdir(folder)).not.toContain('lance.new')

      const progress: number[] = []
      await memory.reindex({ embedder: wide, onProgress: (done) => progress.push(done) })
      expect(progress).toEqual([0, 64, 128, 150])
      const after = await answers(memory, wide)
      await fill(memory, 151, 151)
      await memory.close()
      const again = await openMemory({ folder, embedder: wordEmbedder(128) })
      expect(again.opening.rebuilt).toBeNull()
      await again.close()
      const back = await openMemory({ folder, embedder })
      expect(back.opening.rebuilt).toBe('other-embedder')
      await back.close()
      expect(after).not.toEqual(before)
    }))

  it('goes on answering while it is reindexed', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 100)
      const before = await answers(memory)
      const done = memory.reindex()
      const meanwhile = [await answers(memory), await answers(memory)]
      await done
      expect(meanwhile).toEqual([before, before])
      expect(await answers(memory)).toEqual(before)
      await memory.close()
    }))

  it('finds the same neighbours through the vector index as by comparing everything', () =>
    inTempFolder(async (folder) => {
      const exact = await openMemory({ folder, embedder })
      const events = Array.from({ length: 1500 }, (_, n) => attempt(n, stateOf(n * 7) + ` extra${n}`)).flat()
      await exact.commit(events)
      await exact.tidy()
      const nearest = async (memory: StoredMemory): Promise<string[][]> =>
        Promise.all(
          [3, 400, 900, 1499].map(async (n) => {
            const [vector = new Float32Array()] = await embedder.embed([stateOf(n * 7) + ` extra${n}`])
            return (await memory.nearest(vector, 4)).map((hit) => hit.case.id)
          }),
        )
      const expected = await nearest(exact)
      await exact.close()
      const indexes = async (): Promise<number> =>
        (await readdir(join(folder, 'lance', 'cases.lance', '_indices')).catch(() => [])).length
      // The core needs none; beyond what it may hold there is one of words and one of vectors.
      expect(await indexes()).toBe(0)
      const indexed = await openMemory({ folder, embedder, tuning: { exactRows: 1000 } })
      await indexed.tidy()
      expect(await indexes()).toBe(2)
      const found = await nearest(indexed)
      found.forEach((ids, query) => expect(ids[0]).toBe(expected[query]?.[0]))
      await indexed.commit(attempt(2000, 'a row that came after the index'))
      const [vector = new Float32Array()] = await embedder.embed(['a row that came after the index'])
      for (let round = 0; round < 2; round++) {
        expect((await indexed.nearest(vector, 1))[0]?.case.id).toBe('c02000')
        const accepts = (id: string): boolean => id.endsWith('77')
        for (const hits of [
          await indexed.nearest(vector, 5, { accepts }),
          await indexed.search('booking extra77', 5, { accepts }),
          await indexed.find('booking extra77', vector, 5, { accepts }),
        ]) {
          expect(hits.length).toBeGreaterThan(0)
          expect(hits.every((hit) => accepts(hit.case.id))).toBe(true)
        }
        await indexed.tidy()
      }
      await indexed.close()
    }))

  it(
    'keeps its files few and small over 2,000 single commits with searches and deletions between',
    () =>
      inTempFolder(async (folder) => {
        const memory = await openMemory({
          folder,
          embedder,
          tuning: { pendingRows: 32, writesPerOptimize: 16 },
        })
        let mostFiles = 0
        for (let n = 1; n <= 2000; n++) {
          await memory.commit(attempt(n, stateOf(n)))
          if (n % 40 === 0) await memory.search('booking', 3)
          if (n % 100 === 0) await caseEdits(memory).deleteCase(`c${String(n).padStart(5, '0')}`)
          if (n % 50 === 0) mostFiles = Math.max(mostFiles, (await everyFile(join(folder, 'lance'))).length)
        }
        await memory.tidy()
        await memory.tidy()
        const rowBytes = 2000 * (64 * 4 + 120)
        expect(mostFiles).toBeLessThan(250)
        expect((await everyFile(join(folder, 'lance'))).length).toBeLessThan(60)
        expect(await folderBytes(join(folder, 'lance'))).toBeLessThan(3 * rowBytes)
        expect((await memory.info()).cases).toBe(1980)
        await memory.close()
      }),
    300_000,
  )

  it('gives pages for people', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 30)
      await caseEdits(memory).deleteCase('c00030')
      const newest = await memory.page({ limit: 2, offset: 1 })
      expect(newest.total).toBe(29)
      expect(newest.hits.map((hit) => hit.case.id)).toEqual(['c00028', 'c00027'])
      expect((await memory.page({ includeDeleted: true, limit: 1 })).hits[0]?.case).toMatchObject({
        id: 'c00030',
      })
      expect((await memory.page({ reward: 0 })).total).toBe(9)
      const found = await memory.page({ text: 'number3', reward: 1 })
      expect(found.total).toBe(0)
      const semantic = await memory.page({ text: 'number4 cancel', mode: 'semantic', limit: 3 })
      expect(semantic.total).toBe(29)
      expect(semantic.hits).toHaveLength(3)
      await memory.close()
    }))

  it('exports every live case, trajectory and concept document in use as lines that parse', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder, name: 'Ünïcode' })
      await fill(memory, 1, 12)
      await caseEdits(memory).deleteCase('c00005')
      const text = { context: 'Orders.', howToUse: 'Status 7 is late.', whenToUse: '', bestPractices: '' }
      const version = (id: string) => ({
        ...{
          id,
          conceptId: 'orders',
          concept: 'Harbor orders',
          environment: 'lab-db',
          buildId: null,
          parent: null,
        },
        ...{
          text,
          sentences: [],
          lost: [],
          restored: [],
          constraints: { keep: [], drop: [] },
          createdAt: 'now',
        },
      })
      const decided = { kind: 'document-decided', conceptId: 'orders', by: 'person', at: 'now' } as const
      for (const id of ['v1', 'v2']) {
        const accepted: MemoryEvent = { ...decided, versionId: id, accepted: true }
        await memory.commit([{ kind: 'document-written', version: version(id) }, accepted])
      }
      const lines = (await written(memory, 'loam')).split(/(?<=\n)/)
      const [head = '', ...rest] = lines
      expect(exportHeaderSchema.parse(JSON.parse(head))).toMatchObject({
        space: { name: 'Ünïcode' },
        embedder: { dimension: 64 },
      })
      const parsed = rest.map((line) => JSON.parse(line) as { kind: string; case: CaseRecord })
      expect(parsed.filter((line) => line.kind === 'trajectory')).toHaveLength(12)
      const cases = parsed.flatMap((line) => (line.kind === 'case' ? [line.case] : []))
      expect(cases.map((item) => item.id)).not.toContain('c00005')
      expect(cases[0]).toEqual(await memory.get('c00001'))
      expect(parsed.filter((line) => line.kind === 'document')).toEqual([
        {
          kind: 'document',
          document: version('v2'),
          earlier: [version('v1')],
          markdown: '# Harbor orders\n\n## Context\nOrders.\n\n## How to use\nStatus 7 is late.',
          trust: { origin: 'person', by: null, signer: null, claim: null, seen: true },
        },
      ])
      expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
      await memory.close()
    }))

  it('refuses folders that are not memories, newer memories and memories in use', () =>
    inTempFolder(async (root) => {
      await writeFile(join(root, 'notes.txt'), 'x')
      await expect(openMemory({ folder: root, embedder })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(openMemory({ folder: join(root, 'notes.txt'), embedder })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
      expect(await readdir(root)).toEqual(['notes.txt'])
      const folder = join(root, 'deep', 'space')
      const memory = await openMemory({ folder, embedder })
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
      await memory.close()
      const file = join(folder, 'space.json')
      await writeRecord(file, { format: 2, id: 'newer', name: 'newer', createdAt: '' })
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({ code: 'DATA_FORMAT_NEWER' })
      expect((await stat(folder)).isDirectory()).toBe(true)
    }))

  it('names the journal line that was damaged and opens nothing', () =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      await fill(memory, 1, 5)
      await memory.close()
      const file = join(folder, 'journal', '000000000001.jsonl')
      await writeFile(file, (await readFile(file, 'utf8')).replace('plan of c00003', 'plan of c00009'))
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({
        code: 'DATA_CORRUPT',
        why: expect.stringContaining('line 3') as string,
      })
      expect(await readdir(folder)).not.toContain('lock')
    }))
})
