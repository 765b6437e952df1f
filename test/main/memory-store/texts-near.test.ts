import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MemoryEvent } from '../../../src/core/ground/ports'
import type { MethodContext, RecallInput } from '../../../src/core/ground/method'
import { correctedFact, rememberedFact } from '../../../src/core/memory/facts/new-fact'
import { FACT_KIND } from '../../../src/core/memory/facts/fact'
import { factParts } from '../../../src/core/memory/facts/recall-facts'
import { intoProject } from '../../../src/core/memory/items/projects'
import { scopedBank } from '../../../src/core/memory/items/scoped-bank'
import { EVERYDAY_ASKS } from '../../../src/core/retrieval/everyday-asks'
import { builtInEncoder } from '../../../src/main/embedders/built-in-encoder'
import { listItems } from '../../../src/main/items/list-items'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import type { LearnedText } from '../../../src/shared/domain/memory'
import { itemQuerySchema } from '../../../src/shared/domain/item'
import { otherNotes, recallNotes } from '../../fixtures/recall/recall-notes'
import { inTempFolder, timeOf } from './fixtures'

const embedder = builtInEncoder(join(import.meta.dirname, '../../../models/loam-encoder.bin'))
const notes = recallNotes()
const OTHERS = 300

const told = (n: number, text: string, question?: string): MemoryEvent => {
  const origin = { runId: 'written', trajectoryId: 'written', environment: 'questions', at: timeOf(n) }
  const id = `fact-${n}`
  const memory = question
    ? correctedFact(question, text, { ...origin, id })
    : rememberedFact(text, { ...origin, id })
  return { kind: 'memory-added', memory }
}

const inMemory = (body: (memory: StoredMemory, reopen: () => Promise<StoredMemory>) => Promise<void>) =>
  inTempFolder(async (folder) => {
    let memory = await openMemory({ folder, embedder })
    const reopen = async (): Promise<StoredMemory> => {
      await memory.close()
      await rm(join(folder, 'lance-texts'), { recursive: true, force: true })
      memory = await openMemory({ folder, embedder })
      return memory
    }
    await memory.commit([
      ...notes.map(({ text, near }, n) => told(n, text, n % 3 === 0 ? near : undefined)),
      ...otherNotes(OTHERS).map((text, i) => told(notes.length + i, text)),
    ])
    await body(memory, reopen)
    await memory.close()
  })

const recalled = async (bank: MethodContext['bank'], instruction: string) => {
  const parts = await factParts({ task: { instruction } } as RecallInput, { bank, embedder }, 2)
  return parts.map(({ text, item }) => `${text} ${item.score?.toFixed(6)}`)
}

test('of many facts those near a text are compared, and what is recalled is as if each were', () =>
  inMemory(async (memory) => {
    const each = Object.create(memory, { texts: { value: undefined } }) as StoredMemory
    const asks = [
      ...notes.slice(0, 30).flatMap(({ near, otherWords }) => [near, otherWords]),
      ...EVERYDAY_ASKS.slice(0, 10),
    ]
    let count = 0
    for (const ask of asks) {
      const all = await recalled(each, ask)
      expect(await recalled(memory, ask), ask).toEqual(all)
      count += all.length
    }
    expect(count).toBeGreaterThan(20)
    expect((await memory.texts?.near(FACT_KIND, 'a key', 10))?.ids.size).toBeLessThan(60)
  }))

test('they follow what is edited, deleted and moved to a project, and the index can be made again', () =>
  inMemory(async (memory, reopen) => {
    const ask = 'Where is the cello of Ottilie?'
    expect(await recalled(memory, ask)).toEqual([])
    const change = { of: FACT_KIND, itemId: 'fact-0', at: timeOf(5000) }
    const statement = 'The cello of Ottilie is at the restorer in Graz.'
    await memory.commit([{ kind: 'item-edited', id: 'edit-1', values: { statement }, ...change }])
    expect((await recalled(memory, ask))[0]).toContain(statement)
    expect((await recalled(await reopen(), ask))[0]).toContain(statement)
    memory = await reopen()
    await memory.commit(intoProject([{ kind: FACT_KIND, id: 'fact-0' }], 'music', timeOf(5001)))
    expect(await recalled(scopedBank(memory, 'garden'), ask)).toEqual([])
    expect((await recalled(scopedBank(memory, 'music'), ask))[0]).toContain(statement)
    await memory.commit([{ kind: 'item-deleted', ...change }])
    expect(await recalled(memory, ask)).toEqual([])
    await memory.close()
  }))

const titles = async (memory: StoredMemory, kind: string, text: string): Promise<string[]> => {
  const query = itemQuerySchema.parse({ memoryId: '', kinds: [kind], text, mode: 'hybrid', k: 5, limit: 5 })
  const { rows } = await listItems(memorySourceOf(memory), query, { now: new Date(), embedder })
  return rows.map(({ title }) => title)
}

test('a search by meaning finds the oldest of many, of whichever kind', () =>
  inMemory(async (memory) => {
    const others = otherNotes(1200)
    const workflow = (n: number, goal: string, step: string): MemoryEvent => ({
      kind: 'memory-added',
      memory: {
        ...{
          kind: 'workflow',
          id: `workflow-${n}`,
          runId: 'run',
          trajectoryIds: ['t'],
          environment: 'lab-os',
        },
        ...{ createdAt: timeOf(n), goal, steps: [step] },
      } as LearnedText,
    })
    await memory.commit([
      ...others.slice(300).map((text, i) => told(1000 + i, text)),
      workflow(0, 'Mend a bicycle tyre', 'Take the wheel off, find the hole and glue a patch over it.'),
      ...others.map((text, i) => workflow(1 + i, `Workflow ${i}`, text)),
    ])
    const [, first] = notes
    expect(await titles(memory, FACT_KIND, first?.near ?? '')).toContain(first?.text)
    expect(await titles(memory, 'workflow', 'repair the flat tire of a bike')).toContain(
      'Mend a bicycle tyre',
    )
  }))

test('few facts are compared one by one', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder })
    await memory.commit([told(1, 'The cello is in Graz.')])
    expect(await memory.texts?.near(FACT_KIND, 'Where is the cello?', 10)).toBe(null)
    expect((await recalled(memory, 'Where is the cello?'))[0]).toContain('Graz')
    await memory.close()
  }))
