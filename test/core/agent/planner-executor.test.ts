import { describe, expect, test } from 'vitest'
import type { AgentRole } from '../../../src/core/ground/ask'
import { enforceable } from '../../../src/core/agent/executor-reply'
import { runPlannerExecutor, type LoopInput } from '../../../src/core/agent/planner-executor'
import { readPlannerReply } from '../../../src/core/ground/planner-reply'
import { applyPlanEvent, cycleUsage, type PlanCycle, type PlanEvent } from '../../../src/shared/domain/plan'
import { AGENT } from '../../../src/core/agent/settings'
import { defaultsOf } from '../../../src/core/ground/settings'
import type { LanguageModel } from '../../../src/core/ground/ports'
import { scriptedModel, type Reply } from '../methods/fixtures'
import { fakeTools } from './tool-box'

const role = (model: LanguageModel, thinking: 'fast' | 'slow' = 'fast'): AgentRole => {
  let seed = 0
  return { model, thinking, thinkTokens: 64, maxTokens: 128, temperature: 0, nextSeed: () => seed++ }
}

const plan = (...steps: string[]) =>
  JSON.stringify({ plan: steps.map((description, i) => ({ id: i + 1, description })) })
const use = (tool: string, input = 'x') => JSON.stringify({ tool, arguments: { input } })
const report = (answer: string) => JSON.stringify({ answer })

function loop(planned: readonly Reply[], executed: readonly Reply[], over: Partial<LoopInput> = {}) {
  const planner = scriptedModel(planned)
  const executor = scriptedModel(executed)
  const events: PlanEvent[] = []
  const result = runPlannerExecutor({
    planner: role(planner),
    executor: role(executor),
    plannerPrompt: 'You plan.',
    executorPrompt: 'You execute.',
    recalled: 'Plans that worked: none\n\n',
    question: 'How many?',
    context: 'Files: a.csv',
    tools: fakeTools({ read: () => 'three apples', add: () => '3' }),
    limits: defaultsOf(AGENT),
    onEvent: (event) => events.push(event),
    ...over,
  })
  return { result, planner, executor, events }
}

const AT_ONCE = { ...defaultsOf(AGENT), planFirst: false }

describe('planner and executor', () => {
  test('a plan comes first: an answer without one is asked back, and taken if it is given again', async () => {
    const { result, planner } = loop(['FINAL ANSWER: 2', plan('Count.'), 'FINAL ANSWER: 3'], [report('3')])
    const { cycles, answer } = await result
    expect(answer).toBe('3')
    expect(cycles[0]?.repaired).toEqual({
      reply: 'FINAL ANSWER: 2',
      reason: 'There is an answer, but no plan that leads to it.',
    })
    const roots = planner.requests.map(({ constraint }) =>
      constraint?.kind === 'gbnf' ? constraint.grammar.split('\n')[0] : null,
    )
    expect(roots).toEqual(['root ::= plan', 'root ::= plan', 'root ::= plan | answer'])
    const insists = await loop(['FINAL ANSWER: 2', 'FINAL ANSWER: 2'], []).result
    expect(insists).toMatchObject({ answer: '2', finish: 'completed' })
    const free = loop(['FINAL ANSWER: 2'], [], { limits: AT_ONCE })
    expect(await free.result).toMatchObject({ answer: '2', finish: 'completed' })
    expect(free.planner.requests[0]?.constraint).toMatchObject({
      grammar: expect.stringMatching(/^root ::= plan \| answer$/m) as string,
    })
  })

  test('a step or a plan that is made again is not worked through again: its results stand, and the answer is due', async () => {
    const { result, planner, executor } = loop(
      [plan('Count.'), plan('Count.'), 'FINAL ANSWER: 3'],
      [report('3')],
    )
    const { cycles, answer } = await result
    expect(answer).toBe('3')
    expect(executor.requests).toHaveLength(1)
    expect(cycles[1]?.subtasks).toMatchObject([{ status: 'done', result: '3', calls: [] }])
    expect(planner.requests.at(-1)?.messages.at(-1)?.content).toMatch(/Result: 3[^]*no time for another plan/)
  })

  test('a call that failed is not made again, and one that is made three times in a row is the last', async () => {
    const tools = fakeTools({
      read: () => 'three apples',
      add: () => {
        throw new Error('No numbers.')
      },
    })
    const failing = loop([plan('Add.'), 'FINAL ANSWER: 3'], [use('add'), use('add'), report('3')], { tools })
    expect((await failing.result).cycles[0]?.subtasks[0]).toMatchObject({ status: 'done', result: '3' })
    expect(tools.called).toEqual(['add'])
    const again = [use('read'), use('read'), use('read'), report('3')]
    const repeated = loop([plan('Read.'), 'FINAL ANSWER: 3'], again, { tools })
    expect((await repeated.result).answer).toBe('3')
    expect(tools.called.slice(1)).toEqual(['read', 'read', 'read'])
    expect(repeated.executor.requests.at(-1)?.messages.at(-1)?.content).toContain('your last step')
  })

  test.each([
    ['the form', '{"plan": [{"id": 1, "description": "..."}]}', 'The plan has no steps.'],
    ['the placeholder', 'FINAL ANSWER: ...', 'The final answer is empty.'],
    [
      'the correction',
      'FINAL ANSWER: and the answer, and nothing else.',
      'The final answer repeats the instruction.',
    ],
    ['the prompt', 'FINAL ANSWER: and the answer alone.', 'The final answer repeats the instruction.'],
    [
      'its own sentence',
      `FINAL ANSWER: ${'The plan is already completed. '.repeat(6)}`,
      'The final answer says the same again and again.',
    ],
  ])('a planner that says %s again has said nothing', async (_what, reply, reason) => {
    const { result } = loop(['Hm.', reply], [], { limits: AT_ONCE })
    expect(await result).toMatchObject({ answer: null, reason: `The planner failed twice. ${reason}` })
  })

  test('an executor that says its instructions again has no result', async () => {
    const told = 'You execute. Work on the subtask with your tools and report its result in one sentence.'
    const { result } = loop([plan('Count.'), 'FINAL ANSWER: 3'], [report(told), report('...')], {
      executorPrompt: told,
    })
    const { cycles } = await result
    expect(cycles[0]?.subtasks[0]).toMatchObject({
      status: 'failed',
      problem: "The executor's reply could not be used, twice. The answer repeats the instruction.",
    })
    // What it read of its task it may say again.
    const quotes = loop(
      [plan('Count.'), 'FINAL ANSWER: 3'],
      [report('The whole task, for orientation only, is how many.')],
    )
    expect((await quotes.result).cycles[0]?.subtasks[0]?.status).toBe('done')
  })

  test('plan, work on each subtask with tools, plan again on what came of it, and answer', async () => {
    const { result, planner, executor, events } = loop(
      [plan('Read the file.', 'Add up.'), plan('Check.'), 'FINAL ANSWER: 3'],
      [use('read', 'a.csv'), report('There are three.'), report('3'), use('add'), report('Still 3')],
    )
    const { cycles, answer, finish, reason, usage } = await result
    expect([answer, finish, reason]).toEqual(['3', 'completed', null])
    expect(
      cycles.map(({ subtasks }) => subtasks.map(({ status, result: found }) => [status, found])),
    ).toEqual([
      [
        ['done', 'There are three.'],
        ['done', '3'],
      ],
      [['done', 'Still 3']],
      [],
    ])
    expect(cycles[0]?.subtasks[0]?.calls).toMatchObject([
      { tool: 'read', arguments: { input: 'a.csv' }, answer: { text: 'three apples', failed: false } },
    ])
    expect(usage.promptTokens).toBe(80)
    // The method's recall stands before the task; the history comes back to the planner, and to later subtasks.
    expect(planner.requests[0]?.messages[1]?.content).toMatch(
      /^Plans that worked.*Files: a.csv\nTask: How many\?$/s,
    )
    expect(planner.requests[1]?.messages.at(-1)?.content).toContain('Result: There are three.')
    expect(executor.requests[1]?.messages.at(-1)?.content).toContain('three apples')
    expect(executor.requests[2]?.messages[1]?.content).toContain('There are three.')
    // Every call of the attempt has a form, and watchers can rebuild the tree from the events.
    expect(planner.requests[0]?.constraint?.kind).toBe('gbnf')
    expect(executor.requests[0]?.constraint?.kind).toBe('json-schema')
    expect(events.reduce<PlanCycle[]>(applyPlanEvent, [])).toEqual(cycles)
  })

  test('a plan that was cut is its whole steps; one without any is asked for again', async () => {
    const { cycles } = await loop(
      [{ cut: plan('Read it.', 'Add it up.').slice(0, -9) }, 'FINAL ANSWER: 3'],
      [report('3')],
    ).result
    expect(cycles[0]).toMatchObject({ repaired: null, subtasks: [{ id: 1, description: 'Read it.' }] })
    const lost = await loop([{ cut: plan('Read it.').slice(0, -9) }, 'FINAL ANSWER: 3'], []).result
    expect(lost.cycles[0]?.repaired?.reason).toContain('cut at its length limit')
  })

  test('a final answer that was cut is named as cut, and one that ends by itself is not', async () => {
    const cut = await loop([{ cut: 'FINAL ANSWER: There are thr' }], [], { limits: AT_ONCE }).result
    expect([cut.finish, cut.answer]).toEqual(['output-limit', 'There are thr'])
    expect(cut.reason).toBe('The final answer was cut at its length limit.')
    // The planner's form has no room for more than this, so that is where it ended.
    const full = `FINAL ANSWER: ${Array.from({ length: 200 }, (_, i) => i)
      .join(' ')
      .slice(0, 371)}`
    expect((await loop([full], [], { limits: AT_ONCE }).result).finish).toBe('output-limit')
    expect((await loop([full.slice(0, -1)], [], { limits: AT_ONCE }).result).finish).toBe('completed')
  })

  describe('begun in the midst of an earlier attempt', () => {
    const first = () =>
      loop(
        [plan('Read it.', 'Add it up.'), plan('Check.'), 'FINAL ANSWER: 3'],
        [use('read'), report('Three.'), report('3'), report('Still 3')],
      ).result
    const begin = async (step: number, edit: string | null, planned: Reply[], executed: Reply[]) => {
      const { cycles } = await first()
      const again = loop(planned, executed, { begun: { cycles, step, edit } })
      return { ...(await again.result), planner: again.planner, executor: again.executor, was: cycles }
    }

    test('at a subtask: what came before stays, it and what follows is done anew', async () => {
      const { cycles, answer, planner, executor, was, usage } = await begin(
        2,
        null,
        ['FINAL ANSWER: 4'],
        [report('4')],
      )
      expect(answer).toBe('4')
      expect(cycles[0]?.subtasks.map(({ result }) => result)).toEqual(['Three.', '4'])
      expect(cycles[0]?.subtasks[0]?.calls).toEqual(was[0]?.subtasks[0]?.calls)
      expect([planner.requests.length, executor.requests.length]).toEqual([1, 1])
      expect(JSON.stringify(planner.requests[0]?.messages)).toContain('Result: Three.')
      expect(JSON.stringify(executor.requests[0]?.messages)).toContain('Result: Three.')
      // What was kept cost nothing here.
      expect(usage.completionTokens).toBe(
        cycles.reduce((sum, cycle) => sum + cycleUsage(cycle).completionTokens, 0),
      )
    })

    test('at a subtask in other words, or with what came of it', async () => {
      const other = await begin(1, 'Read all of it.', ['FINAL ANSWER: 5'], [report('5'), report('6')])
      expect(other.cycles[0]?.subtasks).toMatchObject([
        { description: 'Read all of it.', result: '5', calls: [] },
        { description: 'Add it up.', result: '6' },
      ])
      const told = await begin(1, 'result: Seven apples.', ['FINAL ANSWER: 7'], [report('7')])
      expect(told.cycles[0]?.subtasks).toMatchObject([
        { status: 'done', result: 'Seven apples.' },
        { result: '7' },
      ])
      expect(JSON.stringify(told.executor.requests[0]?.messages)).toContain('Seven apples.')
    })

    test('at a plan, which is made anew or written by a person', async () => {
      const anew = await begin(3, null, [plan('Look once more.'), 'FINAL ANSWER: 8'], [report('8')])
      expect(anew.cycles.map(({ subtasks }) => subtasks.length)).toEqual([2, 1, 0])
      const lines = await begin(
        0,
        '1. Count them.\n- Weigh them.',
        ['FINAL ANSWER: 9'],
        [report('8'), report('9')],
      )
      expect(lines.cycles[0]?.subtasks.map(({ description }) => description)).toEqual([
        'Count them.',
        'Weigh them.',
      ])
      const ended = await begin(5, 'FINAL ANSWER: ten', [], [])
      expect(ended).toMatchObject({ answer: 'ten', finish: 'completed' })
    })

    test('whatever the limit of plans is, what was written is done; a step that is not there is refused', async () => {
      const { cycles } = await first()
      const limits = { ...defaultsOf(AGENT), maxCycles: 1 }
      const over = { limits, begun: { cycles, step: 3, edit: 'Look.' } }
      expect(await loop(['FINAL ANSWER: 1'], [report('1')], over).result).toMatchObject({ answer: '1' })
      await expect(begin(6, null, [], [])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    })
  })

  test('repairs a reply that is neither plan nor answer once, then fails with the reason', async () => {
    const mended = await loop(['Hm, let me see.', 'FINAL ANSWER: 7'], []).result
    expect(mended).toMatchObject({ answer: '7', finish: 'completed' })
    expect(mended.cycles[0]?.repaired).toEqual({
      reply: 'Hm, let me see.',
      reason: 'The reply holds neither a plan nor a final answer.',
    })
    const lost = await loop(['Hm.', { cut: '{"plan": [{"id": 1' }], []).result
    expect(lost).toMatchObject({ answer: null, finish: 'invalid-action' })
    expect(lost.reason).toMatch(/failed twice.*cut at its length limit/)
  })

  test('makes at most so many plans, and then asks for the answer', async () => {
    const limits = { ...defaultsOf(AGENT), maxCycles: 2 }
    const { result, planner } = loop(
      [plan('Look.'), plan('Look again.'), 'FINAL ANSWER: none'],
      [report('a'), report('b')],
      { limits },
    )
    expect(await result).toMatchObject({ answer: 'none', finish: 'completed' })
    expect(planner.requests[2]?.messages.at(-1)?.content).toContain('no time for another plan')
    expect(planner.requests[2]?.constraint).toMatchObject({
      grammar: expect.stringMatching(/^root ::= answer$/m) as string,
    })
    const stubborn = loop([plan('Look.'), plan('More.'), plan('More.')], [report('a'), report('b')], {
      limits,
    })
    expect(await stubborn.result).toMatchObject({ answer: null, finish: 'round-limit' })
  })

  test('a subtask ends at its step limit, after two useless replies, or when its prompt does not fit; the planner hears of it', async () => {
    const limits = { ...defaultsOf(AGENT), maxSteps: 2 }
    const { result, planner } = loop(
      [plan('Loop.', 'Babble.', 'Overflow.'), 'FINAL ANSWER: ?'],
      [use('read'), use('read'), '{"so"', '{"and so"', 'overflow'],
      { limits },
    )
    const { cycles } = await result
    expect(cycles[0]?.subtasks.map(({ status, problem }) => [status, problem])).toEqual([
      ['failed', 'No result within 2 steps.'],
      ['failed', expect.stringContaining('could not be used, twice')],
      ['failed', expect.stringContaining('longer than its model can read')],
    ])
    expect(planner.requests[1]?.messages.at(-1)?.content).toContain('Failed: No result within 2 steps.')
  })

  test('a tool that fails, or does not exist, is an answer like any other', async () => {
    const tools = fakeTools({
      crash: () => {
        throw new Error('The server of "crash" stopped.')
      },
    })
    const { result } = loop(
      [plan('Try.'), 'FINAL ANSWER: no'],
      [use('crash'), use('nothing'), report('Neither worked.')],
      { tools },
    )
    const { cycles, finish } = await result
    expect(finish).toBe('completed')
    expect(cycles[0]?.subtasks[0]?.calls.map(({ answer }) => [answer?.failed, answer?.text])).toEqual([
      [true, 'The server of "crash" stopped.'],
      [true, 'There is no tool "nothing". There are: crash.'],
    ])
  })

  test('tokens and time are limits that end the task with what came of it so far', async () => {
    const few = await loop([plan('Look.')], [use('read'), report('a')], {
      limits: { ...defaultsOf(AGENT), tokenBudget: 26 },
    }).result
    expect(few).toMatchObject({ finish: 'budget', reason: 'The 26 tokens for the task were used up.' })
    expect(few.cycles[0]?.subtasks[0]?.calls).toHaveLength(1)
    const hangs = fakeTools({
      hang: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => {
            reject(new DOMException('stop', 'AbortError'))
          }),
        ),
    })
    const late = await loop([plan('Wait.')], [use('hang')], {
      tools: hangs,
      limits: { ...defaultsOf(AGENT), timeBudget: 0.05 },
    }).result
    expect(late).toMatchObject({ finish: 'budget', reason: 'The 0.05 seconds for the task were used up.' })
    expect(late.cycles[0]?.subtasks[0]?.status).toBe('failed')
  })

  test('a cancelled attempt rejects, and so does one whose engine dies', async () => {
    const controller = new AbortController()
    const tools = fakeTools({
      read: () => {
        controller.abort()
        throw new DOMException('stop', 'AbortError')
      },
    })
    const cancelled = loop([plan('Look.')], [use('read')], { tools, signal: controller.signal })
    await expect(cancelled.result).rejects.toMatchObject({ name: 'AbortError' })
    await expect(loop([], []).result).rejects.toThrow('no reply left')
  })

  test('a subtask under way when the engine fails is told of as failed, with the reason', async () => {
    const lost = loop([plan('Look.')], [])
    await expect(lost.result).rejects.toThrow('no reply left')
    expect(lost.events.reduce<PlanCycle[]>(applyPlanEvent, [])[0]?.subtasks[0]).toMatchObject({
      status: 'failed',
      problem: 'The script has no reply left.',
    })
  })

  test('slow thinking is a call of its own whose words stand before the reply', async () => {
    const planner = scriptedModel(['It is surely three.', 'FINAL ANSWER: 3'])
    const { cycles } = await loop([], [], { planner: role(planner, 'slow'), limits: AT_ONCE }).result
    expect(cycles[0]?.thought).toBe('It is surely three.')
    expect(planner.requests.map(({ constraint, maxTokens }) => [constraint?.kind, maxTokens])).toEqual([
      [undefined, 64],
      ['gbnf', 128],
    ])
    expect(planner.requests[1]?.messages.at(-2)).toEqual({
      role: 'assistant',
      content: 'It is surely three.',
    })
  })
})

test.each([
  ['```json\n{"plan":[{"id":1,"description":"Look."}]}\n```', ['Look.']],
  ['<think>{"plan": []} FINAL ANSWER: no</think>{"plan": [{"id": "2", "description": "Go"}]}', ['Go']],
  ['Here: {x} {"plan": [{"description": "a"}, {"description": "b {"}]}', ['a', 'b {']],
])('reads a plan out of %j', (reply, steps) => {
  const read = readPlannerReply(reply, 6)
  expect(read.kind === 'plan' && read.steps.map(({ description }) => description)).toEqual(steps)
})

test('holds tools to what a grammar can enforce, and lets what is optional be left out', () => {
  expect(
    enforceable({
      $schema: 'x',
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^a' },
        limit: { type: 'integer', default: 3, minimum: 1 },
        mode: { enum: ['a', 'b'] },
        lines: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        none: { type: 'object', properties: {} },
        open: { type: 'object' },
      },
      required: ['path', 'mode', 'lines', 'none', 'open'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      limit: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
      mode: { enum: ['a', 'b'] },
      lines: {
        type: 'array',
        items: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      },
      none: { type: 'object', properties: {}, additionalProperties: false },
      open: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
    },
  })
})
