import { expect, test } from 'vitest'
import { learningAnswers, toldId } from '../../../src/core/lab/told-answers'
import { NOTHING_LEARNED, type Learned } from '../../../src/core/ground/method'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { attemptAt } from '../methods/fixtures'

/** What was learned from, and the events that came of it. */
async function taught(attempt: Trajectory, answer: string | null) {
  const heard: Trajectory[] = []
  const learn = (one: Trajectory): Promise<Learned> => {
    heard.push(one)
    return Promise.resolve(NOTHING_LEARNED)
  }
  const { events } = await learningAnswers(learn, () => answer)(attempt)
  return { heard, events }
}

test('a wrong answer is learned from as it should have been', async () => {
  const wrong = attemptAt(0, 0, { unaided: true })
  const { heard, events } = await taught(wrong, 'Odile')
  const [right] = heard
  expect(heard).toHaveLength(1)
  expect(right).toMatchObject({ id: toldId(wrong.id), reward: 1, finish: 'completed', recalled: [] })
  expect(right?.rounds.map(({ action }) => action)).toEqual([{ kind: 'answer', content: 'Odile' }])
  // Its world vouches for it, no person.
  expect(right?.judgedBy).toBeUndefined()
  expect(right?.unaided).toBeUndefined()
  expect(events).toEqual([{ kind: 'trajectory-added', trajectory: right }])
})

test.each<[string, Partial<Trajectory>, string | null]>([
  ['right', { reward: 1 }, 'Odile'],
  ['held out', { reward: 0, heldOut: true }, 'Odile'],
  ['not graded', { reward: 0, ungraded: 'No judge.' }, 'Odile'],
  ['without a known answer', { reward: 0 }, null],
])('what was %s is learned from as it was', async (_, change, answer) => {
  const attempt = attemptAt(0, 0, change)
  const { heard, events } = await taught(attempt, answer)
  expect(heard).toEqual([attempt])
  expect(events).toEqual([])
})
