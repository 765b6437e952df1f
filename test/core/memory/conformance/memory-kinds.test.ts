import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MEMORY_KINDS } from '../../../../src/core/memory'
import type { MemoryKindModule } from '../../../../src/core/memory/items/kind'
import { encodeRecord } from '../../../../src/main/journal/record'
import { openMemory, type StoredMemory } from '../../../../src/main/memory-store/memory'
import { createItems, memorySourceOf, type Items } from '../../../../src/main/items/memory-items'
import { itemQuerySchema, type ItemRef } from '../../../../src/shared/domain/item'
import { writtenCounts } from '../../../../src/shared/domain/item-transfer'
import { doorsOf, onlyMemory } from '../../../fixtures/doors'
import { inTempFolder, timeOf, trajectoryOf, wordEmbedder } from '../../../main/memory-store/fixtures'
import { SAMPLES, type Sample } from './samples'

const COUNT = 4
const kinds: readonly MemoryKindModule[] = MEMORY_KINDS

interface Rig {
  readonly kind: MemoryKindModule
  readonly sample: Sample
  readonly items: Items
  readonly doors: ReturnType<typeof doorsOf>
  readonly ref: (n: number) => ItemRef
  memory(): StoredMemory
  /** Closes the memory and opens it again, from the journal. */
  reopen(): Promise<void>
}

const header = { format: 'loam-space', version: 1, space: { id: 's', name: 's', createdAt: timeOf(0) } }
/** What is written by hand into fields of other forms than text. */
const BY_HAND: Readonly<Record<string, string | number | string[]>> = {
  lines: ['By hand.'],
  success: 1,
  day: '9999-12-31',
}
const linesOf = (...lines: object[]): string =>
  [
    JSON.stringify({ ...header, embedder: { id: 'e', dimension: 64 }, exportedAt: timeOf(0) }),
    ...lines.map((line) => JSON.stringify(line)),
  ].join('\n')

/** A memory on disk with `COUNT` items of the kind. */
async function withItems(kind: MemoryKindModule, body: (rig: Rig) => Promise<void>): Promise<void> {
  const sample = SAMPLES[kind.info.id]
  if (!sample) throw new Error(`samples.ts has nothing for the kind "${kind.info.id}"`)
  await inTempFolder(async (folder) => {
    const open = () => openMemory({ folder, embedder: wordEmbedder(64) })
    let memory = await open()
    let second = 100
    const items = createItems({
      memories: { open: () => Promise.resolve(memory) },
      clock: { now: () => new Date(timeOf(second++)) },
    })
    const lines = Array.from({ length: COUNT }, (_, n) => sample.line(n))
    const doors = doorsOf({ ...onlyMemory(memory), open: () => Promise.resolve(memory) })
    expect(await doors.importText('s', linesOf(...lines))).toMatchObject({
      rows: COUNT,
      imported: COUNT,
      duplicates: 0,
      left: [],
    })
    try {
      await body({
        kind,
        sample,
        items,
        doors,
        ref: (n) => ({ kind: kind.info.id, id: sample.id(n) }),
        memory: () => memory,
        async reopen() {
          await memory.close()
          memory = await open()
        },
      })
    } finally {
      await memory.close()
    }
  })
}

/** A journal as versions before these kinds had events of their own wrote it. */
const OLD_EVENTS = [
  { kind: 'trajectory-added', trajectory: trajectoryOf('t-1', { recalled: [] }) },
  ...['lesson', 'workflow', 'note', 'summary'].map((kind) => ({
    kind: 'memory-added',
    memory: (SAMPLES[kind]?.line(1) as { item: object }).item,
  })),
  { kind: 'note-evolved', noteId: 'note-1', by: 'note-9', context: 'after', at: timeOf(5) },
  { kind: 'memory-dropped', memoryId: 'lesson-1', at: timeOf(6) },
  { kind: 'case-added', case: (SAMPLES['case']?.line(1) as { case: object }).case },
  { kind: 'case-marked', caseId: 'case-1', mark: 'pinned', at: timeOf(7) },
  {
    kind: 'experience-added',
    experience: (SAMPLES['experience']?.line(1) as { experience: object }).experience,
  },
  { kind: 'experience-deleted', experienceId: 'exp-1', at: timeOf(8) },
  { kind: 'document-written', version: (SAMPLES['document']?.line(1) as { document: object }).document },
]

it('events of old journals are read, and what left its queue can be put back', () =>
  inTempFolder(async (folder) => {
    await (await openMemory({ folder, embedder: wordEmbedder(64) })).close()
    const journal = join(folder, 'journal', '000000000001.jsonl')
    await writeFile(journal, encodeRecord({ seq: 1, time: timeOf(9), events: OLD_EVENTS }))
    await rm(join(folder, 'journal-head'))
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const items = createItems({
      memories: { open: () => Promise.resolve(memory) },
      clock: { now: () => new Date(timeOf(100)) },
    })
    const get = (kind: string, id: string) => items.get('s', { kind, id })
    expect((await get('lesson', 'lesson-1')).gone).toMatchObject({ why: 'dropped', at: timeOf(6) })
    expect((await get('note', 'note-1')).values['context']).toBe('after')
    expect((await get('case', 'case-1')).mark).toBe('pinned')
    expect((await get('experience', 'exp-1')).gone).toMatchObject({ why: 'deleted' })
    const { counts } = await items.list(query({}))
    expect(counts.map(({ live }) => live)).toEqual(
      kinds.map(({ info }) => (['case', 'workflow', 'note', 'summary'].includes(info.id) ? 1 : 0)),
    )
    await items.restore('s', { kind: 'lesson', id: 'lesson-1' })
    expect(await memory.items('lesson')).toHaveLength(1)
    await memory.close()
  }))

const query = (change: object) => itemQuerySchema.parse({ memoryId: 's', ...change })
const idsOf = async (items: Items, change: object = {}): Promise<string[]> =>
  (await items.list(query(change))).rows.map(({ id }) => id)

describe.each(kinds.map((kind) => [kind.info.id, kind] as const))('memory kind %s', (id, kind) => {
  const run = (body: (rig: Rig) => Promise<void>) => () => withItems(kind, body)

  it('says in words what it is and what can be edited', () => {
    const { info } = kind
    for (const words of [info.title, info.titleMany, info.help]) expect(words).toMatch(/^[A-Z]/)
    expect(info.fields.length).toBeGreaterThan(0)
    expect(new Set(info.fields.map(({ key }) => key)).size).toBe(info.fields.length)
    expect(kinds.filter((other) => other.info.id === id)).toHaveLength(1)
  })

  it(
    'keeps what a person writes by hand, once, and takes it out again; or says that it comes from work',
    run(async ({ items, reopen }) => {
      const values = Object.fromEntries(
        kind.info.fields.map(({ key, kind: form }) => [key, BY_HAND[form] ?? 'By hand.']),
      )
      const adding = () => items.add('s', id, values, null)
      if (!kind.info.adds) return expect(adding()).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(items.add('s', id, {}, null)).rejects.toMatchObject({ code: 'BAD_INPUT' })
      const { item, undo } = await adding()
      expect(item.values).toMatchObject(values)
      expect(await adding()).toMatchObject({ item: { id: item.id }, undo: [] })
      await reopen()
      expect((await items.list(query({}))).total).toBe(COUNT + 1)
      await items.undo('s', undo)
      expect((await items.list(query({}))).total).toBe(COUNT)
    }),
  )

  it(
    'lists what was added, newest first, and opens it in full',
    run(async ({ items, sample, ref, reopen }) => {
      for (const again of [false, true]) {
        if (again) await reopen()
        const page = await items.list(query({}))
        expect(page.rows.map((row) => row.id)).toEqual([3, 2, 1, 0].map(sample.id))
        expect(page.total).toBe(COUNT)
        expect(page.counts.find((one) => one.kind === id)).toEqual({ kind: id, live: COUNT, gone: 0 })
        expect(page.counts).toHaveLength(kinds.length)
        expect(page.environments).toHaveLength(1)
        const item = await items.get('s', ref(2))
        expect(item).toMatchObject({ kind: id, id: sample.id(2), mark: null, gone: null, editedAt: null })
        expect(`${item.title}\n${item.text}`).toContain('subject 2')
        expect(Object.keys(item.values).sort()).toEqual(kind.info.fields.map(({ key }) => key).sort())
      }
      await expect(items.get('s', { kind: id, id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }),
  )

  it(
    'pages, filters by kind and environment, and finds words, likeness and both, with reasons',
    run(async ({ items, sample }) => {
      expect(await idsOf(items, { limit: 2, offset: 1 })).toEqual([2, 1].map(sample.id))
      expect(await idsOf(items, { sort: 'oldest', limit: 1 })).toEqual([sample.id(0)])
      expect(await idsOf(items, { kinds: [] })).toEqual([])
      expect(await idsOf(items, { environment: 'nowhere' })).toEqual([])
      expect((await idsOf(items, { text: 'subject 3' }))[0]).toBe(sample.id(3))
      expect(await idsOf(items, { text: 'zzzz' })).toEqual([])
      for (const mode of ['semantic', 'hybrid'] as const) {
        const { rows } = await items.list(query({ text: 'subject 3', mode, k: 2 }))
        expect(rows.map((row) => row.id)).toContain(sample.id(3))
        expect(rows.length).toBeLessThanOrEqual(2)
        for (const { match } of rows) expect(match?.semanticScore).toEqual(expect.any(Number))
      }
      const [row] = (await items.list(query({ text: 'subject 3' }))).rows
      expect(row?.match).toMatchObject({ score: 1, semanticScore: null })
    }),
  )

  it(
    'is edited, keeps that over a restart, and is as before after undo',
    run(async ({ items, sample, ref, reopen, memory }) => {
      const before = await items.get('s', ref(1))
      const edited = await items.edit('s', ref(1), { ...sample.values })
      expect(edited.item.values).toEqual(sample.values)
      expect(edited.item.editedAt).not.toBeNull()
      await reopen()
      const now = { kind: id, id: edited.item.id }
      expect((await items.get('s', now)).values).toEqual(sample.values)
      expect(await items.edit('s', now, { ...sample.values })).toMatchObject({ undo: [] })
      const undone = await items.undo('s', edited.undo)
      expect(undone.item.values).toEqual(before.values)
      expect((await items.get('s', ref(1))).values).toEqual(before.values)
      expect(await idsOf(items)).toHaveLength(COUNT)
      const redone = await items.undo('s', undone.undo)
      expect(redone.item.values).toEqual(sample.values)
      expect(await sample.asAgentsSee(memory(), 1)).toContain(edited.item.id)
    }),
  )

  it(
    'says how it read before, also after a restart',
    run(async ({ items, sample, ref, reopen }) => {
      const [first] = await items.history('s', ref(1))
      expect(first).toMatchObject({ ref: ref(1), current: true })
      const { item } = await items.edit('s', ref(1), { ...sample.values })
      await reopen()
      const versions = await items.history('s', item)
      expect(versions.at(-1)).toMatchObject({ ref: { id: item.id }, current: true, values: sample.values })
      expect(versions.filter(({ current }) => current)).toHaveLength(1)
      // A soft prompt keeps its name only.
      if (id !== 'soft-prompt') expect(versions[0]?.values).toEqual(first?.values)
    }),
  )

  it(
    'goes to another memory as one change over both, which is taken back as a whole',
    run(async ({ items, sample, ref, memory }) => {
      await inTempFolder(async (folder) => {
        const other = await openMemory({ folder, embedder: wordEmbedder(64) })
        let second = 200
        const both = createItems({
          memories: { open: (named) => Promise.resolve(named === 'o' ? other : memory()) },
          clock: { now: () => new Date(timeOf(second++)) },
        })
        const refs = [ref(0), ref(1)]
        const idsIn = async (memoryId: string) =>
          (await both.list(query({ memoryId, sort: 'oldest' }))).rows.map((row) => row.id)
        const all = await idsIn('s')
        try {
          if (kind.stays !== undefined) {
            await expect(both.move('s', refs, 'o', false)).rejects.toMatchObject({ code: 'CONFLICT' })
            expect(await idsIn('s')).toEqual(all)
            return
          }
          await items.mark('s', ref(1), 'pinned')
          const before = await items.get('s', ref(1))
          const { undo } = await both.move('s', refs, 'o', false)
          expect(await idsIn('o')).toEqual([0, 1].map(sample.id))
          expect(await idsIn('s')).toEqual([2, 3].map(sample.id))
          expect(await both.get('o', ref(1))).toMatchObject({
            ...{ values: before.values, mark: 'pinned', createdAt: before.createdAt },
            trajectoryIds: before.trajectoryIds,
          })
          const back = await both.undo('s', undo)
          expect([await idsIn('s'), await idsIn('o')]).toEqual([all, []])
          await both.undo('s', back.undo)
          expect(await idsIn('o')).toEqual([0, 1].map(sample.id))
          // What is gone there and not in use here is refused, and nothing is changed.
          await expect(both.move('s', [ref(2), ref(0)], 'o', true)).rejects.toMatchObject({
            code: 'CONFLICT',
          })
          expect(await idsIn('o')).toEqual([0, 1].map(sample.id))
          await both.move('s', [ref(2)], 'o', true)
          expect(await idsIn('s')).toContain(sample.id(2))
          expect(await idsIn('o')).toContain(sample.id(2))
          await expect(both.move('s', [ref(3)], 's', false)).rejects.toMatchObject({ code: 'BAD_INPUT' })
        } finally {
          await other.close()
        }
      })
    }),
  )

  it(
    'refuses values that do not fit, and changes nothing',
    run(async ({ items, ref }) => {
      const before = await items.get('s', ref(0))
      const [field] = kind.info.fields
      await expect(items.edit('s', ref(0), { nonsense: 'x' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(items.edit('s', ref(0), { [field?.key ?? '']: 17 })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
      for (const { key, optional } of kind.info.fields)
        if (!optional)
          await expect(items.edit('s', ref(0), { [key]: ' ' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      expect(await items.get('s', ref(0))).toEqual(before)
    }),
  )

  it(
    'is pinned before the others for agents, until that is undone',
    run(async ({ items, sample, ref, reopen, memory }) => {
      expect((await sample.asAgentsSee(memory(), 0))[0]).toBe(sample.id(0))
      const { item, undo } = await items.mark('s', ref(3), 'pinned')
      expect(item.mark).toBe('pinned')
      expect((await sample.asAgentsSee(memory(), 0))[0]).toBe(sample.id(3))
      await reopen()
      expect((await sample.asAgentsSee(memory(), 0))[0]).toBe(sample.id(3))
      expect(await idsOf(items, { mark: 'pinned' })).toEqual([sample.id(3)])
      expect((await items.undo('s', undo)).item.mark).toBeNull()
      expect((await sample.asAgentsSee(memory(), 0))[0]).toBe(sample.id(0))
      expect(await items.mark('s', ref(3), null)).toMatchObject({ undo: [] })
    }),
  )

  it(
    'is muted: people see it, agents do not, until that is undone',
    run(async ({ items, sample, ref, reopen, memory }) => {
      expect(await sample.asAgentsSee(memory(), 0)).toContain(sample.id(0))
      const { undo } = await items.mark('s', ref(0), 'muted')
      expect(await sample.asAgentsSee(memory(), 0)).not.toContain(sample.id(0))
      await reopen()
      expect(await sample.asAgentsSee(memory(), 0)).not.toContain(sample.id(0))
      expect(await idsOf(items, { mark: 'muted' })).toEqual([sample.id(0)])
      await items.undo('s', undo)
      expect(await sample.asAgentsSee(memory(), 0)).toContain(sample.id(0))
    }),
  )

  it(
    'is deleted for agents and lists, stays openable, and comes back by undo',
    run(async ({ items, sample, ref, reopen, memory }) => {
      expect(await sample.asAgentsSee(memory(), 1)).toContain(sample.id(1))
      const { item, undo } = await items.remove('s', ref(1))
      expect(item.gone).toMatchObject({ why: 'deleted' })
      await reopen()
      expect(await sample.asAgentsSee(memory(), 1)).not.toContain(sample.id(1))
      expect(await idsOf(items)).toEqual([3, 2, 0].map(sample.id))
      expect(await idsOf(items, { state: 'gone' })).toEqual([sample.id(1)])
      expect((await items.get('s', ref(1))).text).toContain('subject 1')
      expect(await items.remove('s', ref(1))).toMatchObject({ undo: [] })
      const back = await items.undo('s', undo)
      expect(back.item.gone).toBeNull()
      await reopen()
      expect(await sample.asAgentsSee(memory(), 1)).toContain(sample.id(1))
      expect(await idsOf(items)).toHaveLength(COUNT)
      // Deleting and restoring again and again leaves no trace but the last.
      await items.remove('s', ref(1))
      await items.restore('s', ref(1))
      expect(await idsOf(items)).toHaveLength(COUNT)
    }),
  )

  it(
    'is exported and read back equal into another memory',
    run(async ({ items, doors, ref, sample }) => {
      await items.mark('s', ref(2), 'pinned')
      await items.edit('s', ref(0), { ...sample.values })
      const { data, kinds } = await doors.export('s', { kinds: [id] })
      const { total = 0, written = 0 } = kinds.find((one) => one.kind === id) ?? {}
      expect(total).toBe(COUNT)
      // What another item took the place of comes along.
      const { rows } = await items.list({ ...query({ kinds: [id] }), state: 'gone' })
      expect(written).toBe(COUNT + rows.filter(({ gone }) => gone?.why === 'superseded').length)
      const text = data?.text ?? ''
      expect((await doors.importText('s', text)).duplicates).toBe(written)
      await inTempFolder(async (folder) => {
        const other = await openMemory({ folder, embedder: wordEmbedder(64) })
        const there = createItems({
          memories: { open: () => Promise.resolve(other) },
          clock: { now: () => new Date(timeOf(900)) },
        })
        const into = doorsOf(onlyMemory(other))
        expect(await into.importText('o', text)).toMatchObject({ imported: written, left: [] })
        expect(await into.importText('o', text)).toMatchObject({ imported: 0, duplicates: written })
        const here = await items.list(query({ kinds: [id] }))
        for (const { id: itemId } of here.rows) {
          const ours = await items.get('s', { kind: id, id: itemId })
          const theirs = await there.get('o', { kind: id, id: itemId })
          expect(theirs.values).toEqual(ours.values)
          expect([theirs.text, theirs.mark, theirs.createdAt]).toEqual([ours.text, ours.mark, ours.createdAt])
        }
        await other.close()
      })
      const single = await doors.export('s', { items: [ref(1)] })
      expect(writtenCounts(single.kinds)).toEqual({ [id]: 1 })
      expect(single.data?.text.split('\n')[1]).toContain('subject 1')
    }),
  )

  it(
    'leaves lines out that cannot be used, by number and with the reason, and takes the others',
    run(async ({ doors, sample }) => {
      const good = sample.line(0)
      const outcome = await doors.importText(
        's',
        [linesOf(good), '{"kind":', JSON.stringify({ kind: id }), '{"kind":"unheard-of"}'].join('\n'),
      )
      expect(outcome).toMatchObject({ rows: 4, imported: 0, duplicates: 1 })
      expect(outcome.left.map(({ line }) => line)).toEqual([3, 4, 5])
      for (const { why } of outcome.left) expect(why.length).toBeGreaterThan(5)
    }),
  )

  it(
    'counts from the journal how often it was recalled and how often that helped',
    run(async ({ items, sample, ref, reopen, memory }) => {
      const shown = {
        kind: id,
        id: (sample.shownAs ?? sample.id)(2),
        trajectoryId: null,
        title: 'x',
        score: 0.5,
        scoreKind: 'cosine',
        reward: null,
        tokens: 17,
      } as const
      const attempts = [
        trajectoryOf('a1', { recalled: [shown, shown], reward: 1, finishedAt: timeOf(11) }),
        trajectoryOf('a2', { recalled: [shown], reward: 0, finishedAt: timeOf(12) }),
        trajectoryOf('a3', { recalled: [shown], reward: 0, ungraded: 'no judge', finishedAt: timeOf(13) }),
        trajectoryOf('a4', { recalled: [], reward: 1 }),
      ]
      for (const trajectory of attempts) await memory().commit([{ kind: 'trajectory-added', trajectory }])
      const counted = { recalled: 3, judged: 2, helped: 1, lastAt: timeOf(13), tokens: 17 }
      expect((await items.get('s', ref(2))).recalls).toEqual(counted)
      await reopen()
      expect((await items.get('s', ref(2))).recalls).toEqual(counted)
      expect((await items.get('s', ref(1))).recalls.recalled).toBe(0)
      expect((await idsOf(items, { sort: 'recalled' }))[0]).toBe(sample.id(2))
      expect((await idsOf(items, { sort: 'helped' }))[0]).toBe(sample.id(2))
      const recalls = await items.recalls('s', ref(2), 10)
      expect(recalls.map(({ trajectoryId, judged }) => [trajectoryId, judged])).toEqual([
        ['a3', false],
        ['a2', true],
        ['a1', true],
      ])
    }),
  )

  it(
    'has features for recall',
    run(async ({ items, sample, ref, reopen, memory }) => {
      const featuresAt = (n: number) => kind.features(memorySourceOf(memory()), sample.id(n))
      expect(await featuresAt(2)).toMatchObject({
        ...{ kind: id, id: sample.id(2), environment: expect.any(String), createdAt: timeOf(2) },
        ...{ live: true, pinned: false, editedAt: null, recalled: 0, judged: 0, helped: 0, lastAt: null },
        ...{ origin: { from: id === 'document' ? 'person' : 'elsewhere' }, tokensMeasured: false },
      })
      expect((await featuresAt(2))?.tokens).toBeGreaterThan(0)
      expect(await kind.features(memorySourceOf(memory()), 'nobody')).toBeNull()
      const shown = {
        ...{ kind: id, id: (sample.shownAs ?? sample.id)(2), trajectoryId: null, title: 'x', score: 0.5 },
        ...{ scoreKind: 'cosine', reward: null, tokens: 17 },
      } as const
      for (const [n, reward] of ([1, 1, 0] as const).entries()) {
        const trajectory = trajectoryOf(`a${n}`, { recalled: [shown], reward, finishedAt: timeOf(11 + n) })
        await memory().commit([{ kind: 'trajectory-added', trajectory }])
      }
      await items.mark('s', ref(3), 'pinned')
      await items.mark('s', ref(0), 'muted')
      const before = await featuresAt(2)
      expect(before).toMatchObject({ recalled: 3, judged: 3, helped: 2, tokens: 17, tokensMeasured: true })
      expect((await featuresAt(0))?.live).toBe(false)
      await reopen()
      expect(await featuresAt(2)).toEqual(before)
    }),
  )

  it(
    'goes into quarantine, where nobody recalls it, and comes back when somebody restores it',
    run(async ({ items, sample, ref, reopen, memory }) => {
      if (kind.shownAs === 'apart') return
      await memory().commit([
        { kind: 'item-quarantined', of: id, itemId: sample.id(1), at: timeOf(20), why: 'failing' },
      ])
      const live = async () => (await items.list(query({}))).rows.map((row) => row.id)
      expect(await live()).not.toContain(sample.id(1))
      await reopen()
      const gone = (await items.list(query({ state: 'gone' }))).rows.find((row) => row.id === sample.id(1))
      expect(gone?.gone).toEqual({ why: 'failing', at: timeOf(20), by: null })
      expect((await kind.features(memorySourceOf(memory()), sample.id(1)))?.live).toBe(false)
      const { item } = await items.restore('s', ref(1))
      expect(item.gone).toBeNull()
      expect(await live()).toContain(sample.id(1))
      await reopen()
      expect(await live()).toContain(sample.id(1))
    }),
  )

  it(
    'says the same after the index is made anew and in a copy of the folder',
    run(async ({ items, memory, reopen }) => {
      const all = (await items.list(query({}))).rows
      await memory().reindex()
      expect((await items.list(query({}))).rows).toEqual(all)
      await reopen()
      const hash = await memory().contentHash()
      await inTempFolder(async (root) => {
        const folder = join(root, 'copy')
        await cp(memory().path, folder, { recursive: true, filter: (path) => !/lance|lock$/.test(path) })
        const copy = await openMemory({ folder, embedder: wordEmbedder(64) })
        expect(await copy.contentHash()).toBe(hash)
        const there = createItems({
          memories: { open: () => Promise.resolve(copy) },
          clock: { now: () => new Date(0) },
        })
        expect((await there.list(query({}))).rows).toEqual(all)
        await copy.close()
      })
    }),
  )
})
