import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import type { MemoryEvent } from '../../../src/core/ground/ports'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'
import { generatedQuestions } from '../../fixtures/kb/generated-questions'
import { inTempFolder, timeOf, wordEmbedder } from './fixtures'

const added = (id: string, question: string, change = {}): MemoryEvent => ({
  kind: 'experience-added',
  experience: experienceOf(id, question, change),
})
const QUESTIONS = {
  a: 'count the bookings of a hotel',
  b: 'list the unpaid invoices of a customer',
  c: 'fix the failing test of the parser',
}

const inMemory = (
  body: (memory: StoredMemory, reopen: () => Promise<StoredMemory>) => Promise<void>,
): Promise<void> =>
  inTempFolder(async (folder) => {
    let memory = await openMemory({ folder, embedder: wordEmbedder() })
    const reopen = async (): Promise<StoredMemory> => {
      await memory.close()
      memory = await openMemory({ folder, embedder: wordEmbedder() })
      return memory
    }
    await memory.commit([
      added('a', QUESTIONS.a),
      added('b', QUESTIONS.b, { meta: { domain: 'database', tools: ['sql'] } }),
      added('c', QUESTIONS.c, { meta: { domain: 'code', tools: ['Bash'] } }),
    ])
    await body(memory, reopen)
    await memory.close()
  })

const ids = async (memory: StoredMemory, text: string, more = {}): Promise<string[]> =>
  (await memory.experiences.search({ text, mode: 'hybrid', k: 3, ...more })).map(
    ({ experience }) => experience.id,
  )

test.each(['text', 'semantic', 'hybrid'] as const)('finds by %s', (mode) =>
  inMemory(async (memory) => {
    expect((await ids(memory, 'unpaid invoices', { mode, k: 1 }))[0]).toBe('b')
  }),
)

test('explains each hit by its parts', () =>
  inMemory(async (memory) => {
    const [hit] = await memory.experiences.search({ text: QUESTIONS.c, mode: 'hybrid', k: 1 })
    expect(hit).toMatchObject({
      semanticScore: 1,
      standing: { state: 'live', utility: 0.5 },
    })
    // A row as long as most with every word once would have 1.
    expect(hit?.textScore).toBeGreaterThan(0.8)
    expect(hit?.score).toBeCloseTo((1 + (hit?.textScore ?? 0)) / 2)
    expect(hit?.bm25).toBeGreaterThan(0)
    expect(hit?.cosine).toBeCloseTo(1)
  }))

test('leaves out what does not fit, looking further for what does', () =>
  inMemory(async (memory) => {
    const many = Array.from({ length: 120 }, (_, n) =>
      added(`code-${n}`, `count the bookings of hotel number ${n}`, { meta: { domain: 'code' } }),
    )
    await memory.commit(many)
    expect(await ids(memory, 'count the bookings of a hotel', { domains: ['database'] })).toEqual(
      expect.arrayContaining(['a', 'b']),
    )
    expect(await ids(memory, 'fix the test', { tools: ['execute_bash'], domains: ['code'] })).toContain('c')
  }))

test('what fits stands higher, and what does not is found all the same', () =>
  inMemory(async (memory) => {
    await memory.commit([
      added('elsewhere', 'sweep the chimney of a cottage', { meta: { domain: 'code' } }),
      added('here', 'sweep the chimney of a cottage today', { meta: { domain: 'database' } }),
    ])
    const query = 'sweep the chimney of a cottage'
    expect((await ids(memory, query, { k: 2 }))[0]).toBe('elsewhere')
    const fitting = await ids(memory, query, { k: 2, fits: { domains: ['database'] } })
    expect(fitting).toEqual(['here', 'elsewhere'])
  }))

test('superseded, evicted and restored ones leave and come back, also after opening anew', () =>
  inMemory(async (memory, reopen) => {
    await memory.commit([
      { kind: 'experience-superseded', experienceId: 'b', by: 'a', why: 'duplicate', at: timeOf(1) },
      { kind: 'experience-evicted', experienceId: 'c', score: 0, at: timeOf(1) },
    ])
    expect(await ids(memory, 'invoices parser bookings')).toEqual(['a'])
    const again = await reopen()
    expect(await ids(again, 'invoices parser bookings')).toEqual(['a'])
    expect((await again.experiences.get('b'))?.standing).toMatchObject({ state: 'superseded', by: 'a' })
    await again.commit([{ kind: 'experience-restored', experienceId: 'b', at: timeOf(2) }])
    expect((await ids(again, 'invoices parser bookings')).sort()).toEqual(['a', 'b'])
  }))

test('an index that was lost is made anew from the journal and answers the same', () =>
  inMemory(async (memory, reopen) => {
    const search = (from: StoredMemory) =>
      from.experiences.search({ text: 'count invoices', mode: 'hybrid', k: 3 })
    const before = await search(memory)
    const { path } = memory
    const hash = await memory.contentHash()
    await memory.close()
    await rm(join(path, 'lance-experiences'), { recursive: true })
    const again = await reopen()
    expect(await search(again)).toEqual(before)
    expect(await again.contentHash()).toBe(hash)
  }))

test('follows when the embedder changes', () =>
  inMemory(async (memory) => {
    await memory.reindex({ embedder: wordEmbedder(16) })
    expect((await ids(memory, 'failing parser test', { mode: 'semantic', k: 1 }))[0]).toBe('c')
  }))

test('a faulty encoder leaves no half-made commit', () =>
  inTempFolder(async (folder) => {
    const embedder = { ...wordEmbedder(), embed: () => Promise.resolve([new Float32Array(3)]) }
    const memory = await openMemory({ folder, embedder })
    await expect(memory.commit([added('a', 'x')])).rejects.toMatchObject({ code: 'VECTOR_DIMENSION' })
    expect([...memory.experiences.entries()]).toEqual([])
    await memory.close()
  }))

describe('a base that is too large to compare everything', () => {
  const tuning = { exactRows: 300, unindexedRows: 8, pendingRows: 8, idleMs: 0 }
  const next = generatedQuestions('large base')
  const many = Array.from({ length: 400 }, (_, n) => added(`e${n}`, next()))
  const best = async (memory: StoredMemory, text: string, mode: 'text' | 'semantic' | 'hybrid' = 'hybrid') =>
    (await memory.experiences.search({ text, mode, k: 1 }))[0]?.experience.id

  test(
    'finds what comes and loses what leaves at once, before, while and after the index takes it in',
    () =>
      inTempFolder(async (folder) => {
        let memory = await openMemory({ folder, embedder: lexicalEmbedder, tuning })
        await memory.commit(many)
        await memory.tidy()
        const fresh = Array.from({ length: 24 }, (_, n) => [`fresh-${n}`, `${next()} number ${n}`] as const)
        for (const [n, [id, text]] of fresh.entries()) {
          await memory.commit([added(id, text)])
          expect([await best(memory, text), await best(memory, text, 'text')]).toEqual([id, id])
          if (n % 4 !== 0) continue
          await memory.commit([
            { kind: 'experience-superseded', experienceId: id, by: 'e0', why: 'duplicate', at: timeOf(1) },
          ])
          expect(await best(memory, text)).not.toBe(id)
          if (n % 8 !== 0) continue
          await memory.commit([{ kind: 'experience-restored', experienceId: id, at: timeOf(2) }])
          expect(await best(memory, text)).toBe(id)
        }
        for (const reopened of [false, true]) {
          if (reopened) {
            await memory.close()
            memory = await openMemory({ folder, embedder: lexicalEmbedder, tuning })
          } else await memory.tidy()
          for (const [n, [id, text]] of fresh.entries())
            expect((await best(memory, text, 'text')) === id).toBe(n % 8 !== 4)
        }
        await memory.close()
      }),
    300_000,
  )

  test(
    'finds at least 97 of 100 of the exact ten nearest',
    () =>
      inTempFolder(async (folder) => {
        const nearest = async (how: typeof tuning | undefined): Promise<string[][]> => {
          const memory = await openMemory({
            folder,
            embedder: lexicalEmbedder,
            ...(how ? { tuning: how } : {}),
          })
          if (how) await memory.commit(many)
          await memory.tidy()
          const vectors = await lexicalEmbedder.embed(queries)
          const found = await Promise.all(vectors.map((vector) => memory.experiences.nearest(vector, 10)))
          await memory.close()
          return found.map((hits) => hits.map(({ score }) => score.toFixed(4)))
        }
        const queries = Array.from({ length: 40 }, next)
        const [approximate, exact] = [await nearest(tuning), await nearest(undefined)]
        const hits = exact.flatMap((scores, n) => scores.filter((score) => approximate[n]?.includes(score)))
        expect(hits.length / (10 * queries.length)).toBeGreaterThanOrEqual(0.97)
      }),
    300_000,
  )
})
