import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CaseRecord, CaseVersion } from '../../../src/shared/domain/case'
import { written } from '../../core/formats/memories'
import { caseOf } from '../../../src/core/memory/cases/recalled-case'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import type { Method, MethodContext } from '../../../src/core/ground/method'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { attemptAt, scriptedModel, shippedPrompts, taskAt } from '../../core/methods/fixtures'
import { inTempFolder, wordEmbedder } from './fixtures'
import { caseEdits } from './case-edits'

const embedder = wordEmbedder(64)
const context = (bank: StoredMemory, over: Partial<MethodContext> = {}): MethodContext => ({
  bank,
  embedder,
  model: scriptedModel([]),
  prompts: shippedPrompts,
  settings: {},
  k: 3,
  seed: 1,
  ...over,
})
const idOf = (n: number): string => `case-r1-t${String(n).padStart(4, '0')}`

async function filled(folder: string, count = 12): Promise<StoredMemory> {
  const memory = await openMemory({ folder, embedder, tuning: { pendingRows: 4 } })
  for (let n = 0; n < count; n++) {
    const trajectory = attemptAt(n, n % 3 === 0 ? 0 : 1)
    await memory.commit([
      { kind: 'trajectory-added', trajectory },
      { kind: 'case-added', case: caseOf(trajectory) },
    ])
  }
  return memory
}

const recalled = async (method: Method, memory: StoredMemory, over: Partial<MethodContext> = {}) => {
  const { retrieved } = await method.recall({ task: taskAt(2), context: 'tables' }, context(memory, over))
  return retrieved.map(({ item }) => item)
}

const WAYS: [string, Method, Partial<MethodContext>][] = [
  ['case-bank by meaning', caseBank, {}],
  ['case-bank by words', caseBank, { settings: { 'case-bank': { retrieval: 'text' } } }],
  ['case-bank by both', caseBank, { settings: { 'case-bank': { retrieval: 'hybrid' } } }],
  ['case-bank-q', caseBankQ, {}],
]

describe('what a person decides about cases', () => {
  it.each(WAYS)('%s: pinned cases come first, muted ones never', (_name, method, over) =>
    inTempFolder(async (folder) => {
      const memory = await filled(folder)
      const before = (await recalled(method, memory, over)).map(({ id }) => id)
      expect(before).toHaveLength(3)
      const [, , nearest = ''] = before
      const far = [0, 5, 8, 11].map(idOf).find((id) => !before.includes(id)) ?? ''
      await caseEdits(memory).markCase(nearest, 'muted')
      await caseEdits(memory).markCase(far, 'pinned')
      const after = await recalled(method, memory, over)
      expect(after).toHaveLength(3)
      // Best last: the pinned one stands next to the task.
      expect(after.at(-1)).toMatchObject({ id: far, pinned: true })
      expect(after.map(({ id }) => id)).not.toContain(nearest)
      await caseEdits(memory).markCase(nearest, null)
      await caseEdits(memory).markCase(far, null)
      expect((await recalled(method, memory, over)).map(({ id }) => id)).toEqual(before)
      await memory.close()
    }),
  )

  it('survives a restart, is exported, and can be taken back', () =>
    inTempFolder(async (folder) => {
      const memory = await filled(folder)
      await caseEdits(memory).markCase(idOf(1), 'muted')
      const text = 'How many lanterns hang in the quiet harbour?'
      const told = await caseEdits(memory).correctCase(idOf(4), {
        state: text,
        plan: 'Count them.',
        reward: 0,
      })
      expect(told).toMatchObject({ state: text, plan: 'Count them.', reward: 0 })
      const [query = new Float32Array()] = await embedder.embed([text])
      const found = await memory.nearest(query, 1)
      expect(found[0]).toMatchObject({ case: { id: idOf(4), state: text } })
      expect(found[0]?.score).toBeCloseTo(1)
      expect((await memory.nearest(query, 12, { reward: 1 })).map((hit) => hit.case.id)).not.toContain(
        idOf(4),
      )
      const hash = await memory.contentHash()
      await memory.close()

      const again = await openMemory({ folder, embedder })
      expect(again.opening).toMatchObject({ rebuilt: null, caughtUp: 0 })
      expect(await again.contentHash()).toBe(hash)
      expect((await again.get(idOf(1)))?.mark).toBe('muted')
      const versions = await again.caseVersions(idOf(4))
      expect(versions.map(({ reward }) => reward)).toEqual([1, 0])
      type Line = { kind: string; case: CaseRecord; earlier?: CaseVersion[] }
      const lines = (await written(again, 'loam'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
      const cases = lines.filter(({ kind }) => kind === 'case')
      expect(cases.find((line) => line.case.id === idOf(1))?.case.mark).toBe('muted')
      expect(cases.find((line) => line.case.id === idOf(4))?.earlier).toEqual(versions.slice(0, 1))

      // Taken back by one more correction; the journal keeps all three.
      const [first] = versions
      if (!first) throw new Error('no version')
      const { at: _at, ...original } = first
      expect(await caseEdits(again).correctCase(idOf(4), original)).toMatchObject(original)
      expect(await again.caseVersions(idOf(4))).toHaveLength(3)
      await caseEdits(again).correctCase(idOf(4), original)
      expect(await again.caseVersions(idOf(4))).toHaveLength(3)
      await again.close()
    }))

  it('an index that a crash left without a correction is brought up to date', () =>
    inTempFolder(async (folder) => {
      await (await filled(folder)).close()
      await cp(join(folder, 'lance'), join(folder, 'lance.before'), { recursive: true })
      const memory = await openMemory({ folder, embedder })
      await caseEdits(memory).correctCase(idOf(4), { state: 'A quiet harbour.', plan: '', reward: 0 })
      await memory.close()
      await rm(join(folder, 'lance'), { recursive: true })
      await rename(join(folder, 'lance.before'), join(folder, 'lance'))
      const again = await openMemory({ folder, embedder })
      expect(again.opening).toMatchObject({ rebuilt: null, caughtUp: 1 })
      expect((await again.search('harbour', 1))[0]?.case.id).toBe(idOf(4))
      await again.close()
    }))

  it('a correction has what was learned learned again, the same in a memory that was closed', () =>
    inTempFolder(async (folder) => {
      const memory = await filled(folder, 40)
      const before = await recalled(caseBankQ, memory)
      const known = await memory.get(idOf(39))
      if (!known) throw new Error('no case')
      await caseEdits(memory).correctCase(idOf(39), {
        state: taskAt(2).instruction,
        plan: 'Look twice.',
        reward: 1,
      })
      const after = await recalled(caseBankQ, memory)
      expect(after).not.toEqual(before)
      expect(after.map(({ id }) => id)).toContain(idOf(39))
      await memory.close()
      const again = await openMemory({ folder, embedder })
      expect(await recalled(caseBankQ, again)).toEqual(after)
      await again.close()
    }))

  it('attempts at held-out tasks are never among the recent successes', () =>
    inTempFolder(async (folder) => {
      const memory = await filled(folder, 3)
      await memory.commit([{ kind: 'trajectory-added', trajectory: { ...attemptAt(9, 1), heldOut: true } }])
      const shown = async (opened: StoredMemory) => (await opened.recentSuccesses(9)).map(({ id }) => id)
      expect(await shown(memory)).toEqual(['r1-t0002', 'r1-t0001'])
      await memory.close()
      const again = await openMemory({ folder, embedder })
      expect(await shown(again)).toEqual(['r1-t0002', 'r1-t0001'])
      await again.close()
    }))
})
