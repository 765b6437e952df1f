import { describe, expect, it } from 'vitest'
import { firstBadStep, givenBy, suspectsOf } from '../../../src/core/lab/why'
import { NO_USAGE, type Round, type Trajectory } from '../../../src/shared/domain/trajectory'

const act = (index: number, content: string, observation: string | null): Round => ({
  index,
  completion: content,
  action: { kind: 'operation', content },
  observation,
  usage: NO_USAGE,
})
const answer = (index: number, content: string): Round => ({
  ...act(index, content, null),
  action: { kind: 'answer', content },
})
const attempt = (rounds: Round[], finish: Trajectory['finish'] = 'completed') => ({ rounds, finish })

describe('the first bad step', () => {
  it('is the one that ended in an error, in no form, or went round in circles', () => {
    expect(
      firstBadStep(attempt([act(0, 'SELECT x', "1054 (42S22): Unknown column 'x'"), answer(1, '1')]), null),
    ).toMatchObject({ step: 0 })
    expect(
      firstBadStep(attempt([act(0, 'read_file {}', 'The call failed. No such file.')]), null),
    ).toMatchObject({ step: 0 })
    const lost: Round = { ...act(0, '?', null), action: { kind: 'invalid', reason: 'No action.' } }
    expect(firstBadStep(attempt([lost], 'invalid-action'), null)).toEqual({
      step: 0,
      reason: 'It wrote no action: No action.',
    })
    const circle = [act(0, 'SELECT 1', '[(1,)]'), act(1, 'SELECT  1', '[(1,)]')]
    expect(firstBadStep(attempt(circle), null)).toMatchObject({
      step: 1,
      reason: expect.stringContaining('step 1') as unknown,
    })
  })
  it('compares with what was expected', () => {
    const expected = 'SELECT COUNT(*) FROM t\n[(3,)]'
    expect(
      firstBadStep(attempt([act(0, 'SELECT COUNT(*) FROM t', '[(3,)]'), answer(1, '[(4,)]')]), expected),
    ).toMatchObject({ step: 1 })
    expect(
      firstBadStep(attempt([act(0, 'SELECT 5', '[(5,)]'), answer(1, '[(5,)]')]), expected),
    ).toMatchObject({ step: 0 })
    expect(
      firstBadStep(attempt([act(0, 'SELECT COUNT(*) FROM t', '[(3,)]')], 'round-limit'), expected)?.reason,
    ).toContain('no round was left')
    expect(firstBadStep(attempt([answer(0, 'x')]), null)).toBeNull()
  })
})

describe('who may have misled it', () => {
  const item = { kind: 'case', id: 'a', title: 'a', reward: 1, text: '', helped: 0, judged: 0 }
  const trajectory = {
    ...attempt([act(0, "UPDATE bookings SET price = 4500, archived = 'B'", '[]')]),
    task: {
      id: 't',
      index: 0,
      environment: 'e',
      instruction: 'Archive the bookings',
      context: '',
      skills: [],
    },
  }
  it('is what its action was copied from, before what failed and what seldom helps', () => {
    const suspects = suspectsOf(trajectory, [
      { ...item, id: 'fine', text: 'SELECT name FROM ships' },
      { ...item, id: 'seldom', helped: 1, judged: 4 },
      { ...item, id: 'copied', text: "Solved: UPDATE bookings SET price = 4500, archived = 'B';" },
      { ...item, id: 'failed', reward: 0 },
    ])
    expect(suspects.map(({ id }) => id)).toEqual(['copied', 'seldom', 'failed'])
    expect(suspects[1]?.reason).toBe('it helped 1 of 4 times.')
  })
})

it('what was given names action, result and answer once each', () => {
  expect(givenBy(attempt([act(0, 'A', 'r'), answer(1, 'r')]))).toBe('A\nr')
  expect(givenBy(attempt([act(0, 'A', 'r'), answer(1, 's')]))).toBe('A\nr\nAnswer: s')
  expect(
    givenBy({ ...attempt([]), question: { level: null, dataset: null, answer: null, grades: null } }),
  ).toContain('No answer')
})
