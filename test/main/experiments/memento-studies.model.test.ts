import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createRouter } from '../../../src/main/api/router'
import { createTransports, type Transports } from '../../../src/main/api/transports'
import { readStudyFile } from '../../../src/main/experiments/study-file'
import { furtherTables } from '../../../src/main/experiments/report-table'
import { findResources } from '../../../src/main/ground/resources'
import type { Contract } from '../../../src/shared/contract'
import type { Study, ExperimentReport } from '../../../src/shared/domain/experiment'
import { withToolsOf } from '../app-in-temp'
import { DEMO_MODEL, openAppRig, type AppRig } from '../runs/rig-app'
import { TORTURE, longTest } from '../../torture'

// Engines and tool servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 })

/** A few of the bundled questions and tasks, as two datasets, so that each study meets what it is about. */
async function fewTasks(folder: string) {
  const shipped = findResources()
  const streams = join(folder, 'streams')
  await mkdir(streams)
  await cp(join(shipped.streams, 'desk-questions'), join(streams, 'desk-questions'), { recursive: true })
  const text = await readFile(join(shipped.streams, 'desk-questions.jsonl'), 'utf8')
  const lines = text.trim().split('\n')
  const dataset = (line: string, i: number): string =>
    line.replace('"data_source": "desk"', `"data_source": "${i < 3 ? 'nq' : 'musique'}"`)
  await writeFile(join(streams, 'desk-questions.jsonl'), lines.map((line, i) => dataset(line, i)).join('\n'))
  await cp(join(shipped.streams, 'house-rules-mix.jsonl'), join(streams, 'house-rules-mix.jsonl'))
  return { ...shipped, streams }
}

let rig: AppRig
let client: Transports<Contract>['client']
beforeAll(async () => {
  rig = await openAppRig(0, fewTasks)
  // What all tools say of themselves would be most of what is read.
  await withToolsOf(rig.app, 'documents', 'math')
  client = createTransports<Contract>(createRouter(rig.app)).client
})
afterAll(() => rig.close())

async function play(id: string, change: Partial<Study>): Promise<ExperimentReport> {
  const study = await readStudyFile(resolve('resources/experiments', `${id}.yaml`))
  // The demo model is no planner: short replies and few turns show that a study runs, not how well.
  const methods = study.methods.map((entry) => {
    const variant = typeof entry === 'string' ? { name: entry, method: entry, settings: {} } : entry
    const agent = {
      maxCycles: 1,
      maxSubtasks: 1,
      maxSteps: 2,
      thinkTokens: 8,
      ...variant.settings['agent'],
      grade: 'exact',
    }
    return { ...variant, settings: { ...variant.settings, agent } }
  })
  const started = await client.experiments.start({
    ...study,
    methods,
    model: DEMO_MODEL,
    seeds: [1],
    settings: { ...study.settings, maxTokens: 32 },
    ...change,
  })
  const experimentId = started.id
  for await (const _message of await client.experiments.watch({ experimentId }))
    if ((await client.experiments.get({ experimentId })).status !== 'running') break
  const report = await client.experiments.report({ experimentId })
  for (const { key, status, problem } of report.cells)
    expect([key, status, problem]).toEqual([key, 'done', null])
  expect(report.pending).toBe(0)
  return report
}

const heads = (report: ExperimentReport): string[] =>
  furtherTables(report).map(([head]) => (head ?? []).join(' '))

/** Played with `npm run torture`; what they take part in is played by the others too. */
const rarely = test.skipIf(!TORTURE)

describe('studies of Memento start and end on the real engine', () => {
  rarely('table 3: K from 0 to 32, 1 among them, on questions too', async () => {
    const report = await play('memento-k-sweep', { stream: 'desk-questions', tasks: 1 })
    expect([...new Set(report.summary.map(({ exp }) => exp))]).toEqual([0, 1, 2, 4, 8, 16, 32])
    expect(heads(report)).toContain('method K EM F1 macro F1 PM nq F1/PM plans/task')
  })

  rarely('table 4: five iterations of every method', async () => {
    const report = await play('memento-iterations', {
      tasks: 2,
      settings: { temperature: 0.2, maxTokens: 256, contextSize: null, inFlight: 1 },
    })
    expect(report.summary.map(({ method }) => method)).toHaveLength(5)
    for (const { iterationMeans, passMeans } of report.summary) {
      expect(iterationMeans).toHaveLength(5)
      // What one of the iterations solved by then never grows less.
      expect(passMeans).toEqual([...passMeans].sort((a, b) => a - b))
    }
  })

  rarely('table 5: executors alone and with a planner', async () => {
    const report = await play('memento-executors', { tasks: 2 })
    expect(report.summary.map(({ method }) => method)).toEqual([
      'offline-executor',
      'online-executor',
      'without-cases',
      'case-bank',
      'case-bank-q',
    ])
    const offline = report.cells.find(({ method }) => method === 'offline-executor')
    expect(offline?.questions).toMatchObject({ tools: [], n: 2 })
    const runId = offline?.runId ?? ''
    const attempt = await client.runs.trajectory({ runId, index: 0 })
    expect(attempt.cycles).toHaveLength(1)
    expect(attempt.cycles?.[0]?.subtasks[0]?.description).toBe(attempt.task.instruction)
    expect(attempt.recalled).toEqual([])
  })

  rarely('table 6: fast and slow planner and executor', async () => {
    const report = await play('memento-thinking', { tasks: 1 })
    expect(report.summary.map(({ method }) => method)).toEqual([
      'fast',
      'slow-planner',
      'slow-executor',
      'slow',
    ])
  })

  longTest('figures 5 and 6: a row for each level, with tokens and tools', async () => {
    const report = await play('memento-levels', {})
    expect(report.cells[0]?.questions?.levels.map(({ level }) => level)).toEqual([1, 2, 3])
    expect(heads(report)).toContain(
      'method K level EM tokens read/task tokens written/task calls/task by tool',
    )
    // The preset came with the study: the benchmark's temperature, and its K.
    const { config } = await client.runs.get({ runId: report.cells[0]?.runId ?? '' })
    expect(config).toMatchObject({ preset: 'paper/gaia', temperature: 1, k: 4 })
  })

  rarely('GAIA: three iterations, Pass@3, then the test tasks, of which nothing is kept', async () => {
    const report = await play('memento-gaia', {
      tasks: 2,
      protocol: { iterations: 3, passes: 1, retest: 0, test: 1 },
    })
    for (const { iterationMeans, passMeans, testMean } of report.summary) {
      expect([iterationMeans.length, passMeans.length]).toEqual([3, 3])
      expect(testMean).toBeGreaterThanOrEqual(0)
    }
    const { runId } = report.cells.find(({ method }) => method === 'case-bank') ?? { runId: '' }
    const last = await client.runs.trajectory({ runId, index: 3 })
    expect(last.heldOut).toBe(true)
    expect((await client.runs.trajectory({ runId, index: 2 })).heldOut).toBeUndefined()
  })

  rarely('out of distribution: three datasets come last and are learned nothing from', async () => {
    const report = await play('memento-out-of-distribution', { stream: 'desk-questions', tasks: 4 })
    const { runId } = report.cells.find(({ method }) => method === 'case-bank') ?? { runId: '' }
    const attempts = await Promise.all([0, 1, 2, 3].map((index) => client.runs.trajectory({ runId, index })))
    expect(attempts.map(({ heldOut }) => heldOut ?? false)).toEqual([false, false, true, true])
  })
})
