// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { SoftPromptEntry } from '../../../src/renderer/features/soft-prompts/soft-prompt-entry'
import type { StoredSoftPrompt } from '../../../src/shared/domain/soft-prompt-training'
import type { SoftPrompt } from '../../../src/shared/domain/soft-prompt'
import { draw } from '../ground/render'

const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
const info: SoftPrompt = {
  ...{ format: 1, kind: 'loam-soft-prompt', createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ environment: 'lab-db', space: null, adapter: 'a-t0028.gguf', adapterSha256: 'a', reservedIds: [1] },
  baseModel: { name: 'm', architecture: 'llama', sha256: 'b', sizeBytes: 1, width: 1, vocabulary: 1 },
  ...{ reservedTokens: null, teacher: 8, student: 1, objective: 'tokens', trajectories: ['t'], heldOut: [] },
  settings: {} as SoftPrompt['settings'],
  outcome: {
    ...{ initialLoss: 1, finalLoss: 0.5, initialHeldOutLoss: null, heldOutLoss: null },
    ...{ steps: 1, bestStep: 1, wallMs: 1, curve: [] },
  } as unknown as SoftPrompt['outcome'],
}

const told = (change: Partial<SoftPrompt>): string => {
  const item: StoredSoftPrompt = { state: 'candidate', bytes: 1, info: { ...info, ...change } }
  const consolidation = createStore(() => ({ busy: true, work: null, form: {} })) as never
  return draw(<SoftPromptEntry item={item} stream={null} />, {
    softPrompts: consolidation,
    environments: createStore(() => ({ data: null })) as never,
  }).container.textContent
}

test('a soft prompt that its run tried on held-out tasks is not said to be untried', () => {
  const played = (reward: 0 | 1) => ({ reward, promptTokens: 1 })
  const tasks = [1, 2, 3].map((index) => ({
    ...{ id: `${index}`, index, instruction: '', without: played(0), with: played(1) },
  }))
  const at = '2026-01-01T00:00:00.000Z'
  const text = told({ trial: { at, tasks, gain: 1, ci95: null, served: false, usage } })
  expect(text).not.toContain('Not tried on unseen tasks yet')
  expect(text).toContain('Tried in its run: of 3 held-out tasks 0 were solved without it, 3 with it')
  expect(told({})).toContain('Not tried on unseen tasks yet')
})
