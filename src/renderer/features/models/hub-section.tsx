import { Search } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { HubModel } from '../../../shared/domain/download'
import { Badge } from '../../components/badge'
import { formatCount } from '../../components/format'
import { LineForm } from '../../ground/line-form'
import { TitledSection } from '../../ground/titled-section'
import { GoLink } from '../../ground/go-to'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { HubChoices } from './hub-choices'

/** Models of the hub by name. Says what leaves the machine before anything does. */
export function HubSection() {
  const { client, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const [matches, setMatches] = useState<readonly HubModel[] | null>(null)
  return (
    <TitledSection
      title="Find more on Hugging Face"
      lead={
        network ? (
          'The words you search for and the names of what you download go to the hub, with this machine’s address, as with any site. Nothing of your tasks or memory does.'
        ) : (
          <>
            The network is off, so nothing is asked. On, the words you search for and the names of what you
            download go to the hub; nothing of your tasks or memory does.{' '}
            <GoLink to="settings">Turn it on in Settings</GoLink>
          </>
        )
      }
    >
      {network ? (
        <LineForm
          label="Name of a model"
          placeholder="qwen3 4b"
          stays
          button={{ label: 'Search', busy: 'Searching…', icon: Search }}
          onSubmit={(text) => refusalOf(client.downloads.search({ text }).then(setMatches))}
        />
      ) : null}
      {network && matches !== null ? <Results matches={matches} /> : null}
    </TitledSection>
  )
}

function Results({ matches }: { matches: readonly HubModel[] }) {
  const [open, setOpen] = useState<string | null>(null)
  if (matches.length === 0)
    return <p className="text-sm text-muted">There is nothing of that name with GGUF files.</p>
  return (
    <ul className="divide-y rounded-lg border bg-surface" aria-label="Found on the hub">
      {matches.map(({ repo, license, downloads, gated }) => (
        <li key={repo} className="flex flex-col gap-3 p-4">
          <button
            type="button"
            aria-expanded={open === repo}
            className="flex flex-wrap items-center gap-2 rounded-sm text-left"
            onClick={() => setOpen(open === repo ? null : repo)}
          >
            <span className="min-w-0 flex-1 font-medium break-all">{repo}</span>
            {gated ? <Badge tone="notice">Terms to accept</Badge> : null}
            <span className="text-sm text-muted">
              {license === null ? 'licence not stated' : `licence ${license}`} · {formatCount(downloads)}{' '}
              downloads
            </span>
          </button>
          {open === repo ? <HubChoices repo={repo} /> : null}
        </li>
      ))}
    </ul>
  )
}
