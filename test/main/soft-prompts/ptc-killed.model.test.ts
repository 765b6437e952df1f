import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect } from 'vitest'
import { findGgml } from '../../../src/main/adapters/ggml/library-files'
import { readSoftPrompt } from '../../../src/main/soft-prompts/soft-prompt-file'
import { keptSteps } from '../../../src/main/soft-prompts/pending'
import { findResources } from '../../../src/main/ground/resources'
import { demoModelPath } from '../../../src/main/ground/model-file'
import type { CellReport, ExperimentReport } from '../../../src/shared/domain/experiment'
import type { SoftPrompt } from '../../../src/shared/domain/soft-prompt'
import { childOf, gone, lastLine, loam } from '../cli/loam-process'
import { tempFolder } from '../runs/rig-app'
import { longTestWhere } from '../../torture'

/** Why this cannot be tested here; null when it can. */
function obstacle(): string | null {
  if (process.platform !== 'linux') return 'only Linux tells which processes a process started'
  if (!existsSync(demoModelPath(findResources().models))) return 'the demo model is not here'
  try {
    findGgml('cpu')
    return null
  } catch (error) {
    return (error as Error).message
  }
}
const why = obstacle()

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const PTC = { errorLessons: false, successLessons: false, ptc: true, ptcAfter: 4 }
const SMALL = { ptcTeacher: 2, ptcStudent: 0, ptcLength: 8, ptcSteps: 6 }
const definition = {
  stream: 'house-rules-b',
  methods: [{ name: 'PTC', method: 'evosc', settings: { evosc: { ...PTC, ...SMALL } } }],
  seeds: [1],
  exp: [0],
  tasks: 9,
  settings: { maxTokens: 96 },
}

/** The soft prompts of the experiment's only cell. */
async function softPromptStoreOf(data: string): Promise<string | null> {
  const [id] = await readdir(join(data, 'experiments')).catch(() => [])
  return id === undefined
    ? null
    : join(data, 'experiments', id, 'spaces', 'PTC-e0-s1', 'artifacts', 'soft-prompts')
}

async function trained(data: string): Promise<Pick<SoftPrompt, 'adapterSha256' | 'outcome'>> {
  const softPromptList = (await softPromptStoreOf(data)) ?? ''
  const files = (await readdir(softPromptList)).sort()
  // Nothing half done is left.
  expect(files.map((name) => name.replace(/^.*(\.\w+)$/u, '$1'))).toEqual(['.gguf', '.json', '.copy'])
  return (await readSoftPrompt(join(softPromptList, files[0] ?? ''))).info
}

/** A cell's figures without names and times. */
const comparable = ({ runId: _run, wallMs: _ms, ...figures }: CellReport) => figures

/** Waits until more than `steps` steps are kept of the training that `host` does, and answers its trainer. */
async function trainerPast(host: number, data: string, steps: number): Promise<number> {
  for (;;) {
    const softPromptList = await softPromptStoreOf(data)
    const trainer = await childOf(host, 'engine/trainer')
    if (softPromptList !== null && trainer !== null && (await keptSteps(softPromptList)) > steps)
      return trainer
    await sleep(20)
  }
}

/** The fewest steps that are kept at any time until `end`. A training that begins anew keeps its first step at once. */
async function fewestKept(softPromptList: string, end: Promise<unknown>): Promise<number> {
  let going = true
  void end.then(() => (going = false))
  let fewest = Number.POSITIVE_INFINITY
  while (going) {
    const kept = await keptSteps(softPromptList)
    // Nothing is kept once it has ended.
    if (kept > 0) fewest = Math.min(fewest, kept)
    await sleep(20)
  }
  return fewest
}

// Shorter tests of the trainer end it and go on from what was kept, and end a run's host.
longTestWhere(why === null)(
  `a run whose trainer and whose host are killed with -9 while it trains ends as if they had not been${why === null ? '' : ` (skipped: ${why})`}`,
  { timeout: 900_000 },
  async () => {
    const file = join(folder, 'ptc.json')
    await writeFile(file, JSON.stringify(definition))
    const begin = (data: string) => loam('experiment', file, '--data', data, '--gpu-layers', 'cpu', '--json')

    const whole = await begin(join(folder, 'a')).ended
    expect([whole.code, whole.err]).toEqual([0, expect.stringContaining('Experiment exp-')])
    const expected = lastLine(whole.out) as ExperimentReport
    expect(expected.cells).toMatchObject([{ status: 'done', tasks: 9 }])

    const data = join(folder, 'b')
    const { child, ended } = begin(data)
    const host = child.pid ?? 0
    const first = await trainerPast(host, data, 0)
    process.kill(first, 'SIGKILL')
    await gone(first)
    // The cell goes on by itself, with another trainer, from what was kept.
    const kept = await keptSteps((await softPromptStoreOf(data)) ?? '')
    const second = await trainerPast(host, data, kept)
    expect(second).not.toBe(first)
    const engine = await childOf(host, 'engine/index')
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
    for (const pid of [second, engine]) if (pid !== null) await gone(pid)

    const softPromptList = (await softPromptStoreOf(data)) ?? ''
    const reached = await keptSteps(softPromptList)
    expect(reached).toBeGreaterThan(1)
    const [id = ''] = await readdir(join(data, 'experiments'))
    const { ended: again } = loam(
      'experiment',
      '--resume',
      id,
      '--data',
      data,
      '--gpu-layers',
      'cpu',
      '--json',
    )
    // It went on from there, and did not begin anew.
    expect(await fewestKept(softPromptList, again)).toBeGreaterThanOrEqual(reached)
    const resumed = await again
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Experiment exp-')])
    const report = lastLine(resumed.out) as ExperimentReport
    // First, so that a cell that failed says why.
    expect(report.cells.map(comparable)).toEqual(expected.cells.map(comparable))
    const [one, other] = [await trained(join(folder, 'a')), await trained(data)]
    expect(other.adapterSha256).toBe(one.adapterSha256)
    expect(other.outcome.curve).toEqual(one.outcome.curve)
    expect(report.resultHash).toBe(expected.resultHash)
  },
)
