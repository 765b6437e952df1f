import { afterEach, describe, expect, it, vi } from 'vitest'
import { LoamError, type LoamErrorShape } from '../../../src/shared/errors'
import { createFeedStore, followFeed } from '../../../src/renderer/stores/feed'
import type { FeedMessage } from '../../../src/shared/feed'

type Message = FeedMessage<number[]>

/** A host that answers each subscription with the next of `scripts`; after the last it stays open and silent. */
function scriptedHost(scripts: readonly (readonly (Message | Error)[])[]) {
  const asked: (number | null)[] = []
  async function* play(script: readonly (Message | Error)[] | undefined, signal: AbortSignal) {
    for (const step of script ?? []) {
      if (step instanceof Error) throw step
      yield step
    }
    if (!script) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  return {
    asked,
    open: async (since: number | null, signal: AbortSignal) => play(scripts[asked.push(since) - 1], signal),
  }
}

function follow(scripts: readonly (readonly (Message | Error)[])[], isOver?: () => boolean) {
  const host = scriptedHost(scripts)
  let state: number[] = []
  const problems: (LoamErrorShape | null)[] = []
  const stop = followFeed<number[]>({
    open: host.open,
    onState: (told) => (state = told),
    onProblem: (problem) => problems.push(problem),
    backoff: () => 0,
    ...(isOver && { isOver }),
  })
  stops.push(stop)
  return { host, problems, stop, state: () => state }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const snapshot = (seq: number, state: number[]): Message => ({ kind: 'snapshot', seq, state })
/** Each number is appended by a patch of its own, and is the patch's number. */
const patches = (...numbers: number[]): Message => ({
  kind: 'patches',
  from: numbers[0] ?? 0,
  patches: numbers.map((item) => [{ kind: 'splice', path: [], index: item - 1, remove: 0, items: [item] }]),
})

describe('followFeed', () => {
  it('applies a snapshot and the patches after it', async () => {
    const feed = follow([[snapshot(2, [1, 2]), patches(3, 4), patches(5)]])
    await vi.waitFor(() => expect(feed.state()).toEqual([1, 2, 3, 4, 5]))
    expect(feed.host.asked[0]).toBeNull()
  })

  it('resumes from the last seq after the connection broke, with the same state as never having left', async () => {
    const feed = follow([[snapshot(2, [1, 2]), patches(3), new Error('connection lost')], [patches(4, 5)]])
    await vi.waitFor(() => expect(feed.state()).toEqual([1, 2, 3, 4, 5]))
    expect(feed.host.asked.slice(0, 2)).toEqual([null, 3])
  })

  it('drops patches it has already applied', async () => {
    const feed = follow([[snapshot(2, [1, 2]), patches(2, 3), patches(3), patches(4)]])
    await vi.waitFor(() => expect(feed.state()).toEqual([1, 2, 3, 4]))
  })

  it('asks for a new snapshot when patches are missing in between', async () => {
    const feed = follow([[snapshot(2, [1, 2]), patches(5)], [snapshot(5, [1, 2, 3, 4, 5])]])
    await vi.waitFor(() => expect(feed.state()).toEqual([1, 2, 3, 4, 5]))
    expect(feed.host.asked.slice(0, 2)).toEqual([null, null])
  })

  it('tells of a broken connection and of its return', async () => {
    const feed = follow([[snapshot(0, []), new Error('gone')], [patches(1)]])
    await vi.waitFor(() => expect(feed.state()).toEqual([1]))
    expect(feed.problems.slice(0, 3).map((problem) => problem?.code ?? null)).toEqual([
      null,
      'INTERNAL',
      null,
    ])
  })

  it('gives up on failures that would only repeat', async () => {
    const missing = new LoamError('NOT_FOUND', 'There is no run r.', { suggestion: 'Pick another.' })
    const feed = follow([[missing]])
    await vi.waitFor(() => expect(feed.problems.at(-1)?.code).toBe('NOT_FOUND'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(feed.host.asked).toHaveLength(1)
  })

  it('does not open an ended feed again when nothing more can come', async () => {
    const feed = follow([[snapshot(1, [1])]], () => true)
    await vi.waitFor(() => expect(feed.state()).toEqual([1]))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(feed.host.asked).toHaveLength(1)
  })

  it('applies nothing after it was stopped', async () => {
    const feed = follow([[snapshot(1, [1])]])
    feed.stop()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(feed.state()).toEqual([])
    expect(feed.host.asked).toHaveLength(1)
  })
})

describe('createFeedStore', () => {
  it('holds what the host tells, hands on what was told before, and says while it is connected', async () => {
    const { open } = scriptedHost([[snapshot(1, [1]), patches(2)], undefined as never])
    const heard: unknown[] = []
    const store = createFeedStore<number[], null>(null, open, (now, before) => heard.push([before, now]))
    expect(store.getState()).toMatchObject({ data: null, connected: false })
    stops.push(store.getState().follow())
    await vi.waitFor(() => expect(store.getState()).toMatchObject({ data: [1, 2], connected: true }))
    expect(heard).toEqual([
      [null, [1]],
      [[1], [1, 2]],
    ])
  })
})
