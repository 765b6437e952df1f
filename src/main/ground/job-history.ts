import { readRecord, writeRecord } from './record-file'
import { z } from 'zod'
import { jobInfoSchema, type JobInfo } from '../../shared/domain/job'
import { LoamError } from '../../shared/errors'

/** The work that is remembered from one start of Loam to the next. */
export type JobHistory = Awaited<ReturnType<typeof openJobHistory>>

const INTERRUPTED = new LoamError('INTERRUPTED', 'Loam stopped while this was under way.', {
  title: 'Interrupted',
  suggestion: 'What was finished is kept. Go on with it where it is shown, or start it again.',
}).toShape()

/** Opens the file that remembers work; a missing or damaged one is an empty list, since nothing but the list is lost. */
export async function openJobHistory(path: string) {
  const entries = await readRecord(path, z.array(z.unknown()), [])
  // Kinds of work that there are no longer are no reason to forget the others.
  const earlier = entries.flatMap((entry) => jobInfoSchema.safeParse(entry).data ?? [])
  let next: readonly JobInfo[] | null = null
  let writing = Promise.resolve()
  const write = async () => {
    const jobs = next
    next = null
    if (jobs) await writeRecord(path, jobs).catch(() => undefined)
  }
  return {
    /** What earlier starts did, oldest first; what was under way when Loam stopped is there as interrupted. */
    jobs: earlier.map((job) => ({ ...asEnded(job), earlier: true })),
    /** Keeps the list as it is now, oldest first. Writing goes on by itself; a list that cannot be written is no reason to stop working. */
    keep(jobs: readonly JobInfo[]) {
      const waits = next !== null
      next = jobs
      if (!waits) writing = writing.then(write)
    },
    /** Resolves when nothing is left to write. */
    settled: () => writing,
  }
}

const asEnded = (job: JobInfo): JobInfo =>
  job.status === 'running'
    ? { ...job, status: 'failed', etaMs: null, finishedAt: job.startedAt, problem: INTERRUPTED }
    : job
