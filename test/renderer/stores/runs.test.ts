import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunInfo, RunSnapshot } from '../../../src/shared/domain/run'
import { LoamError } from '../../../src/shared/errors'
import type { FeedMessage } from '../../../src/shared/feed'
import { patchBetween } from '../../../src/shared/patch'
import { createRunsStore, type RunsStore, type StartRunInput } from '../../../src/renderer/stores/runs'
import { liveTask, partialClient, runInfo, trajectory } from '../fixtures'

type Message = FeedMessage<RunSnapshot>

/** A feed of some states, one after the other. */
const messagesOf = (first: RunSnapshot, ...others: RunSnapshot[]): Message[] => [
  { kind: 'snapshot', seq: 0, state: first },
  {
    kind: 'patches',
    from: 1,
    patches: others.map((state, i) => patchBetween([first, ...others][i], state)),
  },
]

let store: RunsStore | null = null
afterEach(() => store?.getState().stopWatching())

/** A host with these runs, whose feeds play `messages` and then stay silent. */
function openStore(runs: readonly RunInfo[], messages: Readonly<Record<string, readonly Message[]>> = {}) {
  const watch = vi.fn(async ({ runId }: { runId: string }, options?: { signal?: AbortSignal }) =>
    (async function* () {
      yield* messages[runId] ?? []
      await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()))
    })(),
  )
  const byId = (runId: string) => runs.find((run) => run.id === runId) ?? runInfo()
  const client = partialClient({
    runs: {
      list: async () => runs,
      get: async ({ runId }: { runId: string }) => byId(runId),
      startDemo: async () => ({ jobId: 'job-1', runIds: runs.map((run) => run.id) }),
      pause: async () => {
        throw new LoamError('CONFLICT', 'The run is over.', { suggestion: 'Start another.' })
      },
      watch,
    },
  })
  store = createRunsStore(client)
  return { store, watch }
}

describe('runs store', () => {
  it('keeps a run that was started while an older list was on its way', async () => {
    const run = runInfo({ id: 'new', status: 'done' })
    let answer: (runs: RunInfo[]) => void = () => undefined
    const lists = [
      new Promise<RunInfo[]>((resolve) => {
        answer = resolve
      }),
      Promise.resolve([run]),
    ]
    const runs = { list: vi.fn(() => lists.shift() ?? Promise.resolve([run])), start: async () => run }
    store = createRunsStore(partialClient({ runs }))
    const older = store.getState().load()
    await store.getState().start({ stream: 'house-rules-a' } as StartRunInput)
    answer([])
    await older
    await vi.waitFor(() => expect(store?.getState().status).toBe('ready'))
    expect(store.getState()).toMatchObject({ order: ['new'], focusId: 'new' })
  })

  it('lists the newest first and follows only runs that can still change', async () => {
    const old = runInfo({ id: 'old', status: 'done', createdAt: '2026-01-01T00:00:00.000Z' })
    const going = runInfo({ id: 'going', createdAt: '2026-01-02T00:00:00.000Z' })
    const { store, watch } = openStore([old, going])
    await store.getState().load()
    expect(store.getState().order).toEqual(['going', 'old'])
    expect(store.getState().focusId).toBe('going')
    expect(watch.mock.calls.map(([input]) => input.runId)).toEqual(['going'])
  })

  it('leaves cells of experiments to their experiment until one is opened', async () => {
    const cell = runInfo({ id: 'exp-1-none-e0-s1', createdAt: '2026-01-02T00:00:00.000Z' })
    const own = runInfo({ id: 'own', status: 'done', createdAt: '2026-01-01T00:00:00.000Z' })
    const { store, watch } = openStore([cell, own])
    await store.getState().load()
    expect(store.getState().focusId).toBe('own')
    expect(watch).not.toHaveBeenCalled()
    expect(await store.getState().open(cell.id)).toBeNull()
    expect(store.getState().focusId).toBe(cell.id)
    expect(watch.mock.calls.map(([input]) => input.runId)).toEqual([cell.id])
  })

  it('shows what the feed tells', async () => {
    const { store } = openStore([runInfo()], {
      'run-1': messagesOf(
        { run: runInfo(), live: liveTask(), last: null },
        { run: runInfo(), live: { ...liveTask(), streaming: 'SEL' }, last: null },
        { run: runInfo({ rewards: [1], done: 1 }), live: liveTask(1), last: trajectory(0, 1) },
      ),
    })
    await store.getState().load()
    await vi.waitFor(() => expect(store.getState().views['run-1']?.live?.index).toBe(1))
    expect(store.getState().views['run-1']).toMatchObject({ run: { rewards: [1] }, last: { reward: 1 } })
  })

  it("moves on to the demo's second run when that starts", async () => {
    const first = runInfo({ id: 'first', status: 'running' })
    const second = runInfo({ id: 'second', status: 'queued', createdAt: '2026-01-01T00:00:01.000Z' })
    const { store } = openStore([first, second], {
      first: messagesOf(
        { run: first, live: null, last: null },
        { run: { ...first, status: 'done' }, live: null, last: null },
      ),
    })
    await store.getState().startDemo()
    expect(store.getState().focusId).toBe('first')
    await vi.waitFor(() => expect(store.getState().views['first']?.run.status).toBe('done'))
    store.getState().stopWatching()
    const going = openStore([{ ...first, status: 'done' }, second], {
      second: messagesOf({ run: { ...second, status: 'running' }, live: null, last: null }),
    }).store
    await going.getState().startDemo()
    await vi.waitFor(() => expect(going.getState().focusId).toBe('second'))
  })

  it('keeps a refused command as a problem', async () => {
    const { store } = openStore([runInfo()])
    await store.getState().load()
    await store.getState().pause()
    expect(store.getState().problem).toMatchObject({ code: 'CONFLICT', cause: 'The run is over.' })
    expect(store.getState().busy).toBeNull()
  })
})
