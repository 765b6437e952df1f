import { eventIterator, oc } from '@orpc/contract'
import { implement } from '@orpc/server'
import { z } from 'zod'
import { Feed } from '../../src/main/ground/feed'
import { JobRegistry } from '../../src/main/ground/jobs'
import { jobInfoSchema } from '../../src/shared/domain/job'
import { feedMessage } from '../../src/shared/feed'
import { loamErrorShape } from '../../src/shared/domain/error-shape'
import { LoamError } from '../../src/shared/errors'

const procedure = oc.errors({ LOAM: { data: loamErrorShape } })
const since = z.object({ since: z.number().int().nullable().default(null) })

/** A contract with one procedure of each kind that the real one has. */
export const tinyContract = {
  echo: procedure.input(z.object({ text: z.string().max(10) })).output(z.object({ text: z.string() })),
  big: procedure.input(z.object({ length: z.number() })).output(z.string()),
  fail: procedure.input(z.enum(['loam', 'bug', 'output'])).output(z.string()),
  hang: procedure.output(z.string()),
  watch: procedure.input(since).output(eventIterator(feedMessage(z.number()))),
  breakingFeed: procedure.output(eventIterator(z.number())),
  startJob: procedure.output(z.object({ jobId: z.string() })),
  cancelJob: procedure.input(z.object({ jobId: z.string() })).output(jobInfoSchema),
}

/** What the tiny router works on, so that tests can see both sides. */
export function createTinyWorld() {
  let total = 0
  const feed = new Feed(() => total, { batchMs: 5, firstSeq: 0 })
  const jobs = new JobRegistry({ graceMs: 200 })
  const seen = { hangs: 0, hangsAborted: 0, breakingFeedClosed: 0 }
  const os = implement(tinyContract)
  const router = os.router({
    echo: os.echo.handler(({ input }) => input),
    big: os.big.handler(({ input }) => 'x'.repeat(input.length)),
    fail: os.fail.handler(({ input }) => {
      if (input === 'bug') throw new TypeError('x is not a function')
      if (input === 'output') return 42 as unknown as string
      throw new LoamError('DISK_FULL', 'No room for 3 MB.', { suggestion: 'Free some.', retryable: true })
    }),
    hang: os.hang.handler(
      ({ signal }) =>
        new Promise((_, reject) => {
          seen.hangs += 1
          signal?.addEventListener('abort', () => {
            seen.hangsAborted += 1
            reject(new DOMException('stopped', 'AbortError'))
          })
        }),
    ),
    watch: os.watch.handler(({ input, signal }) =>
      feed.watch({ since: input.since, ...(signal && { signal }) }),
    ),
    breakingFeed: os.breakingFeed.handler(async function* () {
      try {
        yield 1
        throw new LoamError('ENGINE_DIED', 'It stopped.', { suggestion: 'Resume the run.' })
      } finally {
        seen.breakingFeedClosed += 1
      }
    }),
    startJob: os.startJob.handler(() => ({
      // Work that never listens: cancelling must not wait for it.
      jobId: jobs.start('run', 'Stubborn', () => new Promise<never>(() => undefined)).id,
    })),
    cancelJob: os.cancelJob.handler(({ input }) => jobs.cancel(input.jobId)),
  })
  const add = (amount: number) => {
    total += amount
    feed.changed()
  }
  return { router, feed, jobs, add, total: () => total, seen }
}

export type TinyWorld = ReturnType<typeof createTinyWorld>
