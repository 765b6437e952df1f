import { Activity, FlaskConical } from '../../components/icons'
import { useId } from 'react'
import type { StreamInfo } from '../../../shared/domain/task'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { KeptActions } from '../../ground/kept-actions'
import { EnvironmentName } from '../../ground/task-choice/environment-name'
import { plural } from '../../components/format'
import { SkippedRows } from '../../components/skipped-rows'
import { toStartInput } from '../../stores/run-form'
import { StreamPage } from './stream-page'
import { useServices } from '../../stores/use-services'

/** One stream: what is in it, what was left out, and the way to run it. */
export function StreamCard({ stream }: { stream: StreamInfo }) {
  const { runForm, ui } = useServices()
  const titleId = useId()
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-64 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 id={titleId} className="font-medium">
              {stream.title}
            </h2>
            {stream.demo ? <Badge tone="accent">For the demo model</Badge> : null}
            {stream.source === 'file' ? <Badge>File</Badge> : null}
          </div>
          <p className="mt-0.5 text-muted">{stream.description}</p>
          <p className="mt-1 text-sm text-muted">
            {plural(stream.tasks, 'task')} · <EnvironmentName id={stream.environment} />
            {stream.skills.length > 0 ? ` · ${plural(stream.skills.length, 'skill')}` : ''}
          </p>
          {stream.source === 'file' ? (
            <p className="mt-1 font-mono text-xs break-all text-muted">{stream.id}</p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-4">
          {stream.own ? (
            <KeptActions
              item={{ what: 'stream', id: stream.id, name: stream.title, ownName: stream.title, canGo: true }}
            />
          ) : null}
          <StreamPage stream={stream} titleId={titleId} />
          {stream.source === 'file' ? <TryStream stream={stream} titleId={titleId} /> : null}
          <Button
            icon={Activity}
            aria-describedby={titleId}
            onClick={() => {
              runForm.getState().change({ stream: stream.id, tasks: null })
              ui.getState().go('run')
            }}
          >
            Use in a run
          </Button>
        </div>
      </div>
      <SkippedRows report={stream.reading} />
    </li>
  )
}

/** Tasks that are tried at once. */
const FEW = 3

/** Plays the first tasks right away, with the method and the model of the run form, to see whether the stream is as meant. */
function TryStream({ stream, titleId }: { stream: StreamInfo; titleId: string }) {
  const { runForm, runs, streams, methods, models, ui } = useServices()
  const tryOut = async () => {
    for (const store of [methods, models]) if (store.getState().data === null) await store.getState().reload()
    const choices = {
      streams: streams.getState().data ?? [],
      methods: methods.getState().data ?? [],
      models: models.getState().data ?? [],
    }
    const tasks = Math.min(FEW, stream.tasks)
    const input = toStartInput({ ...runForm.getState(), stream: stream.id, tasks, memoryId: null }, choices)
    if (!input) return
    await runs.getState().start(input)
    ui.getState().go('run')
  }
  return (
    <Button icon={FlaskConical} aria-describedby={titleId} onClick={() => void tryOut()}>
      Try three
    </Button>
  )
}
