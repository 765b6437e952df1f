import { Download } from '../../components/icons'
import { useStore } from 'zustand'
import type { GpuLibrary } from '../../../shared/domain/gpu-library'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes } from '../../components/format'
import { GoLink } from '../../ground/go-to'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Libraries that compute on a graphics card, fetched by consent. Nothing where this machine has no card for them, or they are here. */
export function GraphicsSection() {
  const { client, settings, downloads } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const queue = useStore(downloads, (state) => state.data)
  const { data } = useQuery(`gpu ${queue.length}`, () => client.models.gpuLibraries())
  const choices = data?.filter(({ isHere, isUseful }) => isUseful && !isHere) ?? []
  if (choices.length === 0) return null
  return (
    <TitledSection
      title="Graphics card"
      lead={`Models answer faster on a graphics card. What computes on it is too large to come with Loam: it is fetched from ${choices[0]?.source ?? ''}, checked, and used from the next start.`}
    >
      {network ? null : (
        <p className="text-sm text-muted">
          The network is off, so nothing is fetched. <GoLink to="settings">Turn it on in Settings</GoLink>
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {choices.map((library) => (
          <LibraryRow key={library.kind} library={library} mayFetch={network} />
        ))}
      </ul>
    </TitledSection>
  )
}

function LibraryRow({ library, mayFetch }: { library: GpuLibrary; mayFetch: boolean }) {
  const { client } = useServices()
  const { attempt, busy, problem } = useAttempt()
  const { kind, title, about, sizeBytes } = library
  return (
    <li className="flex flex-wrap items-center gap-4 rounded-lg border bg-surface p-4">
      <div className="min-w-64 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-sm text-muted">
          {about} {formatBytes(sizeBytes)}.
        </p>
        {problem ? <ErrorNotice problem={problem} /> : null}
      </div>
      <Button
        icon={Download}
        disabled={!mayFetch || busy}
        onClick={() => void attempt(() => client.downloads.addGpuLibrary({ kind }))}
      >
        Get {title}
      </Button>
    </li>
  )
}
