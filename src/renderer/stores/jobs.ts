import { createStore, type StoreApi } from 'zustand/vanilla'
import type { JobInfo } from '../../shared/domain/job'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { followFeed } from './feed'

export interface JobsState {
  /** Newest first. */
  readonly jobs: readonly JobInfo[]
  /** Set while the feed is broken: the connection to the host is lost or refused. */
  readonly problem: LoamErrorShape | null
  /** True once the host has answered. */
  readonly connected: boolean
  cancel(jobId: string): Promise<LoamErrorShape | null>
  follow(): () => void
}

export type JobsStore = StoreApi<JobsState>

/** Long work of the host. `onEnded` hears of each job that ends while this window watches. */
export function createJobsStore(client: LoamClient, onEnded: (job: JobInfo) => void): JobsStore {
  return createStore<JobsState>()((set, get) => ({
    jobs: [],
    problem: null,
    connected: false,
    async cancel(jobId) {
      try {
        await client.jobs.cancel({ jobId })
        return null
      } catch (error) {
        return errorShape(error)
      }
    },
    follow: () =>
      followFeed<JobInfo[], JobInfo>({
        open: (since, signal) => client.jobs.watch({ since }, { signal }),
        onSnapshot: (jobs) => {
          const ended = jobs.filter((job) => hasEnded(get().jobs, job))
          set({ jobs: newestFirst(jobs), connected: true })
          ended.forEach(onEnded)
        },
        onDeltas: (changes) => {
          const ended: JobInfo[] = []
          const byId = new Map(get().jobs.map((job) => [job.id, job]))
          for (const job of changes) {
            if (job.status !== 'running' && byId.get(job.id)?.status !== job.status) ended.push(job)
            byId.set(job.id, job)
          }
          set({ jobs: newestFirst([...byId.values()]) })
          ended.forEach(onEnded)
        },
        onProblem: (problem) => set({ problem, connected: problem === null }),
      }),
  }))
}

/** Whether a job that was seen running has ended meanwhile. */
function hasEnded(before: readonly JobInfo[], job: JobInfo): boolean {
  return job.status !== 'running' && before.some((old) => old.id === job.id && old.status === 'running')
}

function newestFirst(jobs: readonly JobInfo[]): JobInfo[] {
  return [...jobs].sort((a, b) => b.startedAt.localeCompare(a.startedAt))
}
