import { Download, Pause } from 'lucide-react'
import { useStore } from 'zustand'
import type { RegistryEntry } from '../../../shared/domain/model'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { fileName, formatBytes } from '../../components/format'
import { ProgressBar } from '../../components/progress-bar'
import { errorShape } from '../../stores/error-shape'
import { TextLink } from '../../components/text-link'
import { useServices } from '../../stores/use-services'

/** Models Loam knows and can check, with their size, licence and checksum. Downloading needs the network turned on. */
export function RegistryList() {
  const { registry, settings, ui } = useServices()
  const { data, problem, reload } = useStore(registry)
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} />
  const entries = data?.filter((entry) => entry.source !== null) ?? []
  if (entries.length === 0) return null
  return (
    <section aria-label="Known models" className="border-t pt-5">
      <h2 className="font-medium">Known models</h2>
      <p className="mt-0.5 mb-3 text-sm text-muted">
        {network ? (
          'Each download is checked against its checksum before it is used.'
        ) : (
          <>
            Downloads are off because the network is off.{' '}
            <TextLink onClick={() => ui.getState().go('settings')}>Turn it on in Settings</TextLink>, or put a
            GGUF file into one of your folders.
          </>
        )}
      </p>
      <ul className="divide-y rounded-lg border bg-surface">
        {entries.map((entry) => (
          <RegistryRow key={entry.id} entry={entry} network={network} />
        ))}
      </ul>
    </section>
  )
}

function RegistryRow({ entry, network }: { entry: RegistryEntry; network: boolean }) {
  const { client, models, jobs, toasts } = useServices()
  const present = useStore(
    models,
    (state) => state.data?.some((model) => model.registryId === entry.id) ?? false,
  )
  const job = useStore(jobs, (state) =>
    state.jobs.find(
      (item) =>
        item.kind === 'download' && item.status === 'running' && fileName(item.subject ?? '') === entry.file,
    ),
  )
  const attempt = async (ask: () => Promise<unknown>) => {
    try {
      await ask()
    } catch (error) {
      const shape = errorShape(error)
      toasts
        .getState()
        .show({ title: shape.title, detail: `${shape.cause} ${shape.suggestion}`, tone: 'problem' })
    }
  }
  return (
    <li className="flex items-center gap-4 p-4">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{entry.name}</p>
        <p className="text-sm text-muted">{entry.description}</p>
        <p className="text-sm text-muted">
          {formatBytes(entry.sizeBytes)} · licence {entry.license}
        </p>
        {job ? (
          <div className="mt-2 flex flex-col gap-1">
            <ProgressBar label={`Download of ${entry.name}`} done={job.done} total={job.total} />
            <p className="text-xs text-muted">{job.activity}</p>
          </div>
        ) : null}
      </div>
      {present ? (
        <Badge tone="solved">Here</Badge>
      ) : job ? (
        <Button icon={Pause} onClick={() => void attempt(() => client.jobs.cancel({ jobId: job.id }))}>
          Pause
        </Button>
      ) : (
        <Button
          icon={Download}
          aria-label={`Download ${entry.name}`}
          disabled={!network}
          onClick={() => void attempt(() => client.downloads.addKnown({ id: entry.id }))}
        >
          Download
        </Button>
      )}
    </li>
  )
}
