// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { SeveralAttempts } from '../../../src/renderer/ground/story/round-view'
import type { Scaling } from '../../../src/shared/domain/trajectory'
import { draw } from './render'

const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
const round = (completion: string) => ({
  ...{ index: 0, completion, observation: null, usage },
  action: { kind: 'answer' as const, content: completion },
})
const scaling: Scaling = {
  how: 'parallel',
  by: 'choice',
  reported: 1,
  usage,
  attempts: [
    { reward: 0, finish: 'completed', rounds: [round('first words')], usage },
    { reward: 1, finish: 'completed', rounds: [round('second words')], usage },
  ],
}

test('several attempts at a task say how each ended, which one counts and why; the others can be read', () => {
  const text = draw(<SeveralAttempts scaling={scaling} />).container.textContent
  expect(text).toContain('The model chose the one that counts, without knowing how any had ended.')
  expect(text).toMatch(/Attempt 1.*Failed.*1 round.*first words/)
  expect(text).toMatch(/Attempt 2.*Solved.*1 round.*counts/)
  expect(text).not.toContain('second words')
})
