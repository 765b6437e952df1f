import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTransports } from '../../src/main/api/transports'
import { currentTrail } from '../../src/main/ground/trail'
import { LoamError } from '../../src/shared/errors'
import type { Peer } from './hosts'
import { HOSTS } from './hosts'
import type { tinyContract, TinyWorld } from './tiny-contract'
import { createTinyWorld } from './tiny-contract'

async function rejection(promise: Promise<unknown>): Promise<LoamError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LoamError)
  return error as LoamError
}

const eventually = (check: () => void) => expect.poll(() => (check(), true)).toBe(true)

describe.each(HOSTS)('the contract %s', (_name, connect) => {
  let world: TinyWorld
  let peer: Peer<typeof tinyContract>
  let bugs: string[]
  let trails: (string | undefined)[]

  beforeEach(async () => {
    world = createTinyWorld()
    bugs = []
    trails = []
    peer = await connect(
      createTransports<typeof tinyContract>(world.router, (_error, path) => {
        bugs.push(path)
        trails.push(currentTrail())
      }),
    )
  })

  afterEach(async () => {
    await peer.close()
    world.feed.close()
    await world.jobs.close(10)
  })

  it('answers calls, also many at once and large ones', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `n${index}`)
    const answers = await Promise.all(texts.map((text) => peer.client.echo({ text })))
    expect(answers.map((answer) => answer.text)).toEqual(texts)
    expect(await peer.client.big({ length: 3_000_000 })).toHaveLength(3_000_000)
  })

  it('rejects with the LoamError that was thrown, every part of it kept', async () => {
    const error = await rejection(peer.client.fail('loam'))
    expect(error.toShape()).toEqual({
      code: 'DISK_FULL',
      title: 'Not enough disk space',
      cause: 'No room for 3 MB.',
      suggestion: 'Free some.',
      retryable: true,
    })
    expect(bugs).toEqual([])
  })

  it('says BAD_INPUT, and which field, for input that does not fit the contract', async () => {
    const error = await rejection(peer.client.echo({ text: 'far too long for it' }))
    expect(error.code).toBe('BAD_INPUT')
    expect(error.why).toContain('text: ')
  })

  it('says INTERNAL for a bug and for output that does not fit, reports both on the host, and says where the log tells of it', async () => {
    const bug = (await rejection(peer.client.fail('bug'))).toShape()
    expect(bug).toMatchObject({ code: 'INTERNAL', cause: 'x is not a function' })
    expect(trails).toEqual([expect.stringMatching(/^call-[0-9a-f]{8}$/)])
    expect(bug.suggestion).toContain(`look for ${trails[0] ?? ''} in the log`)
    expect((await rejection(peer.client.fail('output'))).code).toBe('INTERNAL')
    expect(bugs).toEqual(['fail', 'fail'])
  })

  it('aborts the work on the host when the caller gives up', async () => {
    const abort = new AbortController()
    const call = peer.client.hang(undefined, { signal: abort.signal })
    const rejected = expect(call).rejects.toThrow()
    await eventually(() => expect(world.seen.hangs).toBe(1))
    abort.abort()
    await rejected
    await eventually(() => expect(world.seen.hangsAborted).toBe(1))
  })

  it('carries a feed: a snapshot, then patches without gaps, and frees it when the watcher leaves', async () => {
    world.add(5)
    const feed = await peer.client.watch({})
    const first = await feed.next()
    expect(first.value).toEqual({ kind: 'snapshot', seq: 0, state: 5 })
    expect(world.feed.watchers).toBe(1)
    world.add(1)
    world.add(2)
    const second = await feed.next()
    expect(second.value).toEqual({
      kind: 'patches',
      from: 1,
      patches: [[{ kind: 'put', path: [], value: 8 }]],
    })
    const abandoned = feed.return?.()
    world.add(1)
    await abandoned
    await eventually(() => expect(world.feed.watchers).toBe(0))
  })

  it('ends a feed when its signal fires while nothing happens', async () => {
    const abort = new AbortController()
    const feed = await peer.client.watch({}, { signal: abort.signal })
    await feed.next()
    const pending = feed.next().catch(() => undefined)
    abort.abort()
    await pending
    await eventually(() => expect(world.feed.watchers).toBe(0))
  })

  it('resumes a feed from a seq with only what was missed', async () => {
    const first = await peer.client.watch({})
    await first.next()
    for (let amount = 1; amount <= 3; amount += 1) {
      world.add(amount)
      await first.next()
    }
    const abort = new AbortController()
    const feed = await peer.client.watch({ since: 2 }, { signal: abort.signal })
    expect((await feed.next()).value).toEqual({
      kind: 'patches',
      from: 3,
      patches: [[{ kind: 'put', path: [], value: 6 }]],
    })
    await first.return?.()
    abort.abort()
  })

  it('passes on an error in the middle of a feed', async () => {
    const feed = await peer.client.breakingFeed()
    expect((await feed.next()).value).toBe(1)
    expect((await rejection(feed.next())).code).toBe('ENGINE_DIED')
    expect(world.seen.breakingFeedClosed).toBe(1)
  })

  it('cancels a job that does not listen', async () => {
    const { jobId } = await peer.client.startJob()
    expect((await peer.client.cancelJob({ jobId })).status).toBe('cancelled')
    expect((await rejection(peer.client.cancelJob({ jobId: 'nope' }))).code).toBe('NOT_FOUND')
  })

  it('fails what was under way with CONNECTION_LOST when the connection breaks, and frees the host’s side', async (context) => {
    if (!peer.sever) return context.skip('in memory there is no connection to break')
    const feed = await peer.client.watch({})
    await feed.next()
    const call = peer.client.hang()
    const news = feed.next()
    const lost = Promise.all([rejection(call), rejection(news)])
    await eventually(() => expect(world.seen.hangs).toBe(1))
    peer.sever()
    const [lostCall, lostFeed] = await lost
    expect([lostCall.code, lostCall.retryable, lostFeed.code]).toEqual([
      'CONNECTION_LOST',
      true,
      'CONNECTION_LOST',
    ])
    await eventually(() => expect(world.feed.watchers).toBe(0))
  })
})
