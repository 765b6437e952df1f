import { beforeAll, describe, expect, test } from 'vitest'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import { twoRounds } from './agent-kb-attempt'
import { attemptAt, openLab, taskAt } from './fixtures'

/**
 * Table 3 of the paper: each ablation leaves out its own part of the loop and nothing else. One attempt with an error in its first round is played with
 * all parts, then without each; what every role was asked, and what the agent was shown, is compared.
 */
const json = (value: unknown): string => JSON.stringify(value)
const ROLES = [
  ['reason', 'Plan how to do', json({ plan: ['Look.', 'Count.'], queries: ['count bookings'] })],
  ['refine', 'Adapt past', json({ adaptations: ['a'], plan: ['Look.', 'Count.'] })],
  ['trouble', 'An attempt ran into trouble. Read', json({ summary: 'Misspelt.', queries: ['spelling'] })],
  [
    'fix',
    'An attempt ran into trouble. Improve',
    json({ suggestions: ['Read.'], plan: ['Look.', 'Count.'] }),
  ],
  [
    'abstract',
    'You turn the log',
    json({ agent_plan: '1.', agent_experience: ['Once.'], constraints: [], keywords: [] }),
  ],
] as const
const EXPERIENCE = /\n\nSimilar task \((?:success|failure)\)[^]*$/
const PLAN_SO_FAR = /\n\nPlan so far:(?:\n\d+\. [^\n]*)+/

async function play(settings: NonNullable<SettingChanges['agent-kb']>) {
  const lab = openLab(
    agentKb,
    ({ messages }) =>
      ROLES.find(([, begin]) => messages[0]?.content.startsWith(begin))?.[2] ??
      'Action: Answer\nFinal Answer: 1',
    { k: 3, settings: { 'agent-kb': { dedup: false, ...settings } } },
  )
  await lab.live(attemptAt(1, 1), attemptAt(2, 1))
  const before = lab.model.requests.length
  const trajectory = await twoRounds(lab, { failed: true, observation: 'no x' })
  const { events } = await agentKb.learn(trajectory, lab.context)
  const asked = lab.model.requests.slice(before).map(({ messages }) => ({
    role: ROLES.find(([, begin]) => messages[0]?.content.startsWith(begin))?.[0] ?? 'act',
    // Wall-clock times and tokens are no part of it: the messages are all there is.
    text: messages
      .slice(1)
      .map(({ content }) => content)
      .join('\n\n'),
  }))
  const texts = (role: string): string[] => asked.flatMap((one) => (one.role === role ? [one.text] : []))
  return {
    roles: asked.map(({ role }) => role),
    texts,
    decisions: trajectory.decisions ?? [],
    stages: (trajectory.decisions ?? []).map(({ stage, applied, why }) => [stage, applied, why]),
    found: (trajectory.decisions ?? []).map(({ retrieved }) => retrieved.map(({ id }) => id)),
    kept: events.map(({ kind }) => kind),
  }
}
type Played = Awaited<ReturnType<typeof play>>

let whole: Played
beforeAll(async () => {
  whole = await play({})
})

const BOTH = [
  ['planning', true, 'applied'],
  ['feedback', true, 'applied'],
]
const KEPT = ['experience-added', 'experience-used', 'experience-used']

test('with all parts: both stages reason, retrieve and refine', () => {
  expect(whole.roles).toEqual(['reason', 'refine', 'act', 'trouble', 'fix', 'act', 'abstract'])
  expect(whole.stages).toEqual(BOTH)
  expect(whole.kept).toEqual(KEPT)
  expect(whole.texts('act')[0]).toContain('Plan:\n1. Look.\n2. Count.')
})

describe('table 3', () => {
  test('without the planning stage: the feedback stage is as it was, and its gate compares a plan with a plan', async () => {
    const played = await play({ planning: false })
    expect(played.roles).toEqual(['act', 'trouble', 'fix', 'reason', 'act', 'abstract'])
    expect(played.stages).toEqual([['feedback', true, 'applied']])
    expect(played.decisions[0]).toMatchObject({ plan: '1. Look.\n2. Count.', refined: '1. Look.\n2. Count.' })
    expect(played.decisions[0]?.cosine).toBeCloseTo(1)
    expect(played.texts('trouble')).toEqual(whole.texts('trouble'))
    expect(played.texts('fix')[0]).toBe(whole.texts('fix')[0]?.replace(PLAN_SO_FAR, ''))
    expect(played.found).toEqual(whole.found.slice(1))
    expect(played.kept).toEqual(KEPT)
  })

  test('without the feedback stage: planning is as it was', async () => {
    const played = await play({ feedback: 'off' })
    expect(played.roles).toEqual(['reason', 'refine', 'act', 'act', 'abstract'])
    for (const role of ['reason', 'refine']) expect(played.texts(role)).toEqual(whole.texts(role))
    expect(played.texts('act')[0]).toBe(whole.texts('act')[0])
    expect(played.kept).toEqual(KEPT)
  })

  test('without Reason: both stages search for the task and the log as they are, and refine what they find', async () => {
    const played = await play({ reason: false })
    expect(played.roles).toEqual(['refine', 'act', 'fix', 'act', 'abstract'])
    expect(played.stages).toEqual(BOTH)
    expect(played.decisions.map(({ queries }) => queries)).toEqual([
      [taskAt(9).instruction],
      [`${taskAt(9).instruction} no x`],
    ])
    const experiences = (text = ''): string[] => (EXPERIENCE.exec(text)?.[0] ?? '').split('\n\n').sort()
    expect(experiences(played.texts('refine')[0])).toEqual(experiences(whole.texts('refine')[0]))
    expect(played.texts('act')[0]).toBe(whole.texts('act')[0])
    expect(played.kept).toEqual(KEPT)
  })

  test('without Retrieve: both stages reason and refine by their prompts alone, and the agent keeps the plan', async () => {
    const played = await play({ retrieve: false })
    expect(played.roles).toEqual(whole.roles)
    expect(played.stages).toEqual(BOTH)
    expect(played.found).toEqual([[], []])
    for (const role of ['reason', 'trouble']) expect(played.texts(role)).toEqual(whole.texts(role))
    for (const role of ['refine', 'fix'])
      expect(played.texts(role)[0]).toBe(whole.texts(role)[0]?.replace(EXPERIENCE, ''))
    expect(played.texts('act')).toEqual(whole.texts('act'))
    expect(played.kept).toEqual(['experience-added'])
  })

  test('without Refine: the same is reasoned and found, and shown as it is', async () => {
    const played = await play({ refine: false })
    expect(played.roles).toEqual(['reason', 'act', 'trouble', 'act', 'abstract'])
    expect(played.stages).toEqual(BOTH)
    for (const role of ['reason', 'trouble']) expect(played.texts(role)).toEqual(whole.texts(role))
    expect(played.found).toEqual(whole.found)
    expect(played.texts('act')[0]).toMatch(/Similar task \(success\)/)
    expect(played.texts('act')[1]).toMatch(/no x\n\nSimilar task \(success\)/)
    expect(played.kept).toEqual(KEPT)
  })

  test('raw workflow: what the bare task and the bare log find is shown as it is, and no role is asked', async () => {
    const played = await play({ raw: true })
    expect(played.roles).toEqual(['act', 'act', 'abstract'])
    expect(played.stages).toEqual(BOTH)
    expect(played.texts('act')[0]).toMatch(/Similar task \(success\)/)
    expect(played.kept).toEqual(KEPT)
  })
})
