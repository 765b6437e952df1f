import { Activity } from 'lucide-react'
import type { StreamInfo } from '../../../shared/domain/task'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { useServices } from '../../stores/use-services'

const MOST_SKIPPED = 50

/** One stream: what is in it, what had to be skipped, and the way to run it. */
export function StreamCard({ stream }: { stream: StreamInfo }) {
  const { runForm, ui } = useServices()
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-medium">{stream.title}</h2>
            {stream.demo ? <Badge tone="accent">For the demo model</Badge> : null}
            {stream.source === 'file' ? <Badge>File</Badge> : null}
          </div>
          <p className="mt-0.5 text-muted">{stream.description}</p>
          <p className="mt-1 text-sm text-muted">
            {plural(stream.tasks, 'task')} · {stream.environment}
            {stream.skills.length > 0 ? ` · ${plural(stream.skills.length, 'skill')}` : ''}
          </p>
          {stream.source === 'file' ? (
            <p className="mt-1 font-mono text-xs break-all text-muted">{stream.id}</p>
          ) : null}
        </div>
        <Button
          icon={Activity}
          onClick={() => {
            runForm.getState().change({ stream: stream.id, tasks: null })
            ui.getState().go('run')
          }}
        >
          Use in a run
        </Button>
      </div>
      {stream.skipped.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-sm text-notice">
            {plural(stream.skipped.length, 'row')} could not be used
          </summary>
          <ul className="mt-2 max-h-48 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-sm">
            {stream.skipped.slice(0, MOST_SKIPPED).map((row) => (
              <li key={row.line}>
                <span className="text-muted">Row {row.line}:</span> {row.reason}
              </li>
            ))}
            {stream.skipped.length > MOST_SKIPPED ? (
              <li className="text-muted">and {stream.skipped.length - MOST_SKIPPED} more</li>
            ) : null}
          </ul>
        </details>
      ) : null}
    </li>
  )
}
