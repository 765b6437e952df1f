import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../../src/main/app'
import { MEMORY_KINDS } from '../../../src/core/memory'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { itemQuerySchema } from '../../../src/shared/domain/item'
import { SAMPLES } from '../../core/memory/conformance/samples'
import { attempt, timeOf } from '../memory-store/fixtures'
import { doorsOf } from '../../fixtures/doors'
import { appPerTest } from '../app-in-temp'

const rig = appPerTest('my-memory')

/** Lines of an export with one item of every kind. */
const everyKind = (n = 1): string =>
  [
    {
      ...{ format: 'loam-space', version: 1, space: { id: 's', name: 's', createdAt: timeOf(0) } },
      ...{ embedder: { id: 'e', dimension: 64 }, exportedAt: timeOf(0) },
    },
    ...MEMORY_KINDS.map(({ info }) => SAMPLES[info.id]?.line(n)),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')

const listOf = (memoryId: string) => rig.app.memory.list(itemQuerySchema.parse({ memoryId, limit: 100 }))
const titles = async (memoryId: string) =>
  (await listOf(memoryId)).rows.map(({ kind, id }) => `${kind} ${id}`).sort()

test('a lab memory is taken into mine: previewed by kind, chosen, in a project, undone, and taken again', async () => {
  const { app } = rig
  const lab = await app.memories.create('Case bank, seed 1')
  await doorsOf(app.memories).importText(lab.id, everyKind())
  await doorsOf(app.memories).importText(MY_MEMORY, everyKind(2))
  const before = await titles(MY_MEMORY)

  const preview = await app.myMemory.preview(lab.id)
  expect(await titles(MY_MEMORY)).toEqual(before)
  const kinds = MEMORY_KINDS.map(({ info }) => info.id).filter((id) => id !== 'soft-prompt')
  expect(preview.kinds.map(({ kind, fresh, same, differs }) => [kind, fresh, same, differs])).toEqual(
    kinds.map((kind) => [kind, 1, 0, 0]),
  )
  expect(preview.kinds.find(({ kind }) => kind === 'passage')?.usual).toBe(false)
  for (const { samples } of preview.kinds) expect(samples[0]?.title).not.toBe('')

  const one = await app.myMemory.take({ from: lab.id, kinds: ['lesson'], items: null, project: 'Garden' })
  expect(one.items).toEqual([{ kind: 'lesson', id: SAMPLES['lesson']?.id(1) }])
  expect((await listOf(MY_MEMORY)).rows.find(({ id }) => id === one.items[0]?.id)?.project).toBe('Garden')

  const all = await app.myMemory.take({ from: lab.id, kinds: null, items: null, project: null })
  expect(all.items.map(({ kind }) => kind)).toEqual(
    kinds.filter((kind) => kind !== 'lesson' && kind !== 'passage'),
  )
  expect(await titles(MY_MEMORY)).toHaveLength(before.length + kinds.length - 1)
  expect((await app.myMemory.preview(lab.id)).kinds.filter(({ fresh }) => fresh > 0)).toMatchObject([
    { kind: 'passage' },
  ])

  await app.myMemory.undo(all.id)
  await app.myMemory.undo(one.id)
  expect(await titles(MY_MEMORY)).toEqual(before)
  expect((await app.myMemory.list()).map(({ undoneAt }) => undoneAt !== null)).toEqual([true, true])

  const again = await app.myMemory.take({ from: lab.id, kinds: null, items: null, project: null })
  expect(again.items).toHaveLength(kinds.length - 1)
  expect(await titles(MY_MEMORY)).toHaveLength(before.length + kinds.length - 1)
})

test('what reads differently under the same name is not taken, and My memory is not taken into itself', async () => {
  const { app } = rig
  const lab = await app.memories.create('lab')
  await (await app.memories.open(lab.id)).commit(attempt(1, 'count the plants', { reward: 1 }))
  await (await app.memories.open(MY_MEMORY)).commit(attempt(1, 'count the tools', { reward: 1 }))
  const hash = await (await app.memories.open(MY_MEMORY)).contentHash()
  expect((await app.myMemory.preview(lab.id)).kinds).toMatchObject([{ kind: 'case', fresh: 0, differs: 1 }])
  const taken = await app.myMemory.take({ from: lab.id, kinds: null, items: null, project: null })
  expect(taken.items).toEqual([])
  expect(await (await app.memories.open(MY_MEMORY)).contentHash()).toBe(hash)
  for (const from of [MY_MEMORY, app.data.myMemory.id(), app.memories.folder(MY_MEMORY)])
    await expect(app.myMemory.preview(from)).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('My memory is not deleted; a lab memory is, and mine reads the same afterwards', async () => {
  const { app } = rig
  const mine = app.data.myMemory.id()
  const lab = await app.memories.create('lab')
  await doorsOf(app.memories).importText(MY_MEMORY, everyKind())
  const hash = await (await app.memories.open(MY_MEMORY)).contentHash()
  for (const id of [mine, MY_MEMORY])
    await expect(app.storage.remove({ what: 'memory', id })).rejects.toHaveProperty('code')
  await app.storage.remove({ what: 'memory', id: lab.id })
  expect((await app.memories.list()).map(({ id }) => id)).toEqual([mine])
  expect(await (await app.memories.open(MY_MEMORY)).contentHash()).toBe(hash)
})

test('a folder of the last version opens: asked once, all kinds kept, what was learned meanwhile taken along', async () => {
  const { app, folder } = rig
  // Made by this version and stripped of what the last one did not write.
  const old = await app.memories.create('Garden')
  await doorsOf(app.memories).importText(old.id, everyKind())
  const hash = await (await app.memories.open(old.id)).contentHash()
  const kb = await app.memories.create('Agent KB')
  await doorsOf(app.memories).importText(kb.id, everyKind(3))
  await app.dispose()
  const data = join(folder, 'last')
  await mkdir(data)
  const { cp, rm } = await import('node:fs/promises')
  for (const name of ['format.json', 'spaces'])
    await cp(join(folder, 'data', name), join(data, name), { recursive: true })
  await rm(join(data, 'spaces', app.data.myMemory.id()), { recursive: true })
  await mkdir(join(data, 'runs/run-1'), { recursive: true })
  await writeFile(join(data, 'runs/run-1/run.json'), JSON.stringify({ config: { memoryId: 'other' } }))

  const next = await createApp({ dataPath: data, host: 'memory', gpuLayers: 'cpu' })
  try {
    const asked = await next.myMemory.info()
    expect(asked.candidates.map(({ id }) => id)).toEqual([old.id])
    expect(asked.offers.map(({ id }) => id)).toEqual([kb.id])
    expect(asked.memory).toMatchObject({ name: 'My memory', cases: 0 })
    await doorsOf(next.memories).importText(MY_MEMORY, everyKind(2))

    const decided = await next.myMemory.decide(old.id)
    expect(decided).toMatchObject({ memory: { id: old.id, role: 'mine' }, candidates: [] })
    const kinds = MEMORY_KINDS.length
    const page = await next.memory.list(itemQuerySchema.parse({ memoryId: MY_MEMORY, limit: 100 }))
    // Of every kind one from before, and one from meanwhile but for passages and soft prompts, which stay in that memory.
    expect(page.rows).toHaveLength(kinds + kinds - 2)
    expect((await next.memories.list()).map(({ name }) => name)).toContain('Until My memory was chosen')

    const [meanwhile] = await next.myMemory.list()
    await next.myMemory.undo(meanwhile?.id ?? '')
    const live = await next.memory.list(itemQuerySchema.parse({ memoryId: MY_MEMORY, limit: 100 }))
    expect(live.rows).toHaveLength(kinds)
    expect(await (await next.memories.open(old.id)).contentHash()).not.toBe(hash)

    await next.myMemory.take({ from: kb.id, kinds: null, items: null, project: null })
    expect((await next.myMemory.info()).offers).toEqual([])
  } finally {
    await next.dispose()
  }
})

test('a search by words and meaning shows what shares a word or is near, and nothing far', async () => {
  const { id } = await rig.app.memories.create('Facts')
  for (const statement of [
    'The wifi password of the cabin is marmot-221.',
    'Anna likes tulips.',
    'My dentist is Dr. Ferrari.',
  ])
    await rig.app.memory.add(id, 'fact', { statement }, null)
  const hits = async (text: string) =>
    (await rig.app.memory.list(itemQuerySchema.parse({ memoryId: id, text, mode: 'hybrid' }))).rows.map(
      ({ title }) => title,
    )
  expect(await hits('cabin')).toEqual(['The wifi password of the cabin is marmot-221.'])
  expect(await hits('doctor for teeth')).toEqual(['My dentist is Dr. Ferrari.'])
  expect(await hits('flowers')).toEqual(['Anna likes tulips.'])
  expect(await hits('combustion engine')).toEqual([])
  expect(await hits('capital of France')).toEqual([])
})
