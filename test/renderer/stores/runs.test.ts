import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunInfo, RunSnapshot } from '../../../src/shared/domain/run'
import { LoamError } from '../../../src/shared/errors'
import type { FeedMessage } from '../../../src/shared/feed'
import { patchBetween } from '../../../src/shared/patch'
import { createRunsStore, type RunsStore, type StartRunInput } from '../../../src/renderer/stores/runs'
import { jobInfo, liveTask, partialClient, runInfo, trajectory } from '../fixtures'

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

/** A feed that begins with a state and goes on as it is told. */
function openFeed(first: RunSnapshot) {
  let tell: (state: RunSnapshot) => void = () => undefined
  const next = new Promise<RunSnapshot>((resolve) => (tell = resolve))
  const messages = (async function* (): AsyncGenerator<Message> {
    yield* messagesOf(first).slice(0, 1)
    yield* messagesOf(first, await next).slice(1)
  })()
  return { messages, tell: (state: RunSnapshot) => tell(state) }
}

let store: RunsStore | null = null
afterEach(() => store?.getState().stopWatching())

/** A host with these runs, whose feeds play `messages` and then stay silent. */
function openStore(
  runs: readonly RunInfo[],
  messages: Readonly<Record<string, readonly Message[] | AsyncIterable<Message>>> = {},
) {
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

  it("moves on to the demo's second run, whichever of the two feeds tells first, but not from a task that is read", async () => {
    const first = runInfo({ id: 'first', status: 'running' })
    const second = runInfo({ id: 'second', status: 'queued', createdAt: '2026-01-01T00:00:01.000Z' })
    const told: RunSnapshot[] = [
      { run: { ...first, status: 'done' }, live: null, last: null },
      { run: { ...second, status: 'running' }, live: null, last: null },
    ]
    for (const order of [told, [...told].reverse()])
      for (const reading of [null, 3]) {
        const feeds = {
          first: openFeed({ run: first, live: null, last: null }),
          second: openFeed({ run: second, live: null, last: null }),
        }
        const { store } = openStore([first, second], {
          first: feeds.first.messages,
          second: feeds.second.messages,
        })
        await store.getState().startDemo()
        await store.getState().load()
        expect(store.getState().focusId).toBe('first')
        store.getState().showTask(reading)
        for (const snapshot of order) {
          feeds[snapshot.run.id === 'first' ? 'first' : 'second'].tell(snapshot)
          await vi.waitFor(() =>
            expect(store.getState().views[snapshot.run.id]?.run.status).toBe(snapshot.run.status),
          )
        }
        expect(store.getState()).toMatchObject({ focusId: reading === null ? 'second' : 'first' })
        store.getState().showTask(null)
        expect(store.getState().focusId).toBe('second')
        store.getState().stopWatching()
      }
  })

  it('keeps a refused command as a problem', async () => {
    const { store } = openStore([runInfo()])
    await store.getState().load()
    await store.getState().pause()
    expect(store.getState().problem).toMatchObject({ code: 'CONFLICT', cause: 'The run is over.' })
    expect(store.getState().busy).toBeNull()
  })

  it('reads a run once that was begun elsewhere, as the jobs tell', async () => {
    const run = runInfo({ id: 'other', status: 'running' })
    const list = vi.fn(async () => (list.mock.calls.length > 1 ? [run] : []))
    store = createRunsStore(partialClient({ runs: { list, watch: async () => (async function* () {})() } }))
    await store.getState().load()
    const job = jobInfo({ subject: 'other' })
    for (let told = 0; told < 3; told++) store.getState().hear([job])
    await vi.waitFor(() => expect(store?.getState()).toMatchObject({ order: ['other'], focusId: 'other' }))
    store.getState().hear([job, jobInfo({ id: 'job-2', kind: 'ask', subject: 'ask-1' })])
    expect(list).toHaveBeenCalledTimes(2)
  })
})
