import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FORMATS, writableFormat } from '../../../src/core/formats'
import { MEMORY_KINDS } from '../../../src/core/memory'
import { countWords, kindWords, leavingKinds } from '../../../src/core/memory/kind-words'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { formatSource } from '../../../src/main/memories/memories'
import { HISTORY, type CheckedBundle } from '../../../src/main/bundle/manifest'
import { importBundleFile } from '../../../src/main/share/bundle/import-bundle'
import { type BundleChoice } from '../../../src/main/share/bundle/write-bundle'
import { checkedBundle, wholeBundle } from '../../main/share/whole-bundle'
import { writtenCounts } from '../../../src/shared/domain/item-transfer'
import { doorsOf, onlyMemory } from '../../fixtures/doors'
import { timeOf } from '../../main/memory-store/fixtures'
import { emptyMemory, fillMemory, NOW } from './memories'

const SECRET = 'The pump stands behind the shed.'
const PASSAGE = {
  kind: 'passage' as const,
  id: 'passage-1',
  runId: 'documents',
  environment: 'documents',
  trajectoryIds: [],
  createdAt: timeOf(1),
  folderId: 'f1',
  path: 'garden/pump.md',
  from: 1,
  to: 2,
  headings: [],
  text: SECRET,
  note: '',
}
const OWN = ['passage']
const ALL = MEMORY_KINDS.map(({ info }) => info.id)

let folder: string
let memory: StoredMemory
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-own-files-'))
  memory = await emptyMemory(join(folder, 'space'))
  await fillMemory(memory)
  await memory.commit([{ kind: 'memory-added', memory: PASSAGE }])
})
afterEach(async () => {
  await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function written(format: string, kinds: readonly string[] | null) {
  let text = ''
  const counts: Record<string, number> = {}
  const source = formatSource(memory, memorySourceOf(memory))
  for await (const part of writableFormat(format).write(source, { now: () => NOW, kinds })) {
    text += part.bytes ? Buffer.from(part.bytes).toString('utf8') : part.text
    if (part.holds !== null) counts[part.holds] = (counts[part.holds] ?? 0) + (part.count ?? 1)
  }
  return { text, counts }
}

describe.each(FORMATS.filter(({ write }) => write).map(({ id }) => id))('written as %s', (id) => {
  it('parts of own files leave only where they are named, and are counted then', async () => {
    const without = await written(id, null)
    expect(without.text).not.toContain(SECRET)
    expect(without.counts['passages']).toBeUndefined()
    const named = await written(id, OWN)
    expect(named.counts['passages'] === 1).toBe(named.text.includes(SECRET))
  })
})

it('tables of items hold the kinds that are named and no others', async () => {
  expect((await written('csv', ['passage'])).counts).toEqual({ passages: 1 })
  expect((await written('csv', ['lesson', 'passage'])).counts).toEqual({ lessons: 2, passages: 1 })
  await expect(written('csv', ['passage', 'wormhole'])).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it('items taken along by kind leave own files here, those taken by name do not', async () => {
  const doors = doorsOf(onlyMemory(memory), NOW)
  const { data, kinds } = await doors.export('s')
  expect(data?.text).not.toContain(SECRET)
  expect(kinds.find(({ kind }) => kind === 'passage')).toMatchObject({
    ...{ total: 1, written: 0, why: 'parts of your own files, which leave only when ticked' },
  })
  const named = await doors.export('s', { items: [{ kind: 'passage', id: 'passage-1' }] })
  expect(writtenCounts(named.kinds)).toEqual({ passage: 1 })
  expect(named.data?.text).toContain(SECRET)
})

describe('a bundle', () => {
  const bundle = async (choice: Partial<BundleChoice> = {}) => {
    const { bytes } = await wholeBundle(memory, { loamVersion: '0', now: NOW, vectors: false, ...choice })
    return { bytes, checked: await checkedBundle(bytes) }
  }
  const holds = async (checked: CheckedBundle, text: string): Promise<boolean> => {
    for (const file of [HISTORY, 'data/passage.jsonl', 'data/passages.jsonl'])
      for await (const line of checked.lines(file)) if (line.includes(text)) return true
    return false
  }

  it('is whole without own files: its history does not name them, and makes a memory of everything else', async () => {
    const { checked } = await bundle()
    expect(checked.manifest.counts['passage']).toBeUndefined()
    expect(checked.manifest.commits).toBeGreaterThan(0)
    expect(await holds(checked, SECRET)).toBe(false)
    const other = await emptyMemory(join(folder, 'other'))
    expect(await importBundleFile(other, checked, { now: NOW })).toMatchObject({ whole: true })
    expect(await other.items('lesson')).toEqual(await memory.items('lesson'))
    expect(await other.items('passage')).toEqual([])
    await other.close()
  })

  it('takes them along where everything is ticked', async () => {
    const { checked } = await bundle({ kinds: ['attempts', 'rubrics', ...ALL] })
    expect(checked.manifest.counts['passage']).toBe(1)
    expect(await holds(checked, SECRET)).toBe(true)
    expect(checked.manifest.commits).toBeGreaterThan(0)
  })
})

it('words about kinds are made from the list of kinds', () => {
  const names = MEMORY_KINDS.map(({ info }) => info.titleMany.toLowerCase())
  const { keeps } = writableFormat('csv')
  for (const name of names.filter((one) => one !== 'soft prompts')) expect(keeps).toContain(name)
  expect(kindWords(leavingKinds(['case', 'lesson', 'note']))).toBe('cases, lessons and notes')
  expect(countWords({ attempts: 1, case: 2, strategies: 1, summaries: 3, rubrics: 0 })).toBe(
    '1 attempt, 2 cases, 1 strategy, 3 summaries, 0 rubrics',
  )
})
