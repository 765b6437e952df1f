import type { CellStatus, ExperimentHead } from '../../shared/domain/experiment'
import type { JobInfo } from '../../shared/domain/job'

/** Whether an experiment can still change. */
export function isOpen({ status }: Pick<ExperimentHead, 'status'>): boolean {
  return status === 'running' || status === 'paused'
}

/** Whether a cell will not be worked on again. */
export function hasEnded(status: CellStatus): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'paused'
}

/** How far a job says that its experiment is; nothing else of a job is news. */
export function withJob(head: ExperimentHead, job: JobInfo): ExperimentHead {
  if (job.subject !== head.id || job.status !== 'running' || head.status !== 'running') return head
  return { ...head, done: Math.max(head.done, job.done), etaMs: job.etaMs ?? head.etaMs }
}

/** Whether a run is a cell of an experiment, and so belongs there and not among a person's own runs. */
export function isExperimentRun(runId: string): boolean {
  return runId.startsWith('exp-')
}

/** The experiment that a run is a cell of. */
export function experimentOf(runId: string, heads: readonly ExperimentHead[]): ExperimentHead | null {
  return heads.find(({ id }) => runId.startsWith(`${id}-`)) ?? null
}
