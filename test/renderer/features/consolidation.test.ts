import { expect, test } from 'vitest'
import { compareWords, phaseWords } from '../../../src/renderer/features/soft-prompts/words'
import type { TrainingWork } from '../../../src/shared/domain/soft-prompt-training'
import type { ComparedTask } from '../../../src/shared/domain/soft-prompt'

const work: TrainingWork = {
  jobId: 'one',
  memoryId: 'space',
  kind: 'training',
  phase: 'training',
  waitingFor: null,
  done: 1,
  total: 20,
  etaMs: 60_000,
  startedAt: '2025-01-01T00:00:00.000Z',
  scheduled: false,
  adapter: null,
  problem: null,
  curve: [],
  compared: [],
}
const task = (without: 0 | 1, served: 0 | 1): ComparedTask => ({
  id: 'task',
  index: 0,
  instruction: 'Do it.',
  without: { reward: without, promptTokens: 100 },
  with: { reward: served, promptTokens: 120 },
})

test('says what is going on and what came of it', () => {
  const curve = [{ step: 1, loss: 2, heldOutLoss: null, rate: 0.1 }]
  expect(phaseWords({ ...work, curve })).toBe('2 of 2: learning, step 1 of 20, about 60 s left')
  expect(phaseWords({ ...work, phase: 'waiting', waitingFor: 'a run of case-bank' })).toBe(
    'Waiting for its turn: a run of case-bank has the model',
  )
  expect(compareWords([task(0, 1), task(0, 1)], 2)).toBe(
    '2 tasks: 0 solved without, 2 with. It solves 2 more.',
  )
  expect(compareWords([task(1, 0)], 2)).toBe(
    '1 of 2 tasks so far: 1 solved without, 0 with. It solves 1 fewer.',
  )
})
