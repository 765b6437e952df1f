import { setTimeout as sleep } from 'node:timers/promises'
import { abortError } from '../../core/ground/abort'
import type { JobInfo } from '../../shared/domain/job'
import { LoamError } from '../../shared/errors'
import { duration, type ConsoleIo } from './console-io'
import type { ReachedHost } from './own-host'

/** How often a job is looked at, in ms. */
const LOOK_MS = 100

/**
 * Looks at something every `everyMs` until `look` answers what came of it, with `io.status` as the progress line. Ctrl-C asks once to
 * `cancel`. A termination does the same, unless `goesOn` is given: then it only stops the waiting, and what a Loam that was open
 * already works on goes on there, as `goesOn` says.
 * @throws LoamError `INTERRUPTED` when it was terminated and `goesOn` is given
 */
export async function untilOver<Result extends object>(
  { joined }: Pick<ReachedHost, 'joined'>,
  io: ConsoleIo,
  options: {
    readonly everyMs: number
    look(): Promise<Result | undefined>
    cancel(): Promise<unknown>
    readonly goesOn?: string
  },
): Promise<Result> {
  const { everyMs, look, cancel, goesOn } = options
  let cancelled = false
  try {
    for (;;) {
      const result = await look()
      if (result !== undefined) return result
      if (io.signal.aborted) {
        const reason: unknown = io.signal.reason
        if (goesOn !== undefined && reason instanceof LoamError)
          throw joined ? new LoamError('INTERRUPTED', reason.why, { suggestion: goesOn }) : reason
        if (!cancelled) {
          cancelled = true
          await cancel()
        }
      }
      await sleep(everyMs, undefined, { signal: cancelled ? undefined : io.signal }).catch(() => undefined)
    }
  } finally {
    io.endStatus()
  }
}

/**
 * Waits for long work with its own words as the progress line and answers how it ended. Ctrl-C cancels it.
 * @throws AbortError when it was cancelled, its problem when it failed
 */
export async function followJob(host: ReachedHost, jobId: string, io: ConsoleIo): Promise<JobInfo> {
  const { client } = host
  await host.share()
  return untilOver(host, io, {
    everyMs: LOOK_MS,
    async look() {
      const job = (await client.jobs.list()).find(({ id }) => id === jobId)
      if (!job) throw new Error(`Job ${jobId} is not listed.`)
      if (job.status === 'done') return job
      if (job.status === 'cancelled') throw abortError()
      if (job.problem !== null) throw LoamError.fromShape(job.problem)
      io.status(jobLine(job))
      return undefined
    },
    cancel: () => client.jobs.cancel({ jobId }),
  })
}

/** What a job is doing, how far it is and how long it takes, as far as it knows. */
function jobLine({ activity, done, total, etaMs }: JobInfo): string {
  const far = total === null || total === 0 ? '' : ` (${Math.round((100 * done) / total)}%)`
  return `${activity}${far}${etaMs === null ? '' : `, about ${duration(etaMs)} left`}`
}
