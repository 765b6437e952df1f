import { TitleAndLead } from '../../components/title-and-lead'
import { Download } from '../../components/icons'
import { useStore } from 'zustand'
import type { RegistryEntry } from '../../../shared/domain/model'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { fileName, formatBytes } from '../../components/format'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'

/** Models Loam knows and can check, with their size, licence and checksum. Downloading needs the network turned on. */
export function RegistryList() {
  const { registry, settings } = useServices()
  const { data, problem, reload } = useStore(registry)
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} />
  const entries = data?.filter((entry) => entry.source !== null) ?? []
  if (entries.length === 0) return null
  return (
    <TitledSection
      title="Known models"
      lead={
        network
          ? 'Each download is checked against its checksum before it is used.'
          : 'Downloads are off because the network is off.'
      }
    >
      <ul className="divide-y rounded-lg border bg-surface">
        {entries.map((entry) => (
          <RegistryRow key={entry.id} entry={entry} network={network} />
        ))}
      </ul>
    </TitledSection>
  )
}

function RegistryRow({ entry, network }: { entry: RegistryEntry; network: boolean }) {
  const { client, models, downloads } = useServices()
  const { problem, attempt } = useAttempt()
  const present = useStore(
    models,
    (state) => state.data?.some((model) => model.registryId === entry.id) ?? false,
  )
  const queued = useStore(downloads, (state) =>
    state.data.some(({ target }) => fileName(target) === entry.file),
  )
  return (
    <li className="flex flex-wrap items-center gap-4 p-4">
      <TitleAndLead className="min-w-64" title={entry.name} lead={entry.description}>
        <p className="text-sm text-muted">
          {formatBytes(entry.sizeBytes)} · licence {entry.license}
        </p>
        {problem ? <ErrorNotice problem={problem} /> : null}
      </TitleAndLead>
      {present ? (
        <Badge tone="solved">Here</Badge>
      ) : queued ? (
        <Badge>In the queue</Badge>
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
