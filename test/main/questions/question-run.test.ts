import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runQuestion } from '../../../src/core/agent/question-attempt'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import type { GenerateRequest } from '../../../src/core/ground/ports'
import { createQuestionEnvironment } from '../../../src/core/tasks/qa/environment'
import { openToolBox } from '../../../src/main/mcp/tool-box'
import { openQuestionWorld, type QuestionWorldDeps } from '../../../src/main/questions/question-world'
import { findResources } from '../../../src/main/ground/resources'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { builtInSpec } from '../../../src/main/tools/server-specs'
import { toolSettingsSchema } from '../../../src/shared/domain/tool'
import type { Task } from '../../../src/shared/domain/task'
import { scriptedModel, shippedPrompts, type Reply } from '../../core/methods/fixtures'
import { fakeBank } from '../runs/fakes'
import { wordEmbedder } from '../memory-store/fixtures'
import { tempFolder } from '../runs/rig-app'

const isBuilt = existsSync(resolve('out/main/mcp/index.js'))
const streams = findResources().streams
const tools = toolSettingsSchema.parse({})

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const deps = (servers: readonly string[]): QuestionWorldDeps => ({
  taskFolders: join(folder, 'tasks'),
  openTools: ({ folder: taskFolder, allowed, ask }) =>
    openToolBox({
      client: { name: 'loam', version: '0' },
      servers: servers.map((id) => builtInSpec(id, { tools, network: false, folder: taskFolder })),
      folder: taskFolder,
      allowed,
      ask,
      secrets: [],
      backOffMs: [10],
      // As the app says of Loam's own.
      changes: () => false,
    }),
  askerFor: () => () => Promise.resolve('no'),
})

async function questionTask(id: string): Promise<Task> {
  const { tasks } = await openStreamLibrary(streams, folder).load('desk-questions')
  const task = tasks.find((one) => one.id === id)
  if (!task) throw new Error(`no task ${id}`)
  return task
}

const use = (tool: string, args: object) => JSON.stringify({ tool, arguments: args })
const report = (answer: string) => JSON.stringify({ answer })

/** Plays one bundled question with a model that says what the script says: planner and executor by turns. */
async function play(
  id: string,
  servers: readonly string[],
  script: (request: GenerateRequest) => Reply,
  noteRead = false,
) {
  const model = scriptedModel(script)
  const questions = createQuestionEnvironment({
    plannerPrompt: shippedPrompts.text('qa-planner'),
    executorPrompt: shippedPrompts.text('qa-executor'),
    alonePrompt: shippedPrompts.text('qa-alone'),
    directPrompt: shippedPrompts.text('qa-direct'),
    judgePrompt: shippedPrompts.text('judge'),
  })
  const environment = openQuestionWorld(
    {
      environment: questions,
      title: 'r',
      settings: {},
      files: join(streams, 'desk-questions'),
      models: { planner: model, executor: model, judge: model },
    },
    deps(servers),
  )
  const trajectory = await runQuestion({
    id: 'r-t0000',
    runId: 'r',
    memoryId: 's',
    task: await questionTask(id),
    environment,
    method: caseBank,
    context: {
      bank: fakeBank(),
      embedder: wordEmbedder(),
      model,
      prompts: shippedPrompts,
      settings: {},
      k: 4,
      seed: 1,
    },
    clock: { now: () => new Date(0) },
    temperature: 0,
    maxTokens: 256,
    noteRead,
  })
  return { trajectory, model }
}

const inTurn =
  (...replies: Reply[]) =>
  () =>
    replies.shift() ?? 'no reply left'

describe.skipIf(!isBuilt)('planner and executor over the built-in tool servers (needs a build)', () => {
  test('say what they read that nobody checked, where it is to be noted', async () => {
    const replies = [
      JSON.stringify({ plan: [{ id: 1, description: 'Read stock.json.' }] }),
      use('read_document', { path: 'stock.json' }),
      report('Six kinds of parts.'),
      'FINAL ANSWER: six',
    ]
    const { trajectory } = await play('desk-6', ['documents'], inTurn(...replies), true)
    expect(trajectory.read).toEqual(['the files of the task', 'the answer of read_document'])
    const inWorld = await play('desk-6', ['documents'], inTurn(...replies))
    expect(inWorld.trajectory.read).toBeUndefined()
  })

  test('solve a question end to end with documents, code and arithmetic, and the case holds the plan', async () => {
    const plan = {
      plan: [
        { id: 1, description: 'Read stock.json.' },
        { id: 2, description: 'Compute the cost of every part below its minimum.' },
        { id: 3, description: 'Add up the costs.' },
      ],
    }
    const python = [
      'import json',
      "parts = json.load(open('stock.json'))['parts']",
      "short = [(p['minimum'] - p['inStock']) * p['unitPrice'] for p in parts if p['inStock'] < p['minimum']]",
      "print(' + '.join(f'{cost:.2f}' for cost in short))",
    ].join('\n')
    const { trajectory, model } = await play(
      'desk-6',
      ['code', 'math', 'documents'],
      inTurn(
        JSON.stringify(plan),
        use('read_document', { path: 'stock.json' }),
        report('Six kinds of parts with stock, minimum and price.'),
        use('run_python', { code: python }),
        report('57.60 + 98.40 + 64.50'),
        use('calculate', { expression: '57.60 + 98.40 + 64.50' }),
        report('220.5'),
        'FINAL ANSWER: 220.5',
      ),
    )
    const calls = trajectory.cycles?.[0]?.subtasks.flatMap((subtask) => subtask.calls) ?? []
    expect(calls.map(({ tool, answer }) => [tool, answer?.failed])).toEqual([
      ['read_document', false],
      ['run_python', false],
      ['calculate', false],
    ])
    expect(calls[0]?.answer?.text).toContain('HX-10')
    expect(calls[1]?.answer?.text).toContain('57.60 + 98.40 + 64.50')
    expect(calls[2]?.answer?.text).toContain('220.5')
    expect(trajectory).toMatchObject({
      finish: 'completed',
      reward: 1,
      question: { level: 2, dataset: 'desk', answer: '220.5', grades: { em: 1, f1: 1, pm: null } },
      task: { context: "Files in the task's folder: stock.json" },
    })
    const { events } = await caseBank.learn(trajectory, {} as never)
    expect(events).toMatchObject([{ kind: 'case-added', case: { plan: JSON.stringify(plan), reward: 1 } }])
    // The executor was told of the tools; nothing of the task's folder is left.
    expect(model.requests[1]?.messages[0]?.content).toContain('- read_document:')
    expect(existsSync(join(folder, 'tasks', 'r-t0000'))).toBe(false)
  })

  test('kill -9 of a tool server mid-call is a failed call in the trajectory, and the task goes on', async () => {
    const endless = use('run_javascript', { code: 'while (true) {}' })
    const killed = (async () => {
      for (;;) {
        const { stdout } = await promisify(execFile)('ps', [
          '-o',
          'pid=,args=',
          '--ppid',
          String(process.pid),
        ])
        const line = stdout.split('\n').find((row) => row.includes('mcp/index.js code'))
        const pid = Number(line?.trim().split(' ')[0])
        const busy =
          pid > 0 &&
          (await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => null))
        // The interpreter is a child of the server: once it is there, the call is under way.
        if (busy) {
          process.kill(pid, 'SIGKILL')
          return
        }
        await new Promise((wake) => setTimeout(wake, 50))
      }
    })()
    const { trajectory } = await play(
      'desk-1',
      ['code', 'math'],
      inTurn(
        '{"plan": [{"id": 1, "description": "Compute it."}]}',
        endless,
        use('calculate', { expression: '0.17 * 2350 + sqrt(1764)' }),
        use('run_javascript', { code: '0.17 * 2350 + 42' }),
        report('441.5'),
        'FINAL ANSWER: 441.5',
      ),
    )
    await killed
    const calls = trajectory.cycles?.[0]?.subtasks[0]?.calls ?? []
    expect(calls.map(({ tool, answer }) => [tool, answer?.failed])).toEqual([
      ['run_javascript', true],
      ['calculate', false],
      ['run_javascript', false],
    ])
    expect(calls[0]?.answer?.text).toMatch(/server "code" was lost.*SIGKILL/)
    expect(trajectory).toMatchObject({ reward: 1, finish: 'completed' })
  })

  test('a tool that is not allowed without asking is refused where nobody can be asked', async () => {
    const { trajectory } = await play(
      'desk-1',
      ['crawl'],
      inTurn(
        '{"plan": [{"id": 1, "description": "Look it up."}]}',
        use('read_page', { url: 'https://example.com/' }),
        report('Not allowed.'),
        'FINAL ANSWER: unknown',
      ),
    )
    const [call] = trajectory.cycles?.[0]?.subtasks[0]?.calls ?? []
    expect(call?.answer).toMatchObject({ failed: true, text: expect.stringContaining('not allow') as string })
    expect(trajectory).toMatchObject({ reward: 0, finish: 'completed' })
  })
})
