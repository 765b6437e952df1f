import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { brew } from '../../../src/core/methods/brew/brew'
import { reflectMessages, rubricMessages } from '../../../src/core/methods/brew/messages'
import { retellingOf } from '../../../src/core/ground/prompt'
import type { RunConfig } from '../../../src/shared/domain/run'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { writeRandomModel } from '../../models/random-model'
import { appInTemp } from '../app-in-temp'
import { DEMO_MODEL, trajectoriesOf } from '../runs/rig-app'
import { longTest } from '../../torture'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

const REAL = resolve(import.meta.dirname, '../../../../shared/data/real')
const isHere = existsSync(REAL) && existsSync(DEMO_MODEL)
if (!isHere) process.stderr.write(`Skipped: there are no published benchmarks at ${REAL}, or no demo model\n`)
const CONTEXT = 8192

// Nothing is solved here: a model with random weights says and calls anything, as agent and as user. It matters that a build goes its whole way
// on real policies, workbooks and conversations. The demo model judges, reflects and writes.
describe.skipIf(!isHere)('BREW on benchmarks as published (skipped when ../shared/data is absent)', () => {
  let agent = ''
  const running = appInTemp('brew-real', (folder) => {
    agent = join(folder, 'random.gguf')
    writeRandomModel(agent, {
      architecture: 'qwen2',
      vocabulary: join(REAL, 'vocab/ggml-vocab-gpt-2.gguf'),
      template: null,
      // Else a text within a form would go on to the limit, and no attempt would ever act.
      loud: ['"', '"}', '",', '}', ')'],
      seed: 1,
      context: CONTEXT,
    })
  })

  async function play(
    stream: string,
    tasks: number | null,
    settings: NonNullable<RunConfig['settings']>,
    memoryId?: string,
  ) {
    const app = running()
    const { id } = await app.runDrafts.start({
      ...{ stream: join(REAL, stream), method: 'brew', model: agent, temperature: 1, maxTokens: 64 },
      ...{ contextSize: CONTEXT, seed: 1, ...(tasks !== null && { tasks }), ...(memoryId && { memoryId }) },
      settings: {
        brew: { depth: 1, iterations: 1, width: 1, again: 0, use: 'ask', queries: 1 },
        roles: { writerModel: DEMO_MODEL },
        ...settings,
      },
    })
    const run = await app.runs.ended(id)
    expect(run).toMatchObject({ status: 'done', problem: null })
    const memory = await app.memories.open(run.config.memoryId)
    const [info] = (await app.guides.builds(memory.id)).filter(({ build }) => build.id === `build-${id}`)
    if (!info) throw new Error('The run built nothing.')
    const attempts = (await trajectoriesOf(app, id)).filter(({ runId }) => runId === id)
    return { app, memory, info, attempts, units: await memory.buildLog(info.build.id).units() }
  }

  /** What judge and reflector are asked about an attempt. */
  const askedAbout = (attempt: Trajectory): string[] =>
    [rubricMessages('', [], retellingOf(attempt)), reflectMessages('', retellingOf(attempt), [])].map(
      ([, user]) => user?.content ?? '',
    )

  longTest(
    'learns from conversations under a policy, proposes a document, and looks it up again after each turn of the user',
    async () => {
      const stream = 'tau2/airline/tasks.json'
      const conversation = { 'tool-use': { replies: 'tools', rounds: 6 } }
      const { app, memory, info, units, attempts } = await play(stream, 4, conversation)
      expect([info.build.train.length, info.build.evaluation.length]).toEqual([1, 1])
      for (const attempt of attempts) {
        expect(attempt.rounds.some(({ from }) => from === 'user')).toBe(true)
        for (const asked of askedAbout(attempt)) expect(asked).toContain('# Airline Agent Policy')
      }
      // Every text was usable: scores and insights of both attempts that taught something, and a document.
      const found = units.flatMap((unit) => (unit.kind === 'findings' ? [unit] : []))
      expect(found.length).toBeGreaterThan(0)
      for (const { problem, scores, insights } of found) {
        expect(problem).toBeNull()
        expect(Math.min(scores?.length ?? 0, insights.length)).toBeGreaterThan(0)
      }
      const rolled = units.flatMap((unit) => (unit.kind === 'rollout' ? [unit.trajectory] : []))
      expect(rolled.some(({ recalled }) => recalled.some(({ kind }) => kind === 'document'))).toBe(true)
      const [document] = await app.guides.list(memory.id)
      expect([document?.current, document?.proposed?.buildId]).toEqual([null, info.build.id])

      await app.guides.decideAll(memory.id, info.build.id, true)
      const lookedUp = vi.spyOn(brew, 'recallTurn')
      const next = await play(
        stream,
        2,
        { ...conversation, brew: { train: 1, evaluation: 1, iterations: 0, again: 0, use: 'ask' } },
        memory.id,
      )
      const said = next.attempts.flatMap(({ rounds }) => rounds).filter(({ from }) => from === 'user')
      expect(lookedUp.mock.calls.map(([{ message }]) => message)).toEqual(
        said.map(({ observation }) => observation),
      )
      expect(said.length).toBeGreaterThan(0)
      for (const { recalled } of next.attempts) expect(recalled[0]?.kind).toBe('document')
    },
  )

  longTest('splits spreadsheets three to one, and shows judge and reflector the workbook', async () => {
    const sheets = 'spreadsheetbench/dataset.json'
    const { info, attempts, units } = await play(sheets, null, { spreadsheet: { replies: 'tools' } })
    // 30 and 10 where there are as many; half of 25 here.
    expect([info.build.train.length, info.build.evaluation.length]).toEqual([9, 3])
    const learned = new Set(units.flatMap((unit) => (unit.kind === 'findings' ? [unit.key] : [])))
    expect(learned.size).toBeGreaterThan(0)
    expect(info.outcome).toMatchObject({ unusable: 0, stopped: 'done' })
    const taught = attempts.filter(({ id }) => learned.has(id))
    expect(taught.length).toBe(learned.size)
    for (const asked of taught.flatMap(askedAbout)) expect(asked).toMatch(/Shown with it:\nSheet "\w+", A1:/)
  })
})
