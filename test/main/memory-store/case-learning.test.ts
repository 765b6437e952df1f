import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caseOf } from '../../../src/core/memory/cases/recalled-case'
import { CHECKPOINT_EVERY } from '../../../src/core/memory/cases/learner'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import type { MethodContext } from '../../../src/core/ground/method'
import type { CaseWrite } from '../../../src/core/ground/ports'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { attemptAt, scriptedModel, shippedPrompts, taskAt } from '../../core/methods/fixtures'
import { inTempFolder, wordEmbedder } from './fixtures'
import { caseEdits } from './case-edits'

const embedder = wordEmbedder(64)
const context = (bank: StoredMemory): MethodContext => ({
  bank,
  embedder,
  model: scriptedModel([]),
  prompts: shippedPrompts,
  settings: {},
  k: 4,
  seed: 1,
})

/** Plays tasks as the runner does, each solved or not by its number; answers what was recalled. */
async function play(memory: StoredMemory, from: number, to: number): Promise<unknown[]> {
  const recalls: unknown[] = []
  for (let n = from; n < to; n++) {
    const { retrieved } = await caseBankQ.recall({ task: taskAt(n % 20), context: 'tables' }, context(memory))
    const recalled = retrieved.map(({ item }) => ({ ...item, tokens: 1 }))
    recalls.push(recalled)
    const attempt = attemptAt(n, n % 3 === 0 ? 0 : 1, { recalled })
    const trajectory = { ...attempt, task: { ...attempt.task, instruction: taskAt(n % 20).instruction } }
    await memory.commit([
      { kind: 'trajectory-added', trajectory },
      { kind: 'case-added', case: caseOf(trajectory) },
    ])
  }
  return recalls
}

const all = async (writes: AsyncIterable<CaseWrite>): Promise<CaseWrite[]> => {
  const found: CaseWrite[] = []
  for await (const write of writes) found.push(write)
  return found
}

describe('a memory that cases are learned in', () => {
  it('hands out its cases in order of arrival with their attempts and vectors', () =>
    inTempFolder(async (folder) => {
      const open = () => openMemory({ folder, embedder, tuning: { pendingRows: 8 } })
      const memory = await open()
      await play(memory, 0, 20)
      await caseEdits(memory).deleteCase('case-r1-t0003')
      await memory.commit([
        { kind: 'case-added', case: { ...caseOf(attemptAt(99, 1)), trajectoryId: 'from elsewhere' } },
      ])
      const before = await all(memory.writes(0))
      expect(before.map((write) => write.case.id).slice(0, 3)).toEqual([
        'case-r1-t0000',
        'case-r1-t0001',
        'case-r1-t0002',
      ])
      expect(before).toHaveLength(21)
      expect(before[3]?.case.deletedAt).not.toBeNull()
      expect(before[5]?.attempt?.recalled).toHaveLength(4)
      expect(before[20]?.attempt).toBeNull()
      for (const { case: written, vector } of before)
        expect([vector]).toEqual(await embedder.embed([written.state]))
      expect(await all(memory.writes(19))).toEqual(before.slice(19))
      expect(await all(memory.writes(21))).toEqual([])
      await memory.close()
      const again = await open()
      expect(await all(again.writes(0))).toEqual(before)
      await again.close()
    }))

  it('recalls the same after being closed as if it had stayed open, with and without its checkpoint', () =>
    inTempFolder(async (one) =>
      inTempFolder(async (two) => {
        const tasks = CHECKPOINT_EVERY + 30
        const stayed = await openMemory({ folder: one, embedder })
        const expected = await play(stayed, 0, tasks)
        await stayed.close()
        const recalls: unknown[] = []
        for (const [from, to] of [
          [0, 20],
          [20, CHECKPOINT_EVERY + 5],
          [CHECKPOINT_EVERY + 5, tasks],
        ] as const) {
          const memory = await openMemory({ folder: two, embedder })
          recalls.push(...(await play(memory, from, to)))
          await memory.close()
        }
        expect(recalls).toEqual(expected)
        expect((await readdir(join(two, 'artifacts'))).filter((name) => name.endsWith('.bin'))).toHaveLength(
          1,
        )
      }),
    ))
})
