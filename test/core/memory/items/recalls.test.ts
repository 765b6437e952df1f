import { expect, test } from 'vitest'
import { judgedAttempt } from '../../../../src/core/agent/taught-attempt'
import { recallsOf } from '../../../../src/core/memory/items/recalls'
import { applyEvents, emptyMemoryState } from '../../../../src/core/memory/memory-state'
import type { VerdictInput } from '../../../../src/shared/domain/ask'
import type { Trajectory } from '../../../../src/shared/domain/trajectory'
import { attempt } from '../../../main/memory-store/fixtures'

const [event] = attempt(1, 'state')
if (event?.kind !== 'trajectory-added') throw new Error('An attempt begins with its trajectory.')
const recalled: Trajectory['recalled'] = [
  {
    kind: 'passage',
    id: 'p1',
    title: 'harbor.md, line 1',
    score: 1,
    scoreKind: 'hybrid',
    reward: null,
    trajectoryId: null,
    tokens: 9,
  },
]
const shown: Trajectory = { ...event.trajectory, recalled }

test('a verdict that is given anew counts in the place of the one before, each attempt by itself', () => {
  const state = emptyMemoryState()
  let at = 0
  const judge = (one: Trajectory, verdict: VerdictInput['verdict']) => {
    const said = { verdict, answer: null, wrongAt: null, note: null }
    const trajectory = judgedAttempt(one, said, `${one.id}-${at}`)
    applyEvents(state, [{ kind: 'trajectory-added', trajectory }], at++)
    return recallsOf(state.recalls, 'passage', ['p1'])
  }
  expect(judge(shown, 'right')).toMatchObject({ recalled: 1, judged: 1, helped: 1 })
  // It was a slip of the key, and then there was more to say.
  expect(judge(shown, 'wrong')).toMatchObject({ recalled: 1, judged: 1, helped: 0 })
  expect(judge(shown, 'wrong')).toMatchObject({ recalled: 1, judged: 1, helped: 0 })
  const other = { ...shown, id: 'another-try' }
  expect(judge(other, 'right')).toMatchObject({ recalled: 2, judged: 2, helped: 1 })
  expect(judge(shown, 'right')).toMatchObject({ recalled: 2, judged: 2, helped: 2 })
})
