import { describe, expect, it, vi } from 'vitest'
import type { JobInfo } from '../../../src/shared/domain/job'
import { createJobsStore } from '../../../src/renderer/stores/all-stores'
import type { FeedMessage } from '../../../src/shared/feed'
import { patchBetween } from '../../../src/shared/patch'
import { jobInfo, partialClient } from '../fixtures'

const job = (id: string, change: Partial<JobInfo> = {}): JobInfo => jobInfo({ id, ...change })

function follow(messages: readonly FeedMessage<JobInfo[]>[]) {
  const ended = vi.fn<(job: JobInfo) => void>()
  const client = partialClient({
    jobs: {
      watch: async (_input: unknown, options?: { signal?: AbortSignal }) =>
        (async function* () {
          yield* messages
          await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()))
        })(),
    },
  })
  const store = createJobsStore(client, ended)
  return { store, ended, stop: store.getState().follow() }
}

describe('jobs store', () => {
  it('tells once of a job that ends', async () => {
    const { store, ended, stop } = follow([
      { kind: 'snapshot', seq: 1, state: [job('a')] },
      {
        kind: 'patches',
        from: 2,
        patches: [
          patchBetween([job('a')], [job('a', { done: 5 })]),
          patchBetween([job('a', { done: 5 })], [job('a', { status: 'done', done: 10 })]),
        ],
      },
    ])
    await vi.waitFor(() => expect(store.getState().data[0]?.status).toBe('done'))
    stop()
    expect(ended.mock.calls.map(([job]) => job.id)).toEqual(['a'])
  })

  it('tells of a job that began and ended between two of its messages', async () => {
    const { store, ended, stop } = follow([
      { kind: 'snapshot', seq: 1, state: [job('a')] },
      {
        kind: 'patches',
        from: 2,
        patches: [patchBetween([job('a')], [job('b', { status: 'done' }), job('a')])],
      },
    ])
    await vi.waitFor(() => expect(store.getState().data).toHaveLength(2))
    stop()
    expect(ended.mock.calls.map(([job]) => job.id)).toEqual(['b'])
  })

  it('says nothing about jobs that had ended before', async () => {
    const { store, ended, stop } = follow([
      { kind: 'snapshot', seq: 1, state: [job('a', { status: 'done' })] },
    ])
    await vi.waitFor(() => expect(store.getState().connected).toBe(true))
    stop()
    expect(ended).not.toHaveBeenCalled()
  })
})
