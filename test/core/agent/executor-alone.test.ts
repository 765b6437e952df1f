import { expect, test } from 'vitest'
import { runExecutorAlone } from '../../../src/core/agent/executor-alone'
import { AGENT } from '../../../src/core/agent/settings'
import type { AgentRole } from '../../../src/core/ground/ask'
import { defaultsOf } from '../../../src/core/ground/settings'
import { applyPlanEvent, type PlanCycle, type PlanEvent } from '../../../src/shared/domain/plan'
import { scriptedModel, type Reply } from '../methods/fixtures'
import { fakeTools } from './tool-box'

const use = (tool: string) => JSON.stringify({ tool, arguments: { input: 'x' } })
const report = (answer: string) => JSON.stringify({ answer })

function alone(replies: readonly Reply[], tools = fakeTools({ read: () => 'three apples' }), limits = {}) {
  const model = scriptedModel(replies)
  let seed = 0
  const executor: AgentRole = {
    ...{ model, thinking: 'fast', thinkTokens: 64, maxTokens: 128, temperature: 0 },
    nextSeed: () => seed++,
  }
  const events: PlanEvent[] = []
  const result = runExecutorAlone({
    ...{ planner: executor, executor, tools },
    ...{ plannerPrompt: 'You answer alone.', executorPrompt: 'You execute.', recalled: '' },
    ...{ question: 'How many?', context: 'Files: a.csv', limits: { ...defaultsOf(AGENT), ...limits } },
    onEvent: (event) => events.push(event),
  })
  return { result, model, events }
}

test('an online executor calls tools and answers the question itself', async () => {
  const { result, model, events } = alone([use('read'), report('3')])
  const { answer, finish, reason, cycles } = await result
  expect([answer, finish, reason]).toEqual(['3', 'completed', null])
  expect(cycles).toMatchObject([
    { answer: '3', subtasks: [{ description: 'How many?', calls: [{ tool: 'read' }] }] },
  ])
  expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^You answer alone\.\n\n- read:/),
    'Files: a.csv\n\nThe question: How many?',
  ])
  expect(events.reduce<PlanCycle[]>(applyPlanEvent, [])).toEqual(cycles)
})

test('an offline one is held to an answer from its first reply on', async () => {
  const { result, model } = alone([report('4')], fakeTools({}))
  expect((await result).answer).toBe('4')
  expect(model.requests[0]?.messages[0]?.content).toContain('There are no tools.')
  expect(JSON.stringify(model.requests[0]?.constraint)).not.toContain('"tool"')
})

test('it says why there is no answer', async () => {
  const ends = async (replies: Reply[], limits = {}) => {
    const { finish, reason } = await alone(replies, undefined, limits).result
    return [finish, reason]
  }
  expect(await ends([use('read'), use('read')], { maxSteps: 2 })).toEqual([
    'round-limit',
    'No result within 2 steps.',
  ])
  expect((await ends(['', '']))[0]).toBe('invalid-action')
  expect((await ends([use('read'), report('3')], { tokenBudget: 1 }))[0]).toBe('budget')
})
