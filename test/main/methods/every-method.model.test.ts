import { beforeEach, describe, expect, vi } from 'vitest'
import { METHODS } from '../../../src/core/methods'
import { ENVIRONMENTS } from '../../../src/core/tasks'
import type { App } from '../../../src/main/app'
import { attemptAt } from '../../core/methods/fixtures'
import { appInTemp, withToolsOf } from '../app-in-temp'
import { trajectoriesOf } from '../runs/rig-app'
import { longTest, longTestWhere } from '../../torture'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

/** Every method plays the first environment in test/core/methods/conformance too, and some play others in babel.model.test.ts. */
const CELLS = METHODS.flatMap(({ info, prepare }) =>
  ENVIRONMENTS.map(({ id: environment, sample: stream }) => ({
    method: info.id,
    environment,
    stream,
    // One to build from and one to score with come first where a method builds.
    tasks: prepare ? 4 : 2,
  })),
)

/** Each method and each environment once at least. */
const REAL_CELLS = METHODS.map(({ info, prepare }, i) => ({
  method: info.id,
  environment: ENVIRONMENTS[i % ENVIRONMENTS.length],
  tasks: prepare ? 4 : 2,
})).flatMap(({ environment, ...rest }) =>
  environment ? [{ ...rest, environment: environment.id, stream: environment.sample }] : [],
)
type Cell = (typeof CELLS)[number]

const running = appInTemp('every')
let app: App
beforeEach(async () => {
  app = running()
  // What all tools say of themselves would be most of what is read in questions.
  await withToolsOf(app, 'code')
})

/** A memory in which two tasks of the environment were solved already, so that methods have something to write about. */
async function memoryWithSuccesses(environment: string): Promise<string> {
  const { id } = await app.memories.create(`Before ${environment}`)
  const memory = await app.memories.open(id)
  for (const n of [0, 1]) {
    const attempt = attemptAt(n, 1, { runId: 'earlier', memoryId: id })
    await memory.commit([
      { kind: 'trajectory-added', trajectory: { ...attempt, task: { ...attempt.task, environment } } },
    ])
  }
  return id
}

/** Plays a cell to its end. */
async function play({ method, environment, stream, tasks }: Cell, model?: string) {
  const { id } = await app.runDrafts.start({
    stream,
    method,
    k: 2,
    tasks,
    temperature: 0.2,
    maxTokens: 48,
    ...(model !== undefined && { model }),
    memoryId: await memoryWithSuccesses(environment),
    settings: {
      agent: { maxCycles: 2, maxSubtasks: 2, maxSteps: 2, thinkTokens: 16, allowed: 'all' },
      brew: { train: 1, evaluation: 1, width: 1, depth: 1, iterations: 1 },
      ace: { offline: 2, epochs: 2 },
      'agent-kb': { feedback: 'critic' },
    },
  })
  const run = await app.runs.ended(id)
  // Where every prompt outgrows this small context the run ends after three tasks and says so.
  if (run.problem?.code === 'CONTEXT_OVERFLOW')
    expect(run).toMatchObject({ status: 'failed', done: 3, solved: 0 })
  else expect(run).toMatchObject({ status: 'done', problem: null, done: tasks })
  const own = (await trajectoriesOf(app, id)).filter(({ runId }) => runId === id)
  expect(own.length).toBeGreaterThanOrEqual(run.done)
}

// The demo model knows the database world alone; here it matters that everything goes on, not that anything is solved.
describe('methods in environments, on the real engine', () => {
  longTest.each(CELLS)('$method in $environment', (cell) => play(cell))
})

describe('methods in environments with a real small model', () => {
  longTestWhere(hasSmolLm2).each(REAL_CELLS)(
    '$method in $environment (SmolLM2)',
    (cell) => play(cell, SMOLLM2),
    1_200_000,
  )
})
