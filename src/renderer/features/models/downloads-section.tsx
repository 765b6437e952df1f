import { Pause, Play, X } from '../../components/icons'
import { useStore } from 'zustand'
import type { DownloadInfo } from '../../../shared/domain/download'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, formatDuration, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { ProgressBar } from '../../components/progress-bar'
import { NumberBox } from '../../ground/number-field'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'
import { BOUNDS } from '../../../shared/domain/bounds'

const STATUS = {
  waiting: 'Waits its turn',
  running: 'Downloading',
  paused: 'Paused',
  failed: 'Failed',
} as const

/** The queue: how far each is, and what can be done about it. Nothing while nothing is in it. */
export function DownloadsSection() {
  const { downloads, settings } = useServices()
  const list = useStore(downloads, (state) => state.data)
  const atOnce = useStore(settings, (state) => state.settings?.downloadsAtOnce ?? 1)
  if (list.length === 0) return null
  return (
    <TitledSection
      title={plural(list.length, 'download')}
      lead="The queue goes on where it was when Loam is closed and opened again."
      action={
        <label className="flex items-center gap-2 text-sm text-muted">
          At a time
          <NumberBox
            label="Downloads at a time"
            className="w-16"
            value={atOnce}
            bounds={BOUNDS.downloadsAtOnce}
            onChange={(downloadsAtOnce) => void settings.getState().save({ downloadsAtOnce })}
          />
        </label>
      }
    >
      <ul className="flex flex-col gap-3" aria-label="Downloads">
        {list.map((download) => (
          <DownloadRow key={download.id} download={download} />
        ))}
      </ul>
    </TitledSection>
  )
}

function DownloadRow({ download }: { download: DownloadInfo }) {
  const { client, jobs } = useServices()
  const { problem, attempt } = useAttempt()
  const { id, title, source, license, status, sizeBytes } = download
  const job = useStore(jobs, (state) => state.data.find((one) => one.id === download.jobId))
  const doneCount = Math.max(download.doneBytes, job?.done ?? 0)
  const goes = status === 'running' || status === 'waiting'
  const words = [
    status === 'running' ? (job?.activity ?? STATUS.running) : STATUS[status],
    `${formatBytes(doneCount)} of ${formatBytes(sizeBytes)}`,
    status === 'running' && job && job.etaMs !== null ? `about ${formatDuration(job.etaMs)} left` : null,
  ]
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium break-words">{title}</h3>
        {status === 'failed' ? <Badge tone="danger">Failed</Badge> : null}
        <Button
          size="small"
          icon={goes ? Pause : Play}
          aria-label={`${goes ? 'Pause' : 'Resume'} ${title}`}
          onClick={() =>
            void attempt(() => (goes ? client.downloads.pause : client.downloads.resume)({ downloadId: id }))
          }
        >
          {goes ? 'Pause' : status === 'failed' ? 'Try again' : 'Resume'}
        </Button>
        <IconButton
          icon={X}
          label={`Cancel ${title}`}
          onClick={() => void attempt(() => client.downloads.cancel({ downloadId: id }))}
        />
      </div>
      <ProgressBar label={`Download of ${title}`} done={doneCount} total={sizeBytes} />
      <p className="text-xs text-muted">{words.filter((word) => word !== null).join(' · ')}</p>
      <p className="text-xs break-all text-muted">
        From {source}
        {license === null ? '' : `, licence ${license}`}
      </p>
      {download.problem ? <ErrorNotice problem={download.problem} /> : null}
      {problem ? <ErrorNotice problem={problem} /> : null}
    </li>
  )
}
