import { afterEach, describe, expect, it, vi } from 'vitest'
import { experimentOf, isExperimentRun, withJob } from '../../../src/renderer/stores/experiment-feed'
import { createExperimentsStore, type ExperimentsStore } from '../../../src/renderer/stores/experiments'
import type { FeedMessage } from '../../../src/shared/feed'
import { patchBetween } from '../../../src/shared/patch'
import type { ExperimentInfo } from '../../../src/shared/domain/experiment'
import type { JobInfo } from '../../../src/shared/domain/job'
import { LoamError } from '../../../src/shared/errors'
import { cell, experiment } from '../features/experiments/fixtures'
import { jobInfo, partialClient } from '../fixtures'

type Message = FeedMessage<ExperimentInfo>

let store: ExperimentsStore | null = null
afterEach(() => store?.getState().stopWatching())

function openStore(messages: readonly Message[], info = experiment()) {
  const report = vi.fn(async (input: { experimentId: string; baseline?: string | null }) => ({
    id: input.experimentId,
    baseline: input.baseline === undefined ? 'none' : input.baseline,
    summary: [],
  }))
  const list = vi.fn(async () => {
    const { cells: _cells, ...head } = info
    return [head]
  })
  const client = partialClient({
    experiments: {
      list,
      report,
      start: async () => info,
      cancel: async () => {
        throw new LoamError('CONFLICT', 'The experiment is done already.', { suggestion: 'Look at it.' })
      },
      resume: async () => ({ ...info, status: 'running' }),
      watch: async (_input: unknown, options?: { signal?: AbortSignal }) =>
        (async function* () {
          yield* messages
          await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()))
        })(),
    },
  })
  store = createExperimentsStore(client)
  return { store, report, list }
}

const job = (change: Partial<JobInfo> = {}): JobInfo =>
  jobInfo({ kind: 'experiment', done: 5, total: 20, etaMs: 1000, subject: 'exp-1', ...change })

describe('an experiment’s feed', () => {
  it('takes progress from the job while the experiment is not open', () => {
    const { cells: _cells, ...head } = experiment()
    expect(withJob(head, job())).toMatchObject({ done: 5, etaMs: 1000 })
    expect(withJob(head, job({ subject: 'exp-2' }))).toBe(head)
    expect(withJob({ ...head, status: 'paused' }, job())).toMatchObject({ done: 0 })
  })

  it('knows which runs are cells, and of what', () => {
    const { cells: _cells, ...head } = experiment()
    expect([isExperimentRun('exp-1-none-e0-s1'), isExperimentRun('run-1')]).toEqual([true, false])
    expect(experimentOf('exp-1-none-e0-s1', [head])?.id).toBe('exp-1')
    expect(experimentOf('exp-12-none-e0-s1', [head])).toBeNull()
  })
})

describe('experiments store', () => {
  it('follows the open experiment and reads its figures whenever a cell has ended', async () => {
    const info = experiment()
    const first = (change: Parameters<typeof cell>[0]) => ({
      ...info,
      cells: [cell(change), ...info.cells.slice(1)],
    })
    const going = first({ status: 'running', done: 3 })
    const done = first({ status: 'done', done: 10 })
    const { store, report } = openStore([
      { kind: 'snapshot', seq: 0, state: info },
      { kind: 'patches', from: 1, patches: [patchBetween(info, going)] },
      { kind: 'patches', from: 2, patches: [patchBetween(going, done)] },
    ])
    store.getState().open('exp-1')
    await vi.waitFor(() => expect(store.getState().info?.cells[0]?.status).toBe('done'))
    expect(report).toHaveBeenCalledTimes(2)
    await vi.waitFor(() => expect(store.getState().report?.id).toBe('exp-1'))
    expect(store.getState().heads.map(({ id }) => id)).toEqual(['exp-1'])
  })

  it('compares with another method when asked to', async () => {
    const { store, report } = openStore([{ kind: 'snapshot', seq: 0, state: experiment() }])
    store.getState().open('exp-1')
    await vi.waitFor(() => expect(store.getState().report?.baseline).toBe('none'))
    store.getState().compareWith('replay')
    await vi.waitFor(() => expect(store.getState().report?.baseline).toBe('replay'))
    store.getState().compareWith(null)
    await vi.waitFor(() => expect(store.getState().report?.baseline).toBeNull())
    expect(report).toHaveBeenLastCalledWith({ experimentId: 'exp-1', baseline: null })
  })

  it('starts, opens what it started, and forgets it when the composer is opened', async () => {
    const { store } = openStore([{ kind: 'snapshot', seq: 0, state: experiment() }])
    expect(await store.getState().start(experiment().definition)).toBe(true)
    expect(store.getState()).toMatchObject({ openId: 'exp-1', busy: null, info: { id: 'exp-1' } })
    store.getState().open(null)
    expect(store.getState()).toMatchObject({ openId: null, info: null, report: null })
  })

  it('says why a command was refused', async () => {
    const { store } = openStore([{ kind: 'snapshot', seq: 0, state: experiment() }])
    store.getState().open('exp-1')
    await store.getState().cancel()
    expect(store.getState()).toMatchObject({ busy: null, commandProblem: { code: 'CONFLICT' } })
    store.getState().clearProblem()
    expect(store.getState().commandProblem).toBeNull()
  })

  it('hears of progress and of experiments it does not know from jobs', async () => {
    const { store, list } = openStore([])
    await store.getState().load()
    store.getState().hear([job()])
    expect(store.getState().heads[0]?.done).toBe(5)
    expect(list).toHaveBeenCalledTimes(1)
    store.getState().hear([job({ subject: 'exp-2' })])
    expect(list).toHaveBeenCalledTimes(2)
    store.getState().hear([job({ subject: 'exp-3', kind: 'run' })])
    expect(list).toHaveBeenCalledTimes(2)
  })
})
