import { statesOf } from '../../../src/shared/feed'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoamError } from '../../../src/shared/errors'
import type { ExperimentInput, ExperimentReport } from '../../../src/shared/domain/experiment'
import { endless, fakeTrajectory, tick } from '../runs/fakes'
import { openExperimentRig, scripted, type Attempt, type Banks, type ExperimentRig } from './rig'

// Many small files are written and synced, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let banks: Banks
const open: ExperimentRig[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-experiments-'))
  banks = new Map()
})
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close()
  await rm(folder, { recursive: true, force: true })
})

async function rigOf(
  attempt?: Attempt,
  count?: number,
  where = folder,
  kept = banks,
): Promise<ExperimentRig> {
  const rig = await openExperimentRig(where, kept, attempt, count)
  open.push(rig)
  return rig
}

const CHOICE: ExperimentInput = {
  stream: 'made-up',
  methods: ['none', 'replay', 'case-bank'],
  seeds: [1, 2],
  exp: [0, 2],
}

/** Everything but names and times, as text. */
const content = ({ id, ...report }: ExperimentReport): string =>
  JSON.stringify(report, (key, value: unknown) => (key === 'wallMs' ? 0 : value)).replaceAll(id, 'ID')

/** The report of an experiment that nothing interrupted. */
async function undisturbed(input: ExperimentInput): Promise<ExperimentReport> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'loam-experiments-'))
  const rig = await openExperimentRig(elsewhere, new Map())
  const { id } = await rig.drafts.start(input)
  await rig.experiments.settled(id)
  const report = rig.experiments.report(id)
  await rig.close()
  await rm(elsewhere, { recursive: true, force: true })
  return report
}

test('plays every cell in a memory and run of its own, as one job, and reports them', async () => {
  const rig = await rigOf()
  const { id, cells } = await rig.drafts.start(CHOICE)
  expect(cells).toHaveLength(10)
  expect(await rig.experiments.settled(id)).toMatchObject({
    status: 'done',
    done: 60,
    total: 60,
    etaMs: null,
  })
  expect(rig.mostAtOnce()).toBe(1)
  expect(banks.size).toBe(10)
  expect(rig.released).toHaveLength(10)
  expect(rig.runs.list()).toHaveLength(10)
  await tick(20)
  expect(rig.jobs.list()).toMatchObject([{ kind: 'experiment', status: 'done', subject: id, done: 60 }])
  const report = rig.experiments.report(id)
  expect(report).toMatchObject({ status: 'done', tasks: 6, pending: 0, model: 'nowhere', baseline: 'none' })
  expect(report.cells).toHaveLength(10)
  for (const cell of report.cells) {
    expect(cell.successRate).toBe(cell.solved / 6)
    expect(rig.runs.report(cell.runId).rewards).toEqual(cell.rewards)
  }
  expect(report.summary.map((row) => [row.method, row.exp, row.n])).toEqual([
    ['none', 0, 2],
    ['replay', 0, 2],
    ['replay', 2, 2],
    ['case-bank', 0, 2],
    ['case-bank', 2, 2],
  ])
  const stored = await readFile(join(folder, 'experiments', id, 'experiment.json'), 'utf8')
  expect(JSON.parse(stored)).toMatchObject({ status: 'done', cells: { length: 10 } })
})

test('cells whose settings change the rules they are told play side by side', async () => {
  const rig = await rigOf()
  const methods = [1, 2].map((rounds) => ({
    ...{ name: `rounds-${rounds}`, method: 'none' },
    settings: { 'lab-db': { rounds } },
  }))
  const { id } = await rig.drafts.start({ ...CHOICE, methods: ['none', ...methods], exp: [] })
  await rig.experiments.settled(id)
  expect(rig.experiments.report(id).cells.map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, () => 'done'),
  )
})

test('a watcher sees cells fill in, with ETAs', async () => {
  const rig = await rigOf()
  const { id } = await rig.drafts.start({ ...CHOICE, seeds: [1] })
  const ended = new Set<number>()
  const etas: (number | null)[] = []
  for await (const { cells, status } of statesOf(rig.experiments.watch(id, {}))) {
    ended.add(cells.filter((cell) => cell.status === 'done').length)
    etas.push(...cells.map(({ etaMs }) => etaMs))
    if (status === 'done') break
  }
  expect(ended.size).toBeGreaterThan(2)
  expect([...ended]).toEqual([...ended].sort((a, b) => a - b))
  expect(etas.some((eta) => eta !== null)).toBe(true)
})

test('interrupted by a closing host and by a crash, it ends as if nothing had happened', async () => {
  const expected = await undisturbed(CHOICE)
  const first = await rigOf()
  const { id } = await first.drafts.start(CHOICE)
  while (first.experiments.get(id).done < 15) await tick()
  await first.close()
  expect(first.experiments.get(id)).toMatchObject({ status: 'paused', problem: { code: 'INTERRUPTED' } })

  const second = await rigOf(async (input, events) => {
    // From here on the process is as good as dead: it stands still and tells nobody.
    if (second.experiments.get(id).done >= 33) await endless()(input, events)
    return scripted(input, events)
  })
  expect(second.experiments.get(id).status).toBe('paused')
  await second.drafts.resume(id)
  while (second.experiments.get(id).done < 33) await tick()
  await tick(5)

  const third = await rigOf()
  expect(third.experiments.get(id)).toMatchObject({ status: 'paused', problem: { code: 'INTERRUPTED' } })
  expect(third.experiments.get(id).done).toBeGreaterThanOrEqual(33)
  await third.drafts.resume(id)
  expect(await third.experiments.settled(id)).toMatchObject({ status: 'done', done: 60 })
  const report = third.experiments.report(id)
  expect(report.resultHash).toBe(expected.resultHash)
  expect(content(report)).toBe(content({ ...expected }))
})

test('a dead engine is tried again, then the experiment waits, and goes on when told to', async () => {
  let deaths = 0
  let mended = false
  const rig = await rigOf((input, events) => {
    if (input.task.index === 3 && input.context.k === 2 && !mended) {
      deaths++
      return Promise.reject(new LoamError('ENGINE_DIED', 'Killed.', { suggestion: 'Resume.' }))
    }
    return scripted(input, events)
  })
  const { id } = await rig.drafts.start(CHOICE)
  expect(await rig.experiments.settled(id)).toMatchObject({
    status: 'paused',
    problem: { code: 'ENGINE_DIED' },
  })
  expect(deaths).toBe(3)
  mended = true
  await rig.drafts.resume(id)
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done', problem: null })
  expect(rig.experiments.report(id).resultHash).toBe((await undisturbed(CHOICE)).resultHash)
})

test('an answer of a model server that broke off is asked for again; what would not change waits for a person', async () => {
  let broken = 0
  const rig = await rigOf((input, events) => {
    if (input.task.index !== 3 || input.context.k !== 2 || broken >= 2) return scripted(input, events)
    broken++
    const suggestion = 'Go on.'
    return Promise.reject(new LoamError('MODEL_SERVER', 'It broke off.', { suggestion, retryable: true }))
  })
  const { id } = await rig.drafts.start(CHOICE)
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done', problem: null })
  expect(rig.experiments.report(id).resultHash).toBe((await undisturbed(CHOICE)).resultHash)

  let asked = 0
  const other = await rigOf((input, events) => {
    if (input.task.index !== 3 || input.context.k !== 2) return scripted(input, events)
    asked++
    return Promise.reject(new LoamError('MODEL_SERVER', 'A web page.', { suggestion: 'Look.' }))
  })
  const waiting = await other.drafts.start(CHOICE)
  expect((await other.experiments.settled(waiting.id)).status).toBe('paused')
  expect(asked).toBe(1)
})

test('prompts that do not fit make a cell OOM, a bug makes it failed, and the others go on', async () => {
  const rig = await rigOf(async (input, events) => {
    if (input.context.k === 2 && input.method.info.id === 'replay' && input.task.index >= 4)
      return { ...fakeTrajectory(input), finish: 'context-overflow', reward: 0 }
    if (input.method.info.id === 'case-bank') throw new Error('a bug')
    return scripted(input, events)
  })
  const { id } = await rig.drafts.start({ ...CHOICE, seeds: [1], exp: [2] })
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done' })
  const { cells, summary } = rig.experiments.report(id)
  expect(cells.map((cell) => [cell.method, cell.status, cell.overflows])).toEqual([
    ['none', 'done', 0],
    ['replay', 'oom', 2],
    ['case-bank', 'failed', 0],
  ])
  expect(cells[2]?.problem).toMatchObject({ code: 'INTERNAL', cause: 'a bug' })
  expect(summary[1]).toMatchObject({ n: 0, oom: 1, mean: null })
})

test('cancelling, also through the job, takes effect at once and keeps what is finished', async () => {
  const rig = await rigOf((input, events) =>
    input.context.seed === 2 ? endless(60_000)(input, events) : scripted(input, events),
  )
  const { id } = await rig.drafts.start(CHOICE)
  while (!rig.experiments.get(id).cells.some((cell) => cell.seed === 2 && cell.status === 'running'))
    await tick()
  const job = rig.jobs.list()[0]
  expect(await rig.jobs.cancel(job?.id ?? '')).toMatchObject({ status: 'cancelled' })
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'cancelled' })
  const report = rig.experiments.report(id)
  expect(report.cells.map((cell) => cell.status)).toEqual([
    ...Array.from({ length: 5 }, () => 'done'),
    ...Array.from({ length: 5 }, () => 'cancelled'),
  ])
  await expect(rig.drafts.resume(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await rig.experiments.cancel(id)).toMatchObject({ status: 'cancelled' })
})

test('several cells in flight end with the same results when the model is repeatable', async () => {
  const rig = await rigOf()
  const { id } = await rig.drafts.start({ ...CHOICE, settings: { inFlight: 3 } })
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done' })
  expect(rig.mostAtOnce()).toBe(3)
  expect(rig.experiments.report(id).resultHash).toBe((await undisturbed(CHOICE)).resultHash)
})

test('a run of somebody else waits for its turn between cells and never joins them', async () => {
  const rig = await rigOf()
  const { id } = await rig.drafts.start({ ...CHOICE, settings: { inFlight: 2 } })
  const own = rig.experiments.get(id).cells[0]
  while (!rig.runs.has(own?.runId ?? '')) await tick()
  await rig.runs.start({ ...rig.runs.record(own?.runId ?? ''), id: 'run-alone' })
  expect(await rig.runs.ended('run-alone')).toMatchObject({ status: 'done' })
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done' })
})

test('iterations keep the memory, passes try again what is unsolved', async () => {
  const rig = await rigOf(scripted, 5)
  const passes = await rig.drafts.start({ ...CHOICE, methods: ['none'], seeds: [1], protocol: { passes: 3 } })
  expect(passes.total).toBe(15)
  await rig.experiments.settled(passes.id)
  const [cell] = rig.experiments.report(passes.id).cells
  const rates = cell?.passRates ?? []
  expect(rates).toHaveLength(3)
  expect([...rates].sort()).toEqual(rates)
  expect(rates[0]).toBe(cell?.successRate)
  const [info] = rig.experiments.get(passes.id).cells
  const carried = rig.runs.steps(info?.runId ?? '').filter((each) => each.carried === true)
  // What was solved before is not attempted again.
  expect(carried.length).toBe(5 * ((rates[0] ?? 0) + (rates[1] ?? 0)))
  expect([...banks.values()][0]?.commits).toHaveLength(15 - carried.length)

  const twice = await rig.drafts.start({
    ...CHOICE,
    methods: ['none'],
    seeds: [1],
    protocol: { iterations: 2 },
  })
  await rig.experiments.settled(twice.id)
  expect(rig.experiments.report(twice.id).cells[0]).toMatchObject({
    tasks: 10,
    iterationRates: { length: 2 },
  })
})

test('passes interrupted between carried tasks lose and repeat nothing', async () => {
  const input: ExperimentInput = { ...CHOICE, methods: ['none'], seeds: [1, 2], protocol: { passes: 4 } }
  const expected = await undisturbed(input)
  const first = await rigOf()
  const { id, total } = await first.drafts.start(input)
  expect(total).toBe(48)
  let rig = first
  for (const at of [9, 14, 20, 31]) {
    while (rig.experiments.get(id).done < at) await tick()
    await rig.close()
    rig = await rigOf()
    await rig.drafts.resume(id)
  }
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done' })
  expect(rig.experiments.report(id).resultHash).toBe(expected.resultHash)
})

test('refuses unknown methods and experiments', async () => {
  const rig = await rigOf()
  await expect(rig.drafts.start({ ...CHOICE, methods: ['magic'] })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  })
  expect(rig.experiments.list()).toEqual([])
  expect(() => rig.experiments.get('none')).toThrow(/no experiment/)
})

test('paused by a person, it rests after the task in flight and ends as if nothing had happened', async () => {
  const rig = await rigOf()
  const { id } = await rig.drafts.start(CHOICE)
  while (rig.experiments.get(id).done < 9) await tick()
  const paused = await rig.experiments.pause(id)
  expect(paused).toMatchObject({ status: 'paused', problem: null })
  await tick(20)
  expect(rig.experiments.get(id).done).toBe(paused.done)
  expect(rig.experiments.get(id).cells.filter(({ status }) => status === 'running')).toEqual([])
  expect(await rig.experiments.pause(id)).toMatchObject({ status: 'paused' })
  await rig.drafts.resume(id)
  expect(await rig.experiments.settled(id)).toMatchObject({ status: 'done', done: 60 })
  expect(rig.experiments.report(id).resultHash).toBe((await undisturbed(CHOICE)).resultHash)
  await expect(rig.experiments.pause(id)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a damaged experiment stays listed with what is wrong, and nothing of it is overwritten', async () => {
  const rig = await rigOf()
  const { id } = await rig.drafts.start({ ...CHOICE, name: 'Told apart' })
  await rig.experiments.settled(id)
  await rig.close()
  const file = join(folder, 'experiments', id, 'experiment.json')
  const whole = await readFile(file, 'utf8')
  const changed = whole.replace('"done"', '"failed"').replace('"made-up"', '"made-op"')
  for (const [text, name] of [
    [changed, 'Told apart'],
    [whole.slice(0, whole.length / 2), 'A damaged experiment'],
  ] as const) {
    await writeFile(file, text)
    const again = await openExperimentRig(folder, banks)
    const [listed] = again.experiments.list()
    expect(listed).toMatchObject({ id, name, status: 'failed', problem: { code: 'DATA_CORRUPT' } })
    await expect(again.experiments.rename(id, 'Another')).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    await expect(again.experiments.resume(id)).rejects.toThrow(LoamError)
    await again.close()
    expect(await readFile(file, 'utf8')).toBe(text)
  }
  await writeFile(file, whole)
  expect((await rigOf()).experiments.list()).toMatchObject([{ id, status: 'done', problem: null }])
})
