// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { TriedInCells } from '../../../../src/renderer/features/experiments/tried-in-cells'
import { TriedSoftPrompts } from '../../../../src/renderer/ground/tried-soft-prompts'
import type { ExperimentReport } from '../../../../src/shared/domain/experiment'
import type { TrialResult } from '../../../../src/shared/domain/soft-prompt'
import { method } from '../../choices'
import { draw } from '../../ground/render'
import { experiment } from './fixtures'

const trial: TrialResult = {
  ...{ due: 28, tasks: 8, without: 1, with: 7, gain: 0.75, ci95: [0.4, 1], served: true },
}

const drawn = (cells: readonly object[]) =>
  draw(<TriedInCells info={experiment()} />, {
    experiments: createStore(() => ({
      report: { id: 'exp-1', cells } as unknown as ExperimentReport,
    })) as never,
    methods: createStore(() => ({ data: [method('none', false), method('evosc')] })) as never,
  }).container

test('an experiment says of each cell that trained soft prompts how they did, in the words of its run', () => {
  const shelved = { ...trial, due: 14, with: 1, gain: 0, ci95: null, served: false }
  const page = drawn([
    { key: 'none-s1', method: 'none', exp: 0, seed: 1 },
    { key: 'evosc-s1', method: 'evosc', exp: 4, seed: 1, tried: [shelved, trial] },
  ])
  expect([...page.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^The evosc, K 4, seed 1The soft prompt trained after 14 tasks stays on the shelf/),
  ])
  const run = draw(<TriedSoftPrompts tried={[shelved, trial]} />).container
  expect(page.textContent).toContain(run.textContent)
  expect(run.textContent).toContain('is served: of 8 held-out tasks 1 was solved without it, 7 with it')
})

test('an experiment says which cells went on without a soft prompt, since it could not be trained', () => {
  const problem = { code: 'TRAINER_MEMORY', title: 'No room', cause: 'It takes 9 GB.', suggestion: 'Less.' }
  const untrained = [{ due: 14, problem }]
  const page = drawn([{ key: 'evosc-s1', method: 'evosc', exp: 4, seed: 1, untrained }])
  expect(page.textContent).toContain(
    'No soft prompt was trained after 14 tasks, and the run went on without: It takes 9 GB.',
  )
})

test('of cells that tried none it says nothing', () => {
  expect(drawn([{ key: 'none-s1', method: 'none', exp: 0, seed: 1, tried: [] }]).textContent).toBe('')
})
