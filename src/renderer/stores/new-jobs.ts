import type { JobInfo } from '../../shared/domain/job'

/**
 * Tells of work of some kinds that goes on and is not in a list yet, such as a run that was begun on the command line: reads the list anew, once for each job.
 * `isKnown` is asked with what the job works on.
 */
export function createNewJobs(
  kinds: readonly JobInfo['kind'][],
  isKnown: (subject: string | null) => boolean,
  read: () => Promise<void>,
): (jobs: readonly JobInfo[]) => void {
  const readFor = new Set<string>()
  return (jobs) => {
    const news = jobs.filter(
      ({ id, kind, status, subject }) =>
        kinds.includes(kind) && status === 'running' && !readFor.has(id) && !isKnown(subject),
    )
    for (const { id } of news) readFor.add(id)
    if (news.length > 0) void read()
  }
}
