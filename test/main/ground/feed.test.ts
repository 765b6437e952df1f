import { describe, expect, it, vi } from 'vitest'
import { Feed } from '../../../src/main/ground/feed'
import { applyMessage, type FeedMessage, type FeedPlace } from '../../../src/shared/feed'
import type { Patch } from '../../../src/shared/patch'

interface Options {
  readonly batchMs?: number
  readonly history?: number
  readonly firstSeq?: number
  readonly keepMs?: number
}

/** A feed of a total that can be added to; `watched` has told it to one watcher already. */
async function counter(options: Options = {}, watched = true) {
  let total = 0
  const feed = new Feed(() => ({ total }), { batchMs: 0, firstSeq: 0, ...options })
  const add = (amount: number) => {
    total += amount
    feed.changed()
  }
  /** Adds something, and waits until it has its number. */
  const step = async (amount: number) => {
    const next = feed.seq + 1
    add(amount)
    await vi.waitFor(() => expect(feed.seq).toBe(next), { interval: 1 })
  }
  if (watched) await take(feed.watch(), 1)
  return { feed, add, step, total: () => total }
}

const put = (total: number): Patch => [{ kind: 'put', path: ['total'], value: total }]

/** Folds messages the way a client does. */
const follow = (
  messages: readonly FeedMessage<{ total: number }>[],
  start: FeedPlace<{ total: number }> | null = null,
) => messages.reduce(applyMessage<{ total: number }>, start)

async function take<T>(source: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of source) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

describe('Feed', () => {
  it('starts with a snapshot and goes on with patches numbered without gaps', async () => {
    const { feed, add, step } = await counter()
    await step(1)
    const watch = feed.watch()
    expect((await watch.next()).value).toEqual({ kind: 'snapshot', seq: 1, state: { total: 1 } })
    add(2)
    expect((await watch.next()).value).toEqual({ kind: 'patches', from: 2, patches: [put(3)] })
    await watch.return()
    expect(feed.watchers).toBe(0)
  })

  it('sends what changes within one interval as one patch', async () => {
    vi.useFakeTimers()
    try {
      const { feed, add } = await counter({ batchMs: 60 })
      const watch = feed.watch()
      await watch.next()
      let batch: FeedMessage<{ total: number }> | undefined
      void watch.next().then((result) => (batch = result.value ?? undefined))
      add(1)
      await vi.advanceTimersByTimeAsync(30)
      add(2)
      expect(batch).toBeUndefined()
      await vi.advanceTimersByTimeAsync(30)
      expect(batch).toEqual({ kind: 'patches', from: 1, patches: [put(3)] })
      feed.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('says nothing of a change that came to nothing', async () => {
    const { feed, add, step } = await counter()
    add(1)
    add(-1)
    await step(5)
    const watch = feed.watch({ since: 0 })
    expect((await watch.next()).value).toEqual({ kind: 'patches', from: 1, patches: [put(5)] })
    await watch.return()
  })

  it('asks nobody for a state that nobody has watched', async () => {
    const state = vi.fn(() => 0)
    const feed = new Feed(state, { batchMs: 0 })
    feed.changed()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(state).not.toHaveBeenCalled()
  })

  it('gives a returning watcher only what it missed', async () => {
    const { feed, step } = await counter()
    for (let value = 1; value <= 5; value += 1) await step(value)
    const [message] = await take(feed.watch({ since: 3 }), 1)
    expect(message).toEqual({ kind: 'patches', from: 4, patches: [put(10), put(15)] })
  })

  it('says nothing to a returning watcher that missed nothing, until there is news', async () => {
    const { feed, add, step } = await counter()
    await step(1)
    const watch = feed.watch({ since: 1 })
    const next = watch.next()
    add(7)
    expect((await next).value).toEqual({ kind: 'patches', from: 2, patches: [put(8)] })
    await watch.return()
  })

  it.each([
    ['fell behind what is kept', 1],
    ['comes from before a restart of the host', 5000],
  ])('gives a fresh snapshot to a watcher that %s', async (_reason, since) => {
    const { feed, step, total } = await counter({ history: 4 })
    for (let value = 1; value <= 20; value += 1) await step(value)
    const [message] = await take(feed.watch({ since }), 1)
    expect(message).toEqual({ kind: 'snapshot', seq: 20, state: { total: total() } })
  })

  it('begins anew for a number of an older feed, also where the clock was set back meanwhile', async () => {
    const older = new Feed(() => 0, { batchMs: 0 })
    vi.useFakeTimers({ now: Date.now() - 2, toFake: ['Date'] })
    let total = 0
    const newer = new Feed(() => ({ total }), { batchMs: 0 })
    vi.useRealTimers()
    for (let i = 0; i < 4; i++) {
      total++
      newer.changed()
      await take(newer.watch(), 1)
    }
    expect(await take(newer.watch({ since: older.seq }), 1)).toMatchObject([{ kind: 'snapshot' }])
    older.close()
    newer.close()
  })

  it('forgets what it told once nobody has watched for a while, and begins anew for who comes then', async () => {
    const { feed, add } = await counter({ keepMs: 1 })
    await vi.waitFor(() => expect(feed.seq).toBe(1), { interval: 1 })
    add(1)
    const [first] = await take(feed.watch({ since: 0 }), 1)
    expect(first).toEqual({ kind: 'snapshot', seq: 1, state: { total: 1 } })
  })

  it('reaches the same state however often the watcher leaves and returns', async () => {
    const { feed, add, step, total } = await counter({ history: 10 })
    let place: FeedPlace<{ total: number }> | null = null
    for (let round = 1; round < 30; round += 1) {
      for (let count = 0; count < (round * 7) % 17; count += 1) await step(count + round)
      add(round)
      place = follow(await take(feed.watch({ since: place?.seq ?? null }), 1), place)
      expect(place).toEqual({ seq: feed.seq, state: { total: total() } })
    }
    feed.close()
  })

  it('keeps a slow watcher right, even after it fell behind the history', async () => {
    const { feed, step, total } = await counter({ history: 8 })
    const watch = feed.watch()
    const messages = [(await watch.next()).value]
    for (let value = 1; value <= 30; value += 1) await step(value)
    messages.push((await watch.next()).value)
    expect(follow(messages.filter((message) => message !== undefined))).toEqual({
      seq: 30,
      state: { total: total() },
    })
    await watch.return()
  })

  it('ends quietly when the signal fires or the feed closes, after sending what was waiting', async () => {
    const { feed, add } = await counter({ batchMs: 10_000 })
    const abort = new AbortController()
    const aborted = feed.watch({ signal: abort.signal })
    await aborted.next()
    const pending = aborted.next()
    abort.abort()
    expect((await pending).done).toBe(true)

    const closing = feed.watch()
    await closing.next()
    add(4)
    feed.close()
    expect((await closing.next()).value).toEqual({ kind: 'patches', from: 1, patches: [put(4)] })
    expect((await closing.next()).done).toBe(true)
    expect(feed.watchers).toBe(0)
    add(1)
    expect(feed.seq).toBe(1)
  })
})
