import { expect, test } from 'vitest'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import type { KbDecision } from '../../../src/shared/domain/experience'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { step } from '../../../src/core/memory/experiences/import/log'
import { experienceOf } from '../memory/experiences/fixtures'
import { attemptAt, openLab } from './fixtures'

const json = (value: unknown): string => JSON.stringify(value)
const WRONG = 'Harbor rules: cancelled X, kind number.'

/** A lab whose writer says of every attempt what it is told to. */
const lab = (said: string) =>
  openLab(
    agentKb,
    ({ messages }) =>
      messages[0]?.content.startsWith('You turn the log') === true
        ? json({ agent_plan: '1. Count.', agent_experience: [said], constraints: [], keywords: ['count'] })
        : json({ plan: ['Count.'], queries: ['count bookings'], adaptations: [] }),
    { k: 3, settings: { 'agent-kb': { dedup: false } } },
  )

const decision = (refined: string): KbDecision => ({
  stage: 'planning',
  round: null,
  trigger: 'task',
  queries: [],
  retrieved: [
    { id: 'told', title: 'told', framework: 'smolagents', score: 1, textScore: null, semanticScore: null },
  ],
  summary: '',
  adaptations: [],
  plan: '1. Count.',
  refined,
  cosine: 1,
  beta: 0.8,
  applied: true,
  why: 'applied',
  cost: {},
})
const FOLLOWED = '1. Note Harbor rules: cancelled X, kind ?.\n2. Count.'

/** An attempt that was told the experience, took one of its statements into its plan, and looked nothing up. */
const attempt = (n: number, reward: 0 | 1, change: Partial<Trajectory> = {}): Trajectory =>
  attemptAt(n, reward, {
    decisions: [decision(FOLLOWED)],
    rounds: attemptAt(n, reward).rounds.map((round) => ({
      ...round,
      completion: `Harbor rules: cancelled X\n${round.completion}`,
    })),
    ...change,
  })

const told = async (kb: ReturnType<typeof lab>) => {
  await kb.memory.commit([
    {
      kind: 'experience-added',
      compared: true,
      experience: experienceOf('told', 'Count the bookings of kind 0.', { agentExperience: [WRONG] }),
    },
  ])
  return kb
}
const standing = async (kb: ReturnType<typeof lab>) => (await kb.memory.experiences.get('told'))?.standing

test('a statement that an attempt followed and failed with loses utility and is left out of what is recalled', async () => {
  const kb = await told(lab('Count once.'))
  await kb.live(attempt(1, 0))
  expect((await standing(kb))?.rules?.['harbor rules: cancelled x']).toBeCloseTo(0.4)
  expect((await standing(kb))?.rules).not.toHaveProperty('harbor rules: kind number')
  await kb.recall(9)
  const asked = kb.model.requests.at(-1)?.messages[1]?.content ?? ''
  expect(asked).toContain('Harbor rules: kind number.')
  expect(asked).not.toContain('cancelled X')
})

test('what was borne out outlives one failure; an attempt that came to no answer says nothing about it', async () => {
  const kb = await told(lab('Count once.'))
  await kb.live(attempt(1, 0, { finish: 'round-limit' }))
  expect((await standing(kb))?.rules).toBeUndefined()
  await kb.live(attempt(2, 1), attempt(3, 0))
  expect((await standing(kb))?.rules?.['harbor rules: cancelled x']).toBeCloseTo(0.48)
})

test('what a failed attempt had been told is not confirmed by being written down again', async () => {
  const kb = await told(lab('Harbor rules: cancelled X, kind 3.'))
  await kb.live(attempt(3, 0))
  expect((await kb.memory.experiences.get('exp-r1-t0003'))?.experience.agentExperience).toEqual([
    'Harbor rules: kind 3.',
  ])
  await kb.live(attempt(4, 1))
  expect((await kb.memory.experiences.get('exp-r1-t0004'))?.experience.agentExperience).toEqual([
    'Harbor rules: cancelled X.',
  ])
})

test('imported experiences move like any other, and note the framework they helped in', async () => {
  const kb = await told(lab('Count once.'))
  await kb.live(attempt(1, 1))
  const { utility, uses, transfers } = (await standing(kb)) ?? {}
  expect([utility, uses, transfers]).toEqual([0.6, 1, ['loam']])
})

/** An experience of another framework, whose attempt looked one of its two rules up. */
const imported = (
  outcome: 'success' | 'failure',
  last: 'answer' | 'query',
  rules = 'cancelled K, kind cents',
) =>
  experienceOf('told', 'Count the bookings of kind 0.', {
    agentExperience: [`Harbor rules: ${rules}.`],
    steps: [
      step({
        verb: 'query',
        content: 'SELECT word, code FROM codes',
        reason: 'kind cents?',
        observation: "[('cancelled', 'K')]",
      }),
      step({ verb: last, content: '3' }),
    ],
    meta: { framework: 'smolagents', outcome },
  })

test.each([
  ['that was right', 'success', 'answer', ['cancelled K', 'kind cents']],
  ['that came to no answer', 'failure', 'query', ['cancelled K', 'kind cents']],
  ['that was wrong', 'failure', 'answer', ['cancelled K']],
] as const)(
  'of an attempt %s, wherever it was made, this is believed',
  async (_, outcome, last, expected) => {
    const kb = lab('Count once.')
    await kb.memory.commit([{ kind: 'experience-added', experience: imported(outcome, last) }])
    await kb.recall(9)
    const asked = kb.model.requests.at(-1)?.messages[1]?.content ?? ''
    expect(asked).toContain(`Harbor rules: ${expected.join(', ')}.`)
  },
)

test('an experience of which nothing is believed leaves its place to the next', async () => {
  const kb = lab('Count once.')
  await kb.memory.commit([
    { kind: 'experience-added', experience: imported('failure', 'answer', 'cancelled X, kind cents') },
  ])
  expect((await kb.recall(9)).decisions).toMatchObject([{ retrieved: [], why: 'nothing-found' }])
})

test('what is refuted in one experience is refuted in all that say the same, until an attempt bears it out anew', async () => {
  const kb = await told(lab('Harbor rules: cancelled X.'))
  const copy = experienceOf('copy', 'Count the bookings of kind 0 again.', { agentExperience: [WRONG] })
  await kb.memory.commit([{ kind: 'experience-added', experience: copy }])
  await kb.live(attempt(1, 0))
  const shown = async (): Promise<string> => {
    await kb.recall(9)
    return kb.model.requests.at(-1)?.messages[1]?.content ?? ''
  }
  expect(await shown()).not.toContain('cancelled X')
  // Nobody told it: it was found out.
  await kb.live(attempt(2, 1, { decisions: [] }))
  expect(await shown()).toContain('cancelled X')
})
