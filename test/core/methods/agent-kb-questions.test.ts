import { expect, test } from 'vitest'
import { runQuestion } from '../../../src/core/agent/question-attempt'
import { writeAbstraction } from '../../../src/core/methods/agent-kb/abstract'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import { createQuestionEnvironment } from '../../../src/core/tasks/qa/environment'
import type { GenerateRequest } from '../../../src/core/ground/ports'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import type { Task } from '../../../src/shared/domain/task'
import { fakeTools } from '../agent/tool-box'
import { experienceOf } from '../memory/experiences/fixtures'
import { openLab, scriptedModel, shippedPrompts } from './fixtures'

const json = (value: unknown): string => JSON.stringify(value)
const QUESTION = 'How many apples are in the file?'
const task: Task = {
  id: 'q1',
  index: 0,
  environment: 'qa',
  instruction: QUESTION,
  skills: [],
  payload: { references: ['3'], scorer: 'gaia', level: null, dataset: null, attachments: [] },
}

/** What the method's own roles say. */
const ROLES: readonly (readonly [begin: string, reply: string])[] = [
  ['Plan how to do', json({ plan: ['Read the file.', 'Count.'], queries: ['count in a file'] })],
  ['Adapt past', json({ adaptations: [], plan: ['Read the file.', 'Count.'] })],
  ['An attempt ran into trouble. Read', json({ summary: 'Nothing was read.', queries: ['read a file'] })],
  [
    'An attempt ran into trouble. Improve',
    json({ suggestions: ['Open the file first.'], plan: ['Read the file.', 'Count.'] }),
  ],
  [
    'You turn the log',
    json({
      agent_plan: '1. Read. 2. Count.',
      search_agent_plan: '1. Open the file.',
      agent_experience: ['Read before counting.'],
      search_agent_experience: ['Report the whole list.'],
      constraints: [],
      keywords: ['file'],
    }),
  ],
]

async function answer(agents: readonly string[], settings: SettingChanges[string] = {}) {
  const lab = openLab(agentKb, () => '{}', { k: 3, settings: { 'agent-kb': { dedup: false, ...settings } } })
  await lab.memory.commit([
    { kind: 'experience-added', compared: true, experience: experienceOf('known', 'Count pears in a file') },
  ])
  const left = [...agents]
  const model = scriptedModel((request: GenerateRequest) => {
    const system = request.messages[0]?.content ?? ''
    return ROLES.find(([begin]) => system.startsWith(begin))?.[1] ?? left.shift() ?? 'FINAL ANSWER: none'
  })
  const context = { ...lab.context, model }
  const environment = {
    ...createQuestionEnvironment({
      plannerPrompt: shippedPrompts.text('qa-planner'),
      executorPrompt: shippedPrompts.text('qa-executor'),
      alonePrompt: shippedPrompts.text('qa-alone'),
      directPrompt: shippedPrompts.text('qa-direct'),
      judgePrompt: shippedPrompts.text('judge'),
    }),
    ports: {
      planner: model,
      executor: model,
      judge: model,
      openTools: () =>
        Promise.resolve({
          box: fakeTools({
            read: ({ input }) => {
              if (input === 'b.txt') throw new Error('There is no such file.')
              return 'apple, apple, apple'
            },
          }),
          files: ['a.txt'],
          close: () => Promise.resolve(),
        }),
    },
  }
  const trajectory = await runQuestion({
    id: 'r-t0000',
    runId: 'r',
    memoryId: 's',
    task,
    environment,
    method: agentKb,
    context,
    clock: { now: () => new Date(0) },
    temperature: 0,
    maxTokens: 256,
  })
  return { trajectory, model, learned: await agentKb.learn(trajectory, context) }
}

const plan = (...steps: string[]) =>
  json({ plan: steps.map((description, i) => ({ id: i + 1, description })) })
const read = (input: string) => json({ tool: 'read', arguments: { input } })
const report = (text: string) => json({ answer: text })

test('after a cycle without an answer the feedback stage looks at what came of it, and the planner reads its advice', async () => {
  const { trajectory, model } = await answer([
    plan('Read the file.'),
    read('b.txt'),
    report('Nothing.'),
    plan('Read the other file.'),
    read('a.txt'),
    report('Three apples.'),
    'FINAL ANSWER: 3',
  ])
  expect(trajectory.reward).toBe(1)
  expect(trajectory.decisions?.map(({ stage, trigger, applied }) => [stage, trigger, applied])).toEqual([
    ['planning', 'task', true],
    ['feedback', 'environment', true],
    ['feedback', 'cycle', true],
  ])
  expect(trajectory.cycles?.map(({ guidance }) => guidance?.split('\n')[0])).toEqual([
    undefined,
    'Suggestion: Open the file first.',
    'Suggestion: Open the file first.',
  ])
  const asked = model.requests.find(({ messages }) => messages[0]?.content.startsWith('An attempt ran into'))
  expect(asked?.messages[1]?.content).toContain('Read the file.')
  expect(asked?.messages[1]?.content).toContain('(tools: read)')
  const last = model.requests.at(-1 - 1)?.messages.at(-1)?.content ?? ''
  expect(last).toContain('What came of your plan')
  expect(last).toContain('From earlier work that is like this:\nSuggestion: Open the file first.')
  expect(trajectory.recallUsage?.promptTokens).toBe(60)
})

test('the feedback stage stays out where it is switched off', async () => {
  const { trajectory } = await answer(
    [plan('Read the file.'), read('a.txt'), report('Three.'), 'FINAL ANSWER: 3'],
    { feedback: 'off' },
  )
  expect(trajectory.decisions).toHaveLength(1)
  expect(trajectory.cycles?.some(({ guidance }) => guidance !== undefined)).toBe(false)
})

test('the experience is made of the calls that were made, without the answer, by the two-agent prompt with exemplars', async () => {
  const { learned, model } = await answer(
    [plan('Read the file.'), read('a.txt'), report('Three apples.'), 'FINAL ANSWER: 3'],
    { feedback: 'off', exemplars: 2 },
  )
  const added = learned.events.find((event) => event.kind === 'experience-added')
  expect(added?.kind === 'experience-added' && added.experience).toMatchObject({
    question: QUESTION,
    steps: [
      {
        verb: 'read',
        tool: 'read',
        content: '{"input":"a.txt"}',
        reason: 'Read the file.',
        observation: 'apple, apple, apple',
        failed: false,
      },
      { verb: 'answer', content: 'Gave the final answer.' },
    ],
    searchAgentPlan: '1. Open the file.',
    searchAgentExperience: ['Report the whole list.'],
    meta: { tools: ['read'], domain: 'qa', outcome: 'success' },
  })
  const written = model.requests.find(({ messages }) => messages[0]?.content.startsWith('You turn the log'))
  expect(written?.messages[0]?.content).toContain('search_agent_plan')
  expect(written?.messages[0]?.content.match(/^Task: /gm)).toHaveLength(2)
  expect(written?.messages[1]?.content).toContain('Action (read): {"input":"a.txt"}')
})

test('all fifteen exemplars are shown where they fit, fewer where the model reads less', async () => {
  const run = [plan('Read the file.'), read('a.txt'), report('Three apples.'), 'FINAL ANSWER: 3']
  const { model } = await answer(run, { feedback: 'off' })
  const shown = ({ requests }: typeof model) =>
    requests
      .find(({ messages }) => messages[0]?.content.startsWith('You turn the log'))
      ?.messages[0]?.content.match(/^Task: /gm)?.length
  expect(shown(model)).toBe(4)
  const roomy = { ...scriptedModel(() => '{}'), contextSize: 32_768 }
  const context = { ...openLab(agentKb, []).context, model: roomy }
  await writeAbstraction(experienceOf('x', 'Find it'), 0, context, undefined, true)
  expect(shown(roomy)).toBe(15)
  expect(shippedPrompts.text('agent-kb-exemplars-search').match(/^Task: /gm)).toHaveLength(15)
})

test('an attempt that called no tool gives nothing, whatever it planned or answered', async () => {
  const planned = await answer([plan('Think.'), report('Three.'), 'FINAL ANSWER: 4'])
  expect(planned.learned.events).toEqual([])
  const guessed = await answer(['FINAL ANSWER: 3', 'FINAL ANSWER: 3'])
  expect(guessed.trajectory.reward).toBe(1)
  expect(guessed.learned.events).toEqual([])
})
