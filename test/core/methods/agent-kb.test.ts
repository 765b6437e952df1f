import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import { writeAbstraction, abstractionOf } from '../../../src/core/methods/agent-kb/abstract'
import {
  admission,
  admitExperience,
  evictionPolicy,
  overBudget,
} from '../../../src/core/methods/agent-kb/admit'
import { experienceOfAttempt } from '../../../src/core/methods/agent-kb/from-attempt'
import { SETTINGS } from '../../../src/core/methods/agent-kb/settings'
import {
  CRITIC,
  FEEDBACK_REFINE,
  REASON,
  REFINE,
  templateOf,
} from '../../../src/core/methods/agent-kb/templates'
import type { ReviseInput } from '../../../src/core/ground/method'
import { defaultsOf } from '../../../src/core/ground/settings'
import { winnerOf } from '../../../src/core/methods/agent-kb/rank'
import { evictions } from '../../../src/core/memory/experiences/evict'
import { step } from '../../../src/core/memory/experiences/import/log'
import type { GenerateRequest } from '../../../src/core/ground/ports'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import { experienceOf } from '../memory/experiences/fixtures'
import { timeOf } from '../../main/memory-store/fixtures'
import { twoRounds } from './agent-kb-attempt'
import { attemptAt, openLab, scriptedModel, taskAt, type Reply } from './fixtures'

const json = (value: unknown): string => JSON.stringify(value)
/** Which prompt a request belongs to, by the words its template begins with. */
const ROLES = {
  reason: 'Plan how to do',
  refine: 'Adapt past',
  trouble: 'An attempt ran into trouble. Read',
  fix: 'An attempt ran into trouble. Improve',
  critic: 'Watch an agent',
  rank: 'Two experiences',
  abstract: 'You turn the log',
} as const
type Role = keyof typeof ROLES
const roleOf = (request: GenerateRequest): Role | 'act' =>
  (Object.keys(ROLES) as Role[]).find((role) => request.messages[0]?.content.startsWith(ROLES[role])) ?? 'act'

const REPLIES: Record<Role | 'act', Reply> = {
  reason: json({
    plan: ['Look at the table.', 'Count the bookings.'],
    queries: ['count bookings of a kind'],
  }),
  refine: json({
    adaptations: ['kind 1 -> kind 9'],
    plan: ['Look at the table.', 'Count the bookings of kind 9.'],
  }),
  trouble: json({ summary: 'The column is misspelt.', queries: ['unknown column error'] }),
  fix: json({ suggestions: ['Read the column names.'], plan: ['Look at the table.', 'Count the bookings.'] }),
  critic: json({ verdict: 'in-trouble' }),
  rank: json({ reasoning: 'first', completeness: 'first', transferability: 'first' }),
  abstract: json({
    agent_plan: '1. Count.',
    agent_experience: ['Count once.'],
    constraints: [{ predicate: 'answer-format', argument: 'a number' }],
    keywords: ['count'],
  }),
  act: 'Action: Answer\nFinal Answer: [(1,)]',
}
const replying =
  (change: Partial<Record<Role | 'act', Reply>> = {}) =>
  (request: GenerateRequest) =>
    ({ ...REPLIES, ...change })[roleOf(request)]

const lab = (
  change: Partial<Record<Role | 'act', Reply>> = {},
  settings: NonNullable<SettingChanges['agent-kb']> = {},
) => openLab(agentKb, replying(change), { k: 3, settings: { 'agent-kb': { dedup: false, ...settings } } })
const roles = (of: ReturnType<typeof lab>): string[] => of.model.requests.map(roleOf)

test('an attempt becomes an experience with plan, guidance and constraints', async () => {
  const kb = lab()
  await kb.live(attemptAt(1, 1))
  const stored = await kb.memory.experiences.get('exp-r1-t0001')
  expect(stored?.experience).toMatchObject({
    question: 'Count the bookings of kind 1.',
    agentPlan: '1. Count.',
    agentExperience: ['Count once.'],
    constraints: [{ predicate: 'answer-format', arguments: ['a number'] }],
    origin: 'abstraction',
    trajectoryId: 'r1-t0001',
    meta: { framework: 'loam', domain: 'database', outcome: 'success' },
  })
  expect(stored?.experience.steps).toMatchObject([{ verb: 'answer' }])
})

test('an unusable abstraction keeps the attempt as it was and says why', async () => {
  const kb = lab({ abstract: '{}' })
  await kb.live(attemptAt(1, 0))
  expect((await kb.memory.experiences.get('exp-r1-t0001'))?.experience.origin).toBe('log')
  expect(kb.kinds()).toEqual(['experience-added', 'writing-failed'])
})

test('planning reasons, retrieves and refines, and records all of it', async () => {
  const kb = lab()
  await kb.live(attemptAt(1, 1), attemptAt(2, 1))
  const parts = await kb.recall(9)
  expect(roles(kb).slice(-2)).toEqual(['reason', 'refine'])
  expect(parts.successLessons[0]?.text).toBe('Plan:\n1. Look at the table.\n2. Count the bookings of kind 9.')
  expect(parts.decisions).toMatchObject([
    {
      stage: 'planning',
      trigger: 'task',
      queries: ['count bookings of a kind'],
      adaptations: ['kind 1 -> kind 9'],
      applied: true,
      why: 'applied',
      cost: { reason: { promptTokens: 10 }, refine: { promptTokens: 10 } },
    },
  ])
  expect(parts.decisions?.[0]?.retrieved).toHaveLength(2)
  expect(parts.decisions?.[0]?.cosine).toBeGreaterThan(0.8)
  expect(parts.usage?.promptTokens).toBe(20)
})

test('the gate keeps a plan that disagrees from the agent', async () => {
  const refine = json({ adaptations: [], plan: ['Order a pizza instead.'] })
  const kb = lab({ refine }, { gatePlanning: true })
  await kb.live(attemptAt(1, 1))
  const parts = await kb.recall(9)
  expect(parts.decisions).toMatchObject([{ applied: false, why: 'gate', beta: 0.8 }])
  expect([...parts.successLessons, ...parts.retrieved]).toEqual([])
  const open = lab({ refine }, { gatePlanning: true, beta: -1 })
  await open.live(attemptAt(1, 1))
  expect((await open.recall(9)).decisions).toMatchObject([{ applied: true }])
})

test.each([
  ['without planning', { planning: false }, []],
  ['without Reason', { reason: false }, ['refine']],
  ['without Retrieve', { retrieve: false }, ['reason', 'refine']],
  ['without Refine', { refine: false }, ['reason']],
  ['raw workflow', { raw: true }, []],
] as const)('%s', async (_, settings, asked) => {
  const kb = lab({}, { abstract: false, ...settings })
  await kb.live(attemptAt(1, 1))
  const parts = await kb.recall(9)
  expect(roles(kb)).toEqual(asked)
  if ('raw' in settings || 'refine' in settings)
    expect(parts.retrieved[0]?.text).toMatch(/^Similar task \(success\)/)
  if ('retrieve' in settings) expect(parts.decisions?.[0]?.retrieved).toEqual([])
})

test('nothing is recalled from an empty memory, and the decision says so', async () => {
  const parts = await lab().recall(9)
  expect(parts.decisions).toMatchObject([{ applied: false, why: 'nothing-found' }])
})

const attempt = (kb: ReturnType<typeof lab>, failed: boolean) =>
  twoRounds(kb, { failed, observation: 'answer one' })

test('an error of the environment sets off the feedback stage; its guidance reaches the agent', async () => {
  const kb = lab()
  await kb.live(attemptAt(1, 1))
  const trajectory = await attempt(kb, true)
  expect(trajectory.decisions?.map(({ stage, trigger, applied }) => [stage, trigger, applied])).toEqual([
    ['planning', 'task', true],
    ['feedback', 'environment', true],
  ])
  expect(trajectory.decisions?.[1]).toMatchObject({ round: 0, summary: 'The column is misspelt.' })
  expect(trajectory.rounds[0]?.guidance).toMatch(/^Suggestion: Read the column names\.\nPlan:/)
  expect(kb.model.requests.at(-1)?.messages.at(-1)?.content).toMatch(/^answer one\n\nSuggestion/)
  expect(trajectory.recallUsage?.promptTokens).toBe(40)
  const { events } = await agentKb.learn(trajectory, kb.context)
  expect(events.filter(({ kind }) => kind === 'experience-used')).toMatchObject([
    { experienceId: 'exp-r1-t0001', useId: 'a1', reward: 1, eta: 0.2 },
  ])
})

test('without an error nothing happens; the gate holds at feedback', async () => {
  const calm = lab()
  await calm.live(attemptAt(1, 1))
  expect((await attempt(calm, false)).decisions).toHaveLength(1)
  const wild = lab({ fix: json({ suggestions: ['x'], plan: ['Order pizza.'] }) })
  await wild.live(attemptAt(1, 1))
  const gated = await attempt(wild, true)
  expect(gated.decisions?.[1]).toMatchObject({ applied: false, why: 'gate' })
  expect(gated.rounds[0]?.guidance).toBeUndefined()
})

test('a critic may set off the feedback stage, or leave the agent alone', async () => {
  const worried = lab({}, { feedback: 'critic' })
  await worried.live(attemptAt(1, 1))
  expect((await attempt(worried, false)).decisions?.[1]).toMatchObject({
    trigger: 'critic',
    cost: { critic: {} },
  })
  const content = lab({ critic: json({ verdict: 'on-track' }) }, { feedback: 'critic' })
  await content.live(attemptAt(1, 1))
  const calm = await attempt(content, false)
  expect(calm.decisions).toHaveLength(1)
  expect(calm.recallUsage?.promptTokens).toBe(30)
})

test('what the world shows is believed before the critic, who is not asked then', async () => {
  const kb = lab({ critic: json({ verdict: 'on-track' }) }, { feedback: 'critic' })
  await kb.live(attemptAt(1, 1))
  const { decisions } = await attempt(kb, true)
  expect(decisions?.[1]).toMatchObject({ trigger: 'environment' })
  expect(decisions?.[1]?.cost).not.toHaveProperty('critic')
  expect(roles(kb)).not.toContain('critic')
})

test('a step that repeats an earlier one and its answer sets off the feedback stage, another answer does not', async () => {
  const kb = lab()
  await kb.live(attemptAt(1, 1))
  const { rounds } = await attempt(kb, false)
  const task: ReviseInput['task'] = taskAt(9)
  const round = (index: number, observation: string) => ({
    ...(rounds[0] as (typeof rounds)[number]),
    ...{ index, observation, completion: `Look  up\n${index > 1 ? 'rooms' : 'rooms '}` },
  })
  const revise = (...observations: string[]) =>
    agentKb.revise?.(
      {
        ...{ task, context: 'Table bookings(kind TEXT)', plan: '', revisions: 0, failed: false },
        rounds: observations.map((observation, i) => round(i + 1, observation)),
      },
      kb.context,
    )
  expect(await revise('two rooms', 'three rooms')).toBeNull()
  expect((await revise('two rooms', 'two rooms'))?.decision).toMatchObject({
    stage: 'feedback',
    trigger: 'no-progress',
  })
})

test('a vote for whoever stands first decides nothing: what is there stays', async () => {
  const kb = lab({}, { dedup: true, abstract: false })
  await kb.live(attemptAt(1, 1), attemptAt(2, 1))
  const loser = await kb.memory.experiences.get('exp-r1-t0002')
  expect(roles(kb)).toEqual(['rank', 'rank'])
  expect(loser?.standing).toMatchObject({ state: 'superseded', by: 'exp-r1-t0001', why: 'duplicate' })
  expect(loser?.standing.ranking).toMatchObject({ winner: 'existing', tau: 0.8 })
  expect(loser?.standing.ranking?.verdicts.map(({ first, reasoning }) => [first, reasoning])).toEqual([
    ['existing', 'existing'],
    ['candidate', 'candidate'],
  ])
  expect(loser?.standing.ranking?.cosine).toBeGreaterThan(0.8)
})

const orders = (seen: string) => (request: GenerateRequest) =>
  (request.messages[1]?.content ?? '').startsWith(`First experience\n${seen}`)
    ? json({ reasoning: 'first', completeness: 'first', transferability: 'tie' })
    : json({ reasoning: 'second', completeness: 'second', transferability: 'tie' })

test('the better one wins from either place, and the other can be restored', async () => {
  const model = scriptedModel((request) => orders('Similar task (success): Count rooms twice')(request))
  const { memory, context } = lab()
  await memory.commit([{ kind: 'experience-added', experience: experienceOf('old', 'Count rooms') }])
  const candidate = experienceOf('new', 'Count rooms twice')
  const { events, ranking } = await admitExperience(
    candidate,
    { ...admission(defaultsOf(SETTINGS), 0, timeOf(1)), tau: 0.5 },
    { ...context, model },
  )
  expect(ranking?.winner).toBe('candidate')
  await memory.commit(events)
  expect((await memory.experiences.get('old'))?.standing).toMatchObject({ state: 'superseded', by: 'new' })
  await memory.commit([{ kind: 'experience-restored', experienceId: 'old', at: timeOf(2) }])
  expect((await memory.experiences.get('old'))?.standing.state).toBe('live')
})

test('the same text needs no model; an unusable ranking keeps both', async () => {
  const { memory, context } = lab()
  await memory.commit([{ kind: 'experience-added', experience: experienceOf('a', 'Count rooms') }])
  const options = admission(defaultsOf(SETTINGS), 0, timeOf(1))
  const twin = { ...experienceOf('a', 'Count rooms'), id: 'twin' }
  const silent = { ...context, model: scriptedModel([]) }
  expect((await admitExperience(twin, options, silent)).ranking).toMatchObject({
    winner: 'existing',
    verdicts: [],
  })
  const broken = { ...context, model: scriptedModel(() => 'no json') }
  const kept = await admitExperience(experienceOf('b', 'Count rooms'), options, broken)
  expect(kept.events.map(({ kind }) => kind)).toEqual(['experience-added', 'writing-failed'])
})

test('ties keep what is there', () => {
  const verdict = {
    first: 'existing',
    reasoning: 'tie',
    completeness: 'candidate',
    transferability: 'existing',
  } as const
  expect(winnerOf([verdict, verdict])).toBe('existing')
})

test('over budget the least useful leaves: utility, recency, frequency and transfer count', async () => {
  const kb = lab({}, { abstract: false, budget: 2 })
  await kb.live(attemptAt(1, 1), attemptAt(2, 1))
  await kb.memory.commit([
    {
      kind: 'experience-used',
      experienceId: 'exp-r1-t0001',
      useId: 'u',
      framework: 'codex',
      reward: 1,
      eta: 0.5,
      at: timeOf(9),
    },
  ])
  await kb.live(attemptAt(3, 1))
  const states = await Promise.all(
    [1, 2, 3].map(async (n) => (await kb.memory.experiences.get(`exp-r1-t000${n}`))?.standing.state),
  )
  expect(states).toEqual(['live', 'evicted', 'live'])
})

test('eviction takes no more than it has to', async () => {
  const { memory } = lab()
  await memory.commit(
    ['a', 'b', 'c'].map((id) => ({ kind: 'experience-added' as const, experience: experienceOf(id, id) })),
  )
  const entries = [...memory.experiences.entries()]
  const policy = evictionPolicy(defaultsOf(SETTINGS))
  expect(evictions(entries, 3, new Date(0), policy)).toEqual([])
  expect(evictions(entries, 1, new Date(0), policy)).toHaveLength(2)
})

test('the weights of eviction decide who leaves, and whatever is over the budget does', async () => {
  const { memory } = lab()
  const use = { kind: 'experience-used', framework: 'loam', eta: 0.5 } as const
  await memory.commit([
    { kind: 'experience-added', experience: experienceOf('useful', 'a') },
    { kind: 'experience-added', experience: experienceOf('often', 'b') },
    { ...use, experienceId: 'useful', useId: 'u0', reward: 1, at: timeOf(1) },
    ...[1, 2, 3].map((n) => ({ ...use, experienceId: 'often', useId: `u${n}`, reward: 0, at: timeOf(1) })),
  ])
  const options = { ...admission(defaultsOf(SETTINGS), 0, timeOf(2)), budget: 1 }
  const leaves = (weights: Partial<typeof options.eviction>) =>
    overBudget(memory.experiences.entries(), { ...options, eviction: { ...options.eviction, ...weights } })
  expect(leaves({ frequency: 0 })).toMatchObject([{ experienceId: 'often' }])
  expect(leaves({ utility: 0 })).toMatchObject([{ experienceId: 'useful' }])
  expect(overBudget(memory.experiences.entries(), { ...options, budget: 2 })).toEqual([])
})

test('what came from a file is compared when a run recalls it, once, and the worse one leaves', async () => {
  const kb = lab({}, { dedup: true, abstract: false })
  const fromFile = (id: string, question: string) => experienceOf(id, question, { origin: 'data-file' })
  await kb.memory.commit([
    { kind: 'experience-added', experience: fromFile('from-file', 'Count the bookings of kind 1.') },
    { kind: 'experience-added', experience: fromFile('other-file', 'Count the bookings of kind 2.') },
  ])
  const uncompared = () =>
    [...kb.memory.experiences.entries()].filter(({ gone, compared }) => gone === null && !compared).length
  expect(uncompared()).toBe(2)
  const { decisions = [] } = await kb.recall(9)
  await kb.live(attemptAt(9, 1, { decisions: [...decisions] }))
  expect(roles(kb).filter((role) => role === 'rank').length).toBeGreaterThanOrEqual(2)
  expect(uncompared()).toBe(0)
  expect(kb.kinds()).toContain('experience-compared')
})

test('a code log is abstracted into hints, category, keywords and a summary', async () => {
  const log = experienceOf('log', 'Fix the parser', {
    steps: [step({ verb: 'run', tool: 'bash', content: 'pytest', observation: '1 failed', failed: true })],
    meta: { domain: 'code' },
  })
  const reply = json({
    agent_plan: '1. Test.',
    hints: ['Handle empty input.'],
    category: 'logic',
    keywords: ['parser'],
    summary: 'Handle it.',
    constraints: [],
  })
  const { context } = lab()
  const model = scriptedModel([reply])
  const written = await writeAbstraction(log, 0, { ...context, model })
  if (!written.value) throw new Error('not written')
  expect(abstractionOf(log, written.value, timeOf(3))).toMatchObject({
    id: 'abs-log',
    derivedFrom: 'log',
    origin: 'abstraction',
    agentExperience: ['Handle empty input.'],
    repair: {
      hints: ['Handle empty input.'],
      category: 'logic',
      keywords: ['parser'],
      summary: 'Handle it.',
    },
  })
  expect(model.requests[0]?.messages[1]?.content).toContain('Error: 1 failed')
})

test('a step that its world complained of is kept as failed, whether it was marked or not', () => {
  const base = attemptAt(1, 0)
  const usage = base.usage
  const action = { kind: 'operation', content: 'SELECT x FROM bookings' } as const
  const observation = "1054 (42S22): Unknown column 'x' in 'field list'"
  const round = { index: 0, completion: '', action, observation, usage }
  const failed = (...rounds: Trajectory['rounds'][number][]) =>
    experienceOfAttempt({ ...base, rounds }).steps.map((one) => one.failed)
  expect(failed({ ...round, failed: true }, round, { ...round, observation: '[(1,)]' })).toEqual([
    true,
    true,
    false,
  ])
})

test('the printed prompts stand in the preset of the paper, with where they are printed', () => {
  expect(templateOf(REASON, 'loam')).toBe(REASON)
  for (const role of [REASON, REFINE, FEEDBACK_REFINE]) {
    const id = templateOf(role, 'paper')
    const text = readFileSync(`resources/prompts/${id}.md`, 'utf8')
    expect(text).toMatch(/^source: "Agent KB, appendix F\.2\.[12], /m)
    expect(text).toContain('Reply as JSON: {"')
  }
  expect(templateOf(CRITIC, 'paper')).toBe(CRITIC)
  expect(agentKb.paper?.presets[0]?.settings?.['agent-kb']).toMatchObject({ prompts: 'paper' })
})
