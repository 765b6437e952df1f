import { describe, expect, it } from 'vitest'
import type { MemoryStore, Embedder } from '../../../src/core/ground/ports'
import { attempt, caseOf, timeOf, trajectoryOf, wordEmbedder } from './fixtures'

export interface OpenedBank {
  readonly bank: MemoryStore
  close(): Promise<void>
}

const ids = (hits: readonly { case: { id: string } }[]): string[] => hits.map((hit) => hit.case.id)

/** What every store of cases has to do. `open` gives a fresh, empty bank that embeds with `embedder`. */
export function describeCaseBank(name: string, open: (embedder: Embedder) => Promise<OpenedBank>): void {
  const embedder = wordEmbedder()
  const vectorOf = async (text: string): Promise<Float32Array> =>
    (await embedder.embed([text]))[0] ?? new Float32Array()
  const withBank = async (
    body: (bank: MemoryStore) => Promise<void>,
    own: Embedder = embedder,
  ): Promise<void> => {
    const { bank, close } = await open(own)
    try {
      await body(bank)
    } finally {
      await close()
    }
  }

  describe(`case bank: ${name}`, () => {
    it('answers an empty bank with nothing', () =>
      withBank(async (bank) => {
        expect(await bank.nearest(await vectorOf('anything'), 4)).toEqual([])
        expect(await bank.search('anything', 4)).toEqual([])
        expect(await bank.recentSuccesses(4)).toEqual([])
        expect(await bank.get('x')).toBeNull()
        expect(await bank.trajectory('x')).toBeNull()
      }))

    it('gives back what was committed, unchanged', () =>
      withBank(async (bank) => {
        const item = caseOf('a', "It's a “state” 🙂\nwith lines", { plan: 'p\u2028q\n"r"' })
        const trajectory = trajectoryOf('t-a')
        await bank.commit([
          { kind: 'trajectory-added', trajectory },
          { kind: 'case-added', case: item },
        ])
        expect(await bank.get('a')).toEqual(item)
        expect(await bank.trajectory('t-a')).toEqual(trajectory)
      }))

    it('ranks by cosine and reads its own writes at once', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'apples and pears'))
        await bank.commit(attempt(2, 'trains and planes'))
        await bank.commit(attempt(3, 'apples'))
        const hits = await bank.nearest(await vectorOf('apples'), 2)
        expect(ids(hits)).toEqual(['c00003', 'c00001'])
        expect(hits[0]?.score).toBeCloseTo(1, 6)
        expect(hits[1]?.score).toBeCloseTo(1 / Math.sqrt(3), 6)
      }))

    it('breaks ties by newest first, then by id', () =>
      withBank(async (bank) => {
        for (let n = 1; n <= 40; n++)
          await bank.commit(attempt(n, 'same words', n > 38 ? { createdAt: timeOf(99) } : {}))
        const vector = await vectorOf('same words')
        expect(ids(await bank.nearest(vector, 4))).toEqual(['c00039', 'c00040', 'c00038', 'c00037'])
        expect(ids(await bank.search('same', 4))).toEqual(['c00039', 'c00040', 'c00038', 'c00037'])
        expect(ids(await bank.nearest(vector, 4))).toEqual(['c00039', 'c00040', 'c00038', 'c00037'])
      }))

    it('filters by environment, whatever its name holds', () =>
      withBank(async (bank) => {
        const odd = "x' OR '1'='1"
        await bank.commit(attempt(1, 'apples', { environment: odd }))
        await bank.commit(attempt(2, 'apples'))
        const vector = await vectorOf('apples')
        for (let round = 0; round < 2; round++) {
          expect(ids(await bank.nearest(vector, 9, { environment: odd }))).toEqual(['c00001'])
          expect(ids(await bank.nearest(vector, 9, { environment: "' OR true --" }))).toEqual([])
          await bank.search('apples', 1)
        }
      }))

    it('searches words, stems and odd characters', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'cancel the bookings of Zoë (room 12)'))
        await bank.commit(attempt(2, 'pay the invoice of Adam'))
        expect(ids(await bank.search('booking', 5))).toEqual(['c00001'])
        expect(ids(await bank.search('zoe', 5))).toEqual(['c00001'])
        expect(ids(await bank.search('"invoice" AND (x:', 5))).toEqual(['c00002'])
        for (const text of ['', '   ', '!!!', "'; DROP TABLE cases; --", '🙂', '\\', '*', 'a'.repeat(5000)]) {
          expect(await bank.search(text, 5)).toEqual([])
        }
      }))

    it('hides deleted cases and brings them back', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'apples'))
        await bank.commit(attempt(2, 'apples'))
        await bank.commit([{ kind: 'case-deleted', caseId: 'c00002', at: timeOf(50) }])
        const vector = await vectorOf('apples')
        expect(ids(await bank.nearest(vector, 9))).toEqual(['c00001'])
        expect(ids(await bank.search('apples', 9))).toEqual(['c00001'])
        expect((await bank.get('c00002'))?.deletedAt).toBe(timeOf(50))
        await bank.commit([{ kind: 'case-restored', caseId: 'c00002', at: timeOf(51) }])
        expect(ids(await bank.nearest(vector, 9))).toEqual(['c00002', 'c00001'])
        expect(ids(await bank.search('apples', 9))).toEqual(['c00002', 'c00001'])
        expect((await bank.get('c00002'))?.deletedAt).toBeNull()
      }))

    it('lists the newest successes first', () =>
      withBank(async (bank) => {
        for (let n = 1; n <= 6; n++)
          await bank.commit(attempt(n, `task ${n}`, { reward: n % 2 === 0 ? 1 : 0 }))
        expect((await bank.recentSuccesses(2)).map((item) => item.id)).toEqual(['t-c00006', 't-c00004'])
        expect(await bank.recentSuccesses(9, { environment: 'other' })).toEqual([])
      }))

    it('filters what it finds by reward', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'apples', { reward: 0 }))
        await bank.commit(attempt(2, 'apples'))
        const vector = await vectorOf('apples')
        expect(ids(await bank.nearest(vector, 9, { reward: 0 }))).toEqual(['c00001'])
        expect(ids(await bank.search('apples', 9, { reward: 1, environment: 'lab-db' }))).toEqual(['c00002'])
        expect(ids(await bank.search('apples', 9, { environment: 'other' }))).toEqual([])
      }))

    it('keeps lessons and notes, drops and changes them', () =>
      withBank(async (bank) => {
        const base = { runId: 'r1', environment: 'lab-db', trajectoryIds: ['t1'], createdAt: timeOf(1) }
        const lesson = (id: string, environment = 'lab-db') => ({
          kind: 'memory-added' as const,
          memory: { ...base, kind: 'lesson' as const, id, environment, queue: 'error' as const, text: id },
        })
        const note = {
          ...base,
          kind: 'note' as const,
          id: 'n1',
          title: 't',
          keywords: ['k'],
          tags: ['a'],
          links: ['x'],
        }
        await bank.commit([lesson('l1'), lesson('l2', 'other'), lesson('l3')])
        await bank.commit([{ kind: 'memory-added', memory: { ...note, context: 'before' } }])
        const change = { kind: 'note-evolved' as const, noteId: 'n1', by: 'n2', at: timeOf(2) }
        for (let twice = 0; twice < 2; twice++) {
          await bank.commit([{ kind: 'memory-dropped', memoryId: 'l1', at: timeOf(2) }])
          await bank.commit([{ ...change, context: 'after', links: ['x', 'y'] }])
        }
        const lessonIds = (await bank.items('lesson')).map(({ id }) => id)
        expect(lessonIds).toEqual(['l2', 'l3'])
        expect((await bank.items('lesson', { environment: 'other' })).map(({ id }) => id)).toEqual(['l2'])
        expect((await bank.items('lesson', { newest: 1 })).map(({ id }) => id)).toEqual(['l3'])
        expect(await bank.items('note')).toEqual([{ ...note, context: 'after', links: ['x', 'y'] }])
        await expect(
          bank.commit([{ kind: 'memory-dropped', memoryId: 'nobody', at: timeOf(3) }]),
        ).rejects.toMatchObject({ code: 'NOT_FOUND' })
        const other = lesson('l3')
        await expect(
          bank.commit([{ ...other, memory: { ...other.memory, text: 'different' } }]),
        ).rejects.toMatchObject({ code: 'CONFLICT' })
      }))

    it('takes the same commit twice as once and refuses a different one under the same id', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'apples'))
        await bank.commit(attempt(1, 'apples'))
        expect(ids(await bank.nearest(await vectorOf('apples'), 9))).toEqual(['c00001'])
        await expect(bank.commit(attempt(1, 'pears'))).rejects.toMatchObject({ code: 'CONFLICT' })
      }))

    it('commits all events or none', () =>
      withBank(async (bank) => {
        const broken = [
          ...attempt(1, 'apples'),
          { kind: 'case-deleted' as const, caseId: 'nobody', at: timeOf(1) },
        ]
        await expect(bank.commit(broken)).rejects.toMatchObject({ code: 'NOT_FOUND' })
        expect(await bank.get('c00001')).toBeNull()
        expect(await bank.trajectory('t-c00001')).toBeNull()
      }))

    it('keeps the order of commits made at the same time', () =>
      withBank(async (bank) => {
        await Promise.all(Array.from({ length: 20 }, (_, n) => bank.commit(attempt(n, `task ${n}`))))
        expect((await bank.recentSuccesses(3)).map((item) => item.id)).toEqual([
          't-c00019',
          't-c00018',
          't-c00017',
        ])
      }))

    it.each([
      ['a wrong dimension', new Float32Array(31), 'VECTOR_DIMENSION'],
      ['no vector', undefined, 'VECTOR_DIMENSION'],
      ['a value that is not a number', new Float32Array(32).fill(Number.NaN), 'BAD_INPUT'],
      ['an infinite value', new Float32Array(32).fill(Infinity), 'BAD_INPUT'],
    ])('refuses an embedder that answers with %s and keeps nothing of the commit', (_what, vector, code) =>
      withBank(
        async (bank) => {
          await expect(bank.commit(attempt(1, 'apples'))).rejects.toMatchObject({ code })
          expect(await bank.get('c00001')).toBeNull()
          expect(await bank.trajectory('t-c00001')).toBeNull()
        },
        { id: 'faulty', dimension: 32, embed: () => Promise.resolve(vector ? [vector] : []) },
      ),
    )

    it('refuses a query of the wrong dimension', () =>
      withBank(async (bank) => {
        await bank.commit(attempt(1, 'apples'))
        await expect(bank.nearest(new Float32Array(31), 1)).rejects.toMatchObject({
          code: 'VECTOR_DIMENSION',
        })
      }))
  })
}
