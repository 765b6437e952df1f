import { describe, expect, it, vi } from 'vitest'
import { jobInfoSchema } from '../../../src/shared/domain/job'
import { LoamError } from '../../../src/shared/errors'
import { statesOf } from '../../../src/shared/feed'
import { JobRegistry } from '../../../src/main/ground/jobs'
import { jobEnded } from '../api/job-ended'

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
  })
const never = () => new Promise<never>(() => undefined)

describe('JobRegistry', () => {
  it('runs work to its end and reports it in the shape of the contract', async () => {
    const jobs = new JobRegistry()
    const { id, finished } = jobs.start('import', 'Export', async ({ progress }) => {
      progress({ done: 3, total: 3, unit: 'cases', activity: 'Writing', subject: '/data/out.jsonl' })
    })
    expect(jobs.get(id).status).toBe('running')
    const info = await finished
    expect(jobInfoSchema.parse(info)).toMatchObject({
      status: 'done',
      done: 3,
      subject: '/data/out.jsonl',
      problem: null,
    })
    expect(info.finishedAt).not.toBeNull()
    await jobs.close()
  })

  it('turns a rejection, and a throw before the first await, into a failed job with the one error shape', async () => {
    const jobs = new JobRegistry()
    const failure = new LoamError('DISK_FULL', 'No room.', { suggestion: 'Free some.' })
    const rejected = await jobs.start('import', 'A', () => Promise.reject(failure)).finished
    expect(rejected).toMatchObject({ status: 'failed', problem: failure.toShape() })
    const thrown = await jobs.start('import', 'B', () => {
      throw new Error('oops')
    }).finished
    expect(thrown).toMatchObject({ status: 'failed', problem: { code: 'INTERNAL', cause: 'oops' } })
    await jobs.close()
  })

  it('estimates the time left from the pace', async () => {
    let now = 1_000_000
    const jobs = new JobRegistry({ now: () => now })
    let report: (done: number) => void = () => undefined
    const { id } = jobs.start(
      'run',
      'Run',
      ({ progress, signal }) => {
        report = (done) => progress({ done })
        return untilAborted(signal)
      },
      { total: 10, unit: 'tasks' },
    )
    await Promise.resolve()
    expect(jobs.get(id).etaMs).toBeNull()
    now += 4000
    report(2)
    expect(jobs.get(id).etaMs).toBe(16_000)
    await jobs.close()
  })

  it('cancels work that listens', async () => {
    const jobs = new JobRegistry()
    const { id, finished } = jobs.start('run', 'Run', ({ signal }) => untilAborted(signal))
    expect(await jobs.cancel(id)).toMatchObject({ status: 'cancelled', problem: null, etaMs: null })
    expect((await finished).status).toBe('cancelled')
    expect((await jobs.cancel(id)).status).toBe('cancelled')
    await jobs.close()
  })

  it('does not wait longer than the grace time for work that does not listen', async () => {
    const jobs = new JobRegistry({ graceMs: 20 })
    const { id } = jobs.start('run', 'Run', never)
    expect((await jobs.cancel(id)).status).toBe('cancelled')
    await jobs.close(10)
  })

  it('ignores progress and results that come after the cancel', async () => {
    const jobs = new JobRegistry({ graceMs: 5 })
    let release: () => void = () => undefined
    const { id } = jobs.start('run', 'Run', async ({ progress }) => {
      await new Promise<void>((resolve) => (release = resolve))
      progress({ done: 99 })
    })
    await jobs.cancel(id)
    release()
    await jobs.close()
    expect(jobs.get(id)).toMatchObject({ status: 'cancelled', done: 0 })
  })

  it('says NOT_FOUND for a job it does not know', async () => {
    const jobs = new JobRegistry()
    await expect(jobs.cancel('nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await jobs.close()
  })

  it('feeds the list, again whenever a job has changed', async () => {
    const jobs = new JobRegistry({ throttleMs: 1 })
    const abort = new AbortController()
    const seen: string[][] = []
    let finish: () => void = () => undefined
    const watching = (async () => {
      for await (const list of statesOf(jobs.watch({ signal: abort.signal }))) {
        seen.push(list.map(({ title, status }) => `${title} ${status}`))
        if (seen.length === 2) finish()
        if (seen.length === 3) abort.abort()
      }
    })()
    await Promise.resolve()
    jobs.start('run', 'Run', () => new Promise<void>((resolve) => (finish = resolve)))
    await watching
    expect(seen).toEqual([[], ['Run running'], ['Run done']])
    await jobs.close()
  })

  it('tells the end of a job even when progress and end travel in one batch', async () => {
    vi.useFakeTimers()
    try {
      const jobs = new JobRegistry({ throttleMs: 50 })
      let finish: () => void = () => undefined
      const { id, finished } = jobs.start('import', 'Export', async ({ progress }) => {
        progress({ done: 1 })
        await new Promise<void>((resolve) => (finish = resolve))
      })
      await vi.advanceTimersByTimeAsync(0)
      const ended = jobEnded(jobs.watch(), id)
      await vi.advanceTimersByTimeAsync(61)
      finish()
      await finished
      await vi.advanceTimersByTimeAsync(61)
      expect(await ended).toMatchObject({ id, status: 'done', done: 1 })
      await jobs.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps only so many finished jobs, newest first, and every running one', async () => {
    const jobs = new JobRegistry({ keep: 2, graceMs: 5 })
    jobs.start('run', 'long', never)
    for (const title of ['a', 'b', 'c']) await jobs.start('run', title, async () => undefined).finished
    expect(jobs.list().map((job) => job.title)).toEqual(['c', 'b', 'long'])
    await jobs.close(20)
    expect(() => jobs.start('run', 'late', never)).toThrow(LoamError)
  })
})
