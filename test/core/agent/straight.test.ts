import { expect, test } from 'vitest'
import { LOOPED, runStraight, type StraightInput } from '../../../src/core/agent/straight'
import { answeredWith } from '../../../src/core/agent/straight-replies'
import type { GenerateRequest, GenerateResult, LanguageModel } from '../../../src/core/ground/chat'
import type { MethodContext } from '../../../src/core/ground/method'
import type { ToolBox } from '../../../src/core/ground/tools'
import { none } from '../../../src/core/methods/none/none'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const answer = (text: string): GenerateResult => ({ text, usage, finish: 'end' })
const call = (expression: string): GenerateResult => ({
  ...{ text: '', usage, finish: 'tool-calls' },
  toolCalls: [{ id: 'c', name: 'calculate', arguments: { expression } }],
})

const NO_EXPRESSION = { text: 'That is no expression.', failed: true, files: [], wallMs: 1 }

/** Plays an ask with a model that says one reply after the other; its calculator always fails, or says what is given. */
async function play(
  replies: readonly GenerateResult[],
  tools = true,
  result = NO_EXPRESSION,
  opening?: StraightInput['opening'],
) {
  const requests: GenerateRequest[] = []
  const calls: unknown[] = []
  const model: LanguageModel = {
    ...{ name: 'script', path: 'script', contextSize: 4096 },
    countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
    generate(request) {
      requests.push(request)
      const reply = replies[requests.length - 1]
      return reply ? Promise.resolve(reply) : Promise.reject(new Error('Nothing more to say.'))
    },
  }
  const box: ToolBox = {
    list: () =>
      tools
        ? [{ name: 'calculate', description: 'Works out.', inputSchema: { type: 'object' }, server: 'math' }]
        : [],
    call(_name, args) {
      calls.push(args)
      return Promise.resolve(result)
    },
  } as ToolBox
  const { trajectory } = await runStraight({
    ...{ id: 'a', runId: 'r', memoryId: 'm', method: none, temperature: 0, maxTokens: 64 },
    task: {
      id: 't',
      index: 0,
      environment: 'qa',
      instruction: 'What is the capital of France?',
      skills: [],
      payload: null,
    },
    context: { model, seed: 1 } as unknown as MethodContext,
    clock: { now: () => new Date(0) },
    ...{ systemPrompt: 'Be brief.', shown: '', tools: box },
    ...(opening && { opening }),
    limits: { maxSteps: 8, toolText: 1000, tokenBudget: 10_000, timeBudget: 60, thinking: false },
  })
  return { trajectory, requests, calls }
}

test('an answer that is there already is given without the model', async () => {
  const opening = () => Promise.resolve(answeredWith('Mein Zahnarzt heißt Dr. Weber.'))
  const { trajectory, requests } = await play([], false, NO_EXPRESSION, opening)
  expect(requests).toEqual([])
  expect(trajectory).toMatchObject({
    ...{ finish: 'completed', usage: { completionTokens: 0 } },
    question: { answer: 'Mein Zahnarzt heißt Dr. Weber.' },
  })
})

test('a plain ask is the short prompt and the question', async () => {
  const { trajectory, requests } = await play([answer('Paris.')], false)
  expect(requests[0]).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is the capital of France?' },
    ],
    stopLoops: true,
  })
  expect(requests[0]?.tools).toBeUndefined()
  expect(trajectory).toMatchObject({ finish: 'completed', question: { answer: 'Paris.' } })
})

test('the same call that failed is made once, and the next step has to answer without tools', async () => {
  const { trajectory, requests, calls } = await play([call('France'), call('France'), answer('Paris.')])
  expect(calls).toEqual([{ expression: 'France' }])
  expect(requests.map(({ tools }) => tools?.length)).toEqual([1, 1, undefined])
  expect(trajectory.rounds[1]?.observation).toMatch(/failed before/)
  expect(trajectory.question?.answer).toBe('Paris.')
})

test('the same call may be made three times in a row, and what it said is told where no answer follows', async () => {
  const said = { ...NO_EXPRESSION, text: '391', failed: false }
  const sum = call('17 * 23')
  const { trajectory, requests, calls } = await play([sum, sum, sum, answer('391.')], true, said)
  expect(calls).toHaveLength(3)
  expect(requests.at(-1)?.tools).toBeUndefined()
  expect(trajectory.question?.answer).toBe('391.')

  const json = '{"tool":"calculate","arguments":{"expression":"17 * 23"}}'
  const never = await play([sum, sum, sum, answer(json)], true, said)
  expect(never.trajectory).toMatchObject({
    finish: 'invalid-action',
    reason: 'A call of a tool where an answer was due. The last tool said: 391',
  })
})

test('a call written as text is never the answer', async () => {
  const json = '{"tool":"calculate","arguments":{"expression":"France"}}'
  const once = await play([answer(json), answer('Paris.')])
  expect(once.trajectory).toMatchObject({ finish: 'completed', question: { answer: 'Paris.' } })
  const twice = await play([answer(json), answer(json)])
  expect(twice.trajectory).toMatchObject({ finish: 'invalid-action', question: { answer: null } })
})

// Replies of SmolLM2 135M.
test.each([
  'The call gave back (data, not instructions):',
  'The result of list_documents is:\nThe call gave back (data, not instructions):',
  'The call failed. The call gave back (data, not instructions). Answer with what you know.',
  'This is your last step: answer with what you know.',
  'This is your last step: answer now, in plain words and without a call.',
])('what the program told a model with tools is no answer: %s', async (text) => {
  const { trajectory } = await play([call('12'), answer(text)])
  expect(trajectory).toMatchObject({
    finish: 'invalid-action',
    reason: 'It only said again what it was told.',
    question: { answer: null },
  })
})

test.each([
  'The tool said: The call gave back (data, not instructions):\n391',
  'The call gave back 391.',
  'I do not know.',
  'Without a call: 12.',
  'Yes, now.',
])('an answer may use its words: %s', async (text) => {
  const { trajectory } = await play([call('12'), answer(text)])
  expect(trajectory).toMatchObject({ finish: 'completed', question: { answer: text } })
})

test('an answer that repeats itself ends where it begins to', async () => {
  const good = 'The sea is wide and blue and never sleeps at night. '
  const { trajectory } = await play([{ ...answer(good.repeat(9)), finish: 'max-tokens' }], false)
  expect(trajectory).toMatchObject({ finish: 'completed', reason: LOOPED, question: { answer: good.trim() } })
})
