import { expect, test } from 'vitest'
import { NO_PLANNER } from '../../../src/main/asks/plain-answer'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'
import { askAndWait, hasTools, useAsksRig } from './rig'

const openRig = useAsksRig()
const needs = test.skipIf(!hasSmolLm2 || !hasTools)
const QUESTION = { text: 'What is the capital of France?', model: SMOLLM2, seed: 7 }

// One rig for both: to load and to try the model takes most of the time.
needs('a model too small for plans or tools answers without, and says so', async () => {
  const { app } = await openRig()
  const { ask, attempts } = await askAndWait(app, { ...QUESTION, way: 'plan' })
  expect(ask.problem).toBeNull()
  expect(attempts[0]?.trajectory).toMatchObject({
    ...{ finish: 'completed', reason: NO_PLANNER },
    question: { answer: expect.stringContaining('Paris') as unknown },
  })
  expect(attempts[0]?.trajectory.cycles).toBeUndefined()

  const withTools = await askAndWait(app, { ...QUESTION, tools: ['code'], temperature: 0 })
  const { rounds = [], question, finish, reason } = withTools.attempts[0]?.trajectory ?? {}
  expect(rounds.some(({ call }) => call !== undefined)).toBe(true)
  expect(finish).toBe('completed')
  expect(reason).toMatch(/^Its calls of tools led to no answer\..* So it answered without tools\./s)
  expect(question?.answer).toContain('Paris')
})

needs('the answer to a sum is its result, and not where a message asks for more', async () => {
  const { app } = await openRig()
  const answerTo = async (text: string) =>
    (await askAndWait(app, { ...QUESTION, text })).attempts[0]?.trajectory.question?.answer
  expect(await answerTo('Was sind 20% von 350?')).toBe('20% von 350 = 70.')
  expect(await answerTo('Write one line about 2 + 2 and rain.')).not.toBe('2 + 2 = 4.')
})
