import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateWorldStream } from '../../../src/core/tasks/house-rules/stream'
import type { RunReport } from '../../../src/shared/domain/run'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { childOf, gone, lastLine, loam, loamHere } from './loam-process'
import { contentOf, DEMO_MODEL, hasTinyModel, tempFolder } from '../runs/rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const TASKS = 8
const choice = (data: string, stream: string): string[] => [
  ...['run', '--stream', stream, '--method', 'none', '--model', DEMO_MODEL, '--data', data],
  ...['--temperature', '0.8', '--seed', '3', '--max-tokens', '48', '--gpu-layers', 'cpu', '--json'],
]

async function writeStream(): Promise<string> {
  const path = join(folder, 'world.jsonl')
  await writeFile(
    path,
    generateWorldStream(5, TASKS)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  )
  return path
}

async function stepsOf(data: string): Promise<{ runId: string; steps: number } | null> {
  const [runId] = await readdir(join(data, 'runs')).catch(() => [])
  if (runId === undefined) return null
  const text = await readFile(join(data, 'runs', runId, 'events.jsonl'), 'utf8').catch(() => '')
  return { runId, steps: text.split('\n').filter((line) => line.includes('"kind":"step"')).length }
}

async function exported(memory: string, data: string): Promise<Trajectory[]> {
  const out = `${data}.jsonl`
  expect((await loamHere('export', '--memory', memory, '--out', out, '--data', data)).code).toBe(0)
  return (await readFile(out, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind?: string; trajectory: Trajectory })
    .flatMap((line) => (line.kind === 'trajectory' ? [line.trajectory] : []))
}

test.skipIf(!hasTinyModel)(
  'killed with -9 in the middle of a run, resumed: nothing is lost and the result is the same',
  { timeout: 300_000 },
  async () => {
    const stream = await writeStream()
    const whole = await loamHere(...choice(join(folder, 'a'), stream))
    expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('Run run-')])
    const expected = lastLine(whole.out) as RunReport
    expect(expected).toMatchObject({ tasks: TASKS, method: 'none', seed: 3 })

    const data = join(folder, 'b')
    const { child, ended } = loam(...choice(data, stream))
    while (((await stepsOf(data))?.steps ?? 0) < 3) await sleep(5)
    const engine = await childOf(child.pid ?? 0, 'engine/index')
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
    const told = (await stepsOf(data))?.steps ?? 0
    const runId = (await stepsOf(data))?.runId ?? ''

    const listed = await loamHere('runs', '--data', data, '--json')
    const { runs } = lastLine(listed.out) as { runs: { status: string; done: number }[] }
    expect(runs).toMatchObject([{ status: 'paused', problem: { code: 'INTERRUPTED' } }])
    expect(runs[0]?.done).toBeGreaterThanOrEqual(told)
    expect(runs[0]?.done).toBeLessThan(TASKS)
    if (engine !== null) await gone(engine)

    const resumed = await loamHere('resume', runId, '--data', data, '--gpu-layers', 'cpu', '--json')
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Going on after')])
    const report = lastLine(resumed.out) as RunReport
    expect(report.rewards).toEqual(expected.rewards)
    expect(contentOf(await exported(report.memory, data))).toBe(
      contentOf(await exported(expected.memory, join(folder, 'a'))),
    )
  },
)

test.skipIf(!hasTinyModel)('Ctrl-C ends a run with 130 and one JSON line', { timeout: 180_000 }, async () => {
  const data = join(folder, 'c')
  const { child, ended } = loam(...choice(data, await writeStream()))
  while (((await stepsOf(data))?.steps ?? 0) < 1) await sleep(5)
  child.kill('SIGINT')
  const { code, out } = await ended
  expect(code).toBe(130)
  expect(lastLine(out)).toMatchObject({ error: { code: 'CANCELLED' } })
})

test.skipIf(!hasTinyModel)(
  'a run ended from outside is paused, not cancelled',
  { timeout: 180_000 },
  async () => {
    const data = join(folder, 'e')
    const { child, ended } = loam(...choice(data, await writeStream()))
    while (((await stepsOf(data))?.steps ?? 0) < 1) await sleep(5)
    child.kill('SIGTERM')
    const { code, out } = await ended
    expect(code).toBe(1)
    expect(lastLine(out)).toMatchObject({ error: { code: 'INTERRUPTED' } })
    const { runs } = lastLine((await loamHere('runs', '--data', data, '--json')).out) as { runs: unknown[] }
    expect(runs).toMatchObject([{ status: 'paused' }])
  },
)

test(
  'bad arguments end with 2 and a hint, failures with 1, both readable by machines',
  { timeout: 180_000 },
  async () => {
    const bad = await loamHere('run', '--method', 'none', '--json')
    expect(bad.code).toBe(2)
    expect(bad.err).toContain('loam --help')
    expect(lastLine(bad.out)).toMatchObject({ error: { code: 'BAD_INPUT', cause: '--stream is missing' } })
    const failed = await loamHere(
      ...choice(join(folder, 'd'), await writeStream()),
      '--model',
      '/not/there.gguf',
    )
    expect(failed.code).toBe(1)
    expect(lastLine(failed.out)).toMatchObject({ error: { code: 'MODEL_NOT_FOUND' } })
  },
)
