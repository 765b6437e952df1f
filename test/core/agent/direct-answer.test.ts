import { expect, test } from 'vitest'
import { runQuestion, type QuestionWorld } from '../../../src/core/agent/question-attempt'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { createQuestionEnvironment } from '../../../src/core/tasks/qa/environment'
import type { Task } from '../../../src/shared/domain/task'
import { fakeBank } from '../../main/runs/fakes'
import { wordEmbedder } from '../../main/memory-store/fixtures'
import { scriptedModel, shippedPrompts, type Reply } from '../methods/fixtures'

/** Plays one question whose answer is Käse, in one reply where nobody attached files. */
async function play(replies: Reply[], direct: 'on' | 'off' = 'on', attachments: object[] = []) {
  const model = scriptedModel(replies)
  let opened = 0
  const environment: QuestionWorld = {
    ...createQuestionEnvironment({
      plannerPrompt: shippedPrompts.text('qa-planner'),
      executorPrompt: shippedPrompts.text('qa-executor'),
      alonePrompt: shippedPrompts.text('qa-alone'),
      directPrompt: 'Answer alone.',
      judgePrompt: shippedPrompts.text('judge'),
    }),
    ports: {
      ...{ planner: model, executor: model, judge: model },
      openTools: () => {
        opened++
        const box = { list: () => [], call: () => Promise.reject(new Error('no tool')) }
        return Promise.resolve({ box, files: [], close: () => Promise.resolve() })
      },
    },
  }
  const question = 'What is the German word for cheese?'
  const payload = { question, references: ['Käse'], scorer: 'gaia', level: null, dataset: null, attachments }
  const task: Task = {
    ...{ id: 'own-1', index: 0, environment: 'qa', instruction: question, context: '', skills: [], payload },
  }
  const trajectory = await runQuestion({
    ...{ id: 'r-t0000', runId: 'r', memoryId: 's', task, environment, method: caseBank },
    context: {
      ...{ bank: fakeBank(), embedder: wordEmbedder(), model, prompts: shippedPrompts, k: 4, seed: 1 },
      settings: { agent: { direct } },
    },
    ...{ clock: { now: () => new Date(0) }, temperature: 0, maxTokens: 256 },
  })
  return { trajectory, model, opened }
}

test('a question is answered in one reply, without tools, and graded', async () => {
  const { trajectory, model, opened } = await play([' Käse.\n'])
  expect(trajectory).toMatchObject({
    ...{ reward: 1, finish: 'completed', question: { answer: 'Käse.', grades: { em: 1 } } },
    rounds: [{ action: { kind: 'answer', content: 'Käse.' } }],
  })
  expect(trajectory.cycles).toBeUndefined()
  expect([model.requests.length, opened]).toEqual([1, 0])
  expect(model.requests[0]?.messages[0]).toEqual({ role: 'system', content: 'Answer alone.' })
})

test('what is wrong or empty is no success', async () => {
  expect((await play(['Brot'])).trajectory).toMatchObject({ reward: 0, question: { grades: { em: 0 } } })
  expect((await play([' '])).trajectory).toMatchObject({
    ...{ reward: 0, finish: 'invalid-action', question: { answer: null } },
  })
})

test('a question with files, and one that is to be planned, are planned', async () => {
  const file = { name: 'a.csv' }
  const plan = JSON.stringify({ plan: [{ id: 1, description: 'Look it up.' }] })
  const replies = [plan, JSON.stringify({ answer: 'Käse' }), 'FINAL ANSWER: Käse']
  for (const planned of [await play([...replies], 'on', [file]), await play([...replies], 'off')]) {
    expect(planned.opened).toBe(1)
    expect(planned.trajectory.question?.answer).toBe('Käse')
    expect(planned.trajectory.cycles?.length).toBeGreaterThan(0)
  }
})
