import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { LanguageModel } from '../../../../src/core/ground/ports'
import { createToolUseEnvironment } from '../../../../src/core/tasks/tool-use/environment'
import { writeMessage } from '../../../../src/core/tasks/tool-use/grammar'
import { createApp, type App } from '../../../../src/main/app'
import { findResources } from '../../../../src/main/ground/resources'
import { readTemplate } from '../../../../src/main/ground/prompts'
import { DEMO_MODEL, tempFolder } from '../../../main/runs/rig-app'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let folder: string
let app: App
let model: LanguageModel
beforeAll(async () => {
  folder = await tempFolder()
  app = await createApp({
    dataPath: join(folder, 'data'),
    host: 'memory',
    resources: findResources(),
    gpuLayers: 'cpu',
  })
  model = await app.engine.loadModel({ path: DEMO_MODEL, gpuLayers: 'cpu', contextSize: 8192 })
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
})

it('a real model plays the user with tools and judges statements; whatever it writes, the conversation goes on or ends', async () => {
  const { prompts } = findResources()
  const template = (name: string) => readTemplate(prompts, name)
  const environment = createToolUseEnvironment({
    systemPrompt: await template('tool-use'),
    userPrompt: await template('tool-use-user'),
    judgePrompt: await template('tool-use-judge'),
    data: () => ({
      policy: '# Policy',
      database: { tasks: {}, users: { user_1: { user_id: 'user_1', name: 'Ada', tasks: [] } } },
    }),
  })
  const payload = {
    id: 't',
    domain: 'mock',
    user_scenario: { instructions: 'You want a task called Tea for user_1.' },
    evaluation_criteria: {
      actions: [],
      nl_assertions: ['The agent is polite.'],
      reward_basis: ['DB', 'NL_ASSERTION'],
    },
  }
  const task = { id: 't', index: 0, environment: 'tool-use', instruction: '', skills: [], payload }
  const episode = environment.open(task, { model, judge: model, seed: 1 })
  for (let i = 0; i < 3; i++) {
    const outcome = await episode.step(writeMessage('Would you check your notifications, please?'))
    if (outcome.done) break
    expect(outcome).toMatchObject({ from: 'user' })
  }
  // Handed over, the conversation ends, and everything but the statement holds: the judge is asked.
  await episode.step('Action: Tool\n{"name": "transfer_to_human_agents", "arguments": {"summary": "s"}}')
  const end = await episode.step(writeMessage('Somebody else takes over, thank you.'))
  if (!end.done) throw new Error('the conversation does not end')
  const judged = end.scores?.some(({ name }) => name === 'Statements a judge agrees with')
  expect(judged).toBe(true)
  expect(end.reward === 1 || end.ungraded !== undefined || end.scores?.some(({ value }) => value < 1)).toBe(
    true,
  )
})
