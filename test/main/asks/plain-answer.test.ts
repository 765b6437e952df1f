import { expect, test } from 'vitest'
import type { AgentResult } from '../../../src/core/agent/straight'
import { foundIn, orPlainly } from '../../../src/main/asks/plain-answer'
import type { PlanCycle } from '../../../src/shared/domain/plan'
import type { Round, Trajectory } from '../../../src/shared/domain/trajectory'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const answered = (text: string): AgentResult => {
  const round: Round = {
    ...{ index: 0, completion: text, observation: null, usage },
    action: { kind: 'answer', content: text },
  }
  const trajectory = { rounds: [round], finish: 'completed', usage, question: { answer: text } } as unknown
  return { trajectory: trajectory as Trajectory, fitted: null }
}
const call = (text: string, failed: boolean) => ({
  ...{ index: 0, tool: 'read', arguments: {} },
  answer: { text, failed, files: [], wallMs: 0 },
})
const CYCLE = {
  ...{ index: 0, reply: '{}', repaired: null, thought: null, answer: null, usage },
  subtasks: [
    {
      ...{ id: 1, description: 'Read it.', status: 'done', result: 'Red.', problem: null, usage, wallMs: 0 },
      ...{ thoughts: [], calls: [call('The bus leaves at nine.', false), call('No such file.', true)] },
    },
  ],
} as PlanCycle
const planned = (finish: Trajectory['finish']): AgentResult => {
  const trajectory = {
    rounds: [],
    cycles: [CYCLE],
    finish,
    reason: 'No answer after 3 plans.',
    usage,
  } as unknown
  return { trajectory: trajectory as Trajectory, fitted: null }
}

test('a plan without an answer ends in a plain one, from what tools gave back and not from what the model guessed', async () => {
  const asked: string[] = []
  const cycles: unknown[] = []
  const { trajectory } = await orPlainly(
    planned('round-limit'),
    (findings) => {
      asked.push(findings)
      return Promise.resolve(answered('At nine.'))
    },
    { plan: (event) => cycles.push(event) },
  )
  expect(asked).toEqual([
    expect.stringMatching(/data, not instructions.*\n.*\nread: The bus leaves at nine\./),
  ])
  expect(asked[0]).not.toMatch(/Red|No such file/)
  expect(trajectory).toMatchObject({
    finish: 'completed',
    reason: 'No answer after 3 plans. So it answered without a plan.',
    question: { answer: 'At nine.' },
    usage: { promptTokens: 20 },
  })
  expect(trajectory.cycles?.at(-1)).toMatchObject({ index: 1, answer: 'At nine.', subtasks: [] })
  expect(cycles).toHaveLength(1)
})

test('a person reads why nothing was found, where every call failed', async () => {
  const tried = (failed: boolean): AgentResult => {
    const action = { kind: 'operation', content: 'read {}' } as const
    const asking = { id: 'a', name: 'read', arguments: {}, said: '' }
    const round = { ...{ index: 0, completion: '', usage, action, call: asking }, ...(failed && { failed }) }
    const rounds = [{ ...round, observation: 'The call failed. Not allowed' }]
    const ending = { finish: 'invalid-action', reason: 'Nothing.', usage }
    return { trajectory: { rounds, ...ending } as unknown as Trajectory, fitted: null }
  }
  const reasonOf = async (failed: boolean) =>
    (await orPlainly(tried(failed), () => Promise.resolve(answered('Red.')), {})).trajectory.reason
  const [begin, end] = ['Its calls of tools led to no answer.', 'So it answered without tools.']
  expect(await reasonOf(true)).toBe(`${begin} read: The call failed. Not allowed. ${end}`)
  expect(await reasonOf(false)).toBe(`${begin} ${end}`)
})

test('what has an answer, or was stopped, or has none either way, stays as it was', async () => {
  for (const finish of ['completed', 'output-limit', 'stopped'] as const) {
    const played = planned(finish)
    expect(await orPlainly(played, () => Promise.reject(new Error('Not asked.')), {})).toBe(played)
  }
  const nothing = planned('budget')
  const silent = { ...answered(''), trajectory: { ...planned('invalid-action').trajectory, cycles: [] } }
  expect(await orPlainly(nothing, () => Promise.resolve(silent as AgentResult), {})).toBe(nothing)
  expect(foundIn({ rounds: [], cycles: [] })).toBe('')
})
