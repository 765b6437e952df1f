import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateWorldStream } from '../../../src/core/tasks/house-rules/stream'
import type { ExperimentReport } from '../../../src/shared/domain/experiment'
import type { SuiteReport } from '../../../src/shared/domain/suite'
import { hasTinyModel, tempFolder, TINY_MODEL } from '../runs/rig-app'
import { lastLine, loam, loamHere } from './loam-process'
import { longTestWhere } from '../../torture'

const DEMO_MODEL = resolve('models/loam-demo.gguf')

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Steps that all runs of a data folder have told of. */
async function stepsIn(data: string): Promise<number> {
  let count = 0
  for (const run of await readdir(join(data, 'runs')).catch(() => [])) {
    const text = await readFile(join(data, 'runs', run, 'events.jsonl'), 'utf8').catch(() => '')
    count += text.split('\n').filter((line) => line.includes('"kind":"step"')).length
  }
  return count
}

// A run that is killed so, and an experiment that is resumed, have shorter tests: crash.model.test.ts and experiment-queue.test.ts.
longTestWhere(hasTinyModel)(
  'an experiment killed with -9 and resumed gives the same results as one left alone',
  { timeout: 300_000 },
  async () => {
    const stream = join(folder, 'world.jsonl')
    await writeFile(
      stream,
      generateWorldStream(5, 3)
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
    )
    const file = join(folder, 'experiment.yaml')
    await writeFile(
      file,
      `stream: world.jsonl\nmethods: [none, case-bank]\nseeds: [1]\nexp: [0, 1]\nmodel: ${JSON.stringify(TINY_MODEL)}\nsettings: { temperature: 0.8, maxTokens: 32 }\n`,
    )
    const common = ['--gpu-layers', 'cpu', '--json']
    const whole = await loamHere('experiment', file, '--data', join(folder, 'a'), ...common)
    expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('3 cells')])
    const expected = lastLine(whole.out) as ExperimentReport
    expect(expected.cells).toHaveLength(3)
    expect(expected.cells.every((cell) => cell.tasks === 3 && cell.rewards.length === 3)).toBe(true)

    const data = join(folder, 'b')
    const out = join(folder, 'out')
    const { child, ended } = loam('experiment', file, '--data', data, '--out', out, ...common)
    while ((await stepsIn(data)) < 4) await sleep(5)
    child.kill('SIGKILL')
    await ended
    const told = await stepsIn(data)
    expect(told).toBeLessThan(9)

    const resumed = await loam('experiment', '--resume', out, '--data', data, '--out', out, ...common).ended
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('of 9 tasks are done')])
    const report = lastLine(resumed.out) as ExperimentReport
    expect(report.resultHash).toBe(expected.resultHash)
    const plain = ({ cells }: ExperimentReport) =>
      cells.map(({ runId: _runId, wallMs: _wallMs, ...results }) => results)
    expect(JSON.stringify(plain(report))).toBe(JSON.stringify(plain(expected)))
    expect(JSON.stringify(report.summary)).toBe(JSON.stringify(expected.summary))
    expect(await readFile(join(out, 'report.md'), 'utf8')).toContain(report.resultHash)
  },
)

longTestWhere(existsSync(DEMO_MODEL))(
  'a suite killed with -9 in the middle of a life and resumed ends like one left alone',
  { timeout: 300_000 },
  async () => {
    const args = ['experiment', 'lifelong-suite', '--worlds', '901', '--streams', 'noisy,poisoned']
    const asked = [...args, '--methods', 'none,case-bank', '--tasks', '4', '--gpu-layers', 'cpu', '--json']
    const whole = await loamHere(...asked, '--data', join(folder, 'e'))
    expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('6 cells')])
    const expected = lastLine(whole.out) as SuiteReport
    expect(expected.summary.map(({ stream, method }) => `${stream} ${method}`)).toEqual(
      ['noisy', 'poisoned', 'given'].flatMap((kind) => [`${kind} none`, `${kind} case-bank`]),
    )
    expect(expected.summary.every(({ adaptation }) => adaptation === null)).toBe(true)
    expect(expected.suite.map(({ method }) => method)).toEqual(['none', 'case-bank'])

    const data = join(folder, 'f')
    const out = join(folder, 'suite')
    const { child, ended } = loam(...asked, '--data', data, '--out', out)
    while ((await stepsIn(data)) < 10) await sleep(5)
    child.kill('SIGKILL')
    await ended
    expect(await stepsIn(data)).toBeLessThan(24)
    const resumed = await loam(
      ...['experiment', '--resume', out, '--data', data, '--out', out, '--gpu-layers', 'cpu', '--json'],
    ).ended
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('of 24 tasks are done')])
    const report = lastLine(resumed.out) as SuiteReport
    expect(report.summary).toEqual(expected.summary)
    expect(report.cells.map(({ rewards, tokens }) => [rewards, tokens])).toEqual(
      expected.cells.map(({ rewards, tokens }) => [rewards, tokens]),
    )
    expect(await readFile(join(out, 'report.md'), 'utf8')).toContain('| poisoned | case-bank |')
  },
)

// The demo model is made by `npm run train:demo`; without it there is nothing here that could solve a task.
test.skipIf(!existsSync(DEMO_MODEL))(
  'on the demo model, methods are compared with the baseline, with n and intervals',
  { timeout: 300_000 },
  async () => {
    const { code, out } = await loamHere(
      ...['experiment', '--stream', 'house-rules-a', '--methods', 'none,replay'],
      ...['--seeds', '1,2', '--exp', '0,1', '--tasks', '1', '--data', join(folder, 'c'), '--json'],
    )
    expect(code).toBe(0)
    const report = lastLine(out) as ExperimentReport
    expect(report).toMatchObject({ status: 'done', pending: 0, tasks: 1, model: 'loam-demo' })
    expect(report.cells).toHaveLength(6)
    expect(report.summary.map((row) => [row.method, row.exp, row.n + row.oom])).toEqual([
      ['none', 0, 2],
      ['replay', 0, 2],
      ['replay', 1, 2],
    ])
    const [none, replay] = report.summary
    // Replaying nothing is having no memory: prompt, seeds and so every reply are the same.
    expect(replay).toMatchObject({ mean: none?.mean, deltaToBaseline: 0, deltaN: 2 })
    // An interval needs two samples: seeds whose runs went alike are one.
    expect(replay?.deltaCi95).toEqual((replay?.deltaDistinct ?? 0) > 1 ? [0, 0] : null)
  },
)

test('bad arguments end with 2 before anything is begun', { timeout: 120_000 }, async () => {
  const data = ['--data', join(folder, 'd'), '--json']
  const cases: [string[], RegExp][] = [
    [['--methods', 'none'], /--stream is missing/],
    [['--stream', 'house-rules-a', '--methods', 'none', '--seeds', '1,x'], /--seeds must list/],
  ]
  for (const [args, cause] of cases) {
    const { code, out } = await loamHere('experiment', ...args, ...data)
    expect(code).toBe(2)
    expect((lastLine(out) as { error: { cause: string } }).error.cause).toMatch(cause)
  }
})

test(
  '--set reaches every cell of an experiment, and what is misspelt is refused before anything starts',
  { timeout: 120_000 },
  async () => {
    const data = join(folder, 'data')
    const asked = [
      'experiment',
      ...['--stream', 'house-rules-a', '--methods', 'none,case-bank', '--seeds', '1', '--tasks', '1'],
      ...['--data', data, '--json'],
    ]
    const { code, err } = await loamHere(...asked, '--set', 'lab-db.rounds=1')
    expect(code, err).toBe(0)
    const runs = await readdir(join(data, 'runs'))
    const settings = await Promise.all(
      runs.map(async (run) => {
        const record = JSON.parse(await readFile(join(data, 'runs', run, 'run.json'), 'utf8')) as {
          record?: { config: { settings: unknown } }
          config?: { settings: unknown }
        }
        return (record.record ?? record).config?.settings
      }),
    )
    expect(settings).toEqual([{ 'lab-db': { rounds: 1 } }, { 'lab-db': { rounds: 1 } }])
    const wrong = await loamHere(...asked, '--set', 'lab-db.round=1')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('There is no setting lab-db.round.')])
    expect(await readdir(join(data, 'runs'))).toHaveLength(2)
  },
)

longTestWhere(hasTinyModel)(
  'of a study, some of its variants can be played alone, with their settings',
  { timeout: 120_000 },
  async () => {
    const file = join(folder, 'study.yaml')
    const variants = ['a', 'b'].map(
      (name) =>
        `  - { name: ${name}, method: evosc, settings: { evosc: { capacity: ${name === 'a' ? 3 : 4} } } }`,
    )
    await writeFile(
      file,
      `stream: house-rules-a\nmethods:\n  - none\n${variants.join('\n')}\nseeds: [1]\nexp: [0]\ntasks: 1\nmodel: ${JSON.stringify(TINY_MODEL)}\nsettings: { maxTokens: 32 }\n`,
    )
    const given = ['--methods', 'b,none', '--data', join(folder, 'data'), '--gpu-layers', 'cpu', '--json']
    const { code, out, err } = await loamHere('experiment', file, ...given)
    expect([code, err]).toEqual([0, expect.stringContaining('2 cells')])
    const report = lastLine(out) as ExperimentReport
    expect(report.cells.map(({ method }) => method)).toEqual(['b', 'none'])
    const { runId } = report.cells[0] ?? { runId: '' }
    const run = JSON.parse(await readFile(join(folder, 'data', 'runs', runId, 'run.json'), 'utf8')) as {
      config: { settings: unknown }
    }
    expect(run.config.settings).toMatchObject({ evosc: { capacity: 4 } })
  },
)
