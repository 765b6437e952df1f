import type { JobInfo } from '../../shared/domain/job'
import type { LoamClient } from '../client-type'
import { createFeedStore, type FeedStore } from './feed'

export type JobsStore = FeedStore<JobInfo[]>

/** Long work of the host, newest first. `onEnded` hears of each job that ends while this window watches. */
export const createJobsStore = (client: LoamClient, onEnded: (job: JobInfo) => void): JobsStore =>
  createFeedStore<JobInfo[], JobInfo[]>(
    [],
    (since, signal) => client.jobs.watch({ since }, { signal }),
    (jobs, before) => {
      for (const job of jobs) if (before && hasEnded(before, job)) onEnded(job)
    },
  )

/** Whether a job ended since the list before, where it may not have stood yet. */
function hasEnded(before: readonly JobInfo[], { id, status, earlier }: JobInfo): boolean {
  if (status === 'running' || earlier === true) return false
  const record = before.find((job) => job.id === id)
  return record === undefined || record.status === 'running'
}
