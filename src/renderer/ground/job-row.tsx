import { X } from '../components/icons'
import type { JobInfo } from '../../shared/domain/job'
import { classNames } from '../components/class-names'
import { formatCount, formatDuration, formatWhen } from '../components/format'
import { IconButton } from '../components/icon-button'
import { ProgressBar } from '../components/progress-bar'
import { RowLink } from '../components/row-link'
import { useServices } from '../stores/use-services'
import { useStopJob } from './ask-cancel'
import { useConnected } from './connected'

const ENDED = { done: 'Done', failed: 'Failed', cancelled: 'Cancelled', running: '' } as const

/** A job in a list: how far, how long still, what it is doing, and cancel; or how it ended. Its title opens what it works on. */
export function JobRow({ job }: { job: JobInfo }) {
  const stop = useStopJob()
  const connected = useConnected()
  if (job.status !== 'running') {
    return (
      <li className="flex flex-col gap-0.5 px-4 py-3">
        <div className="flex gap-2">
          <JobTitle job={job} />
          <span className={classNames('text-sm', job.status === 'failed' ? 'text-danger' : 'text-muted')}>
            {job.undone ? 'Undone' : ENDED[job.status]}
          </span>
        </div>
        <p className="text-xs text-muted">
          {job.problem
            ? `${job.problem.cause} ${job.problem.suggestion}`
            : formatWhen(job.finishedAt ?? job.startedAt)}
        </p>
      </li>
    )
  }
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-center gap-2">
        <JobTitle job={job} className="font-medium" />
        <IconButton
          icon={X}
          label={`Cancel ${job.title}`}
          className="-my-1 size-7"
          onClick={() => stop(job)}
        />
      </div>
      <ProgressBar label={job.title} done={job.done} total={job.total} />
      <div className="text-xs text-muted">
        <p className="line-clamp-2">{job.activity}</p>
        <p>
          {formatCount(job.done)}
          {job.total === null ? '' : ` of ${formatCount(job.total)}`} {job.unit}
          {job.etaMs === null || !connected ? '' : ` · about ${formatDuration(job.etaMs)} left`}
        </p>
      </div>
    </li>
  )
}

function JobTitle({ job, className }: { job: JobInfo; className?: string }) {
  const { openJob } = useServices()
  return (
    <RowLink onClick={() => openJob(job)} className={classNames('min-w-0 flex-1', className)}>
      {' '}
      {job.title}
    </RowLink>
  )
}
