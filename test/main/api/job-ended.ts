import type { JobInfo } from '../../../src/shared/domain/job'
import { statesOf, type FeedMessage } from '../../../src/shared/feed'

/** Waits in a feed of jobs until one has ended. */
export async function jobEnded(feed: AsyncIterable<FeedMessage<JobInfo[]>>, jobId: string): Promise<JobInfo> {
  for await (const jobs of statesOf(feed)) {
    const ended = jobs.find((job) => job.id === jobId && job.status !== 'running')
    if (ended) return ended
  }
  throw new Error('the feed ended')
}
