import { Download } from '../components/icons'
import type { OfferedEmbedder } from '../../shared/domain/download'
import { Badge } from '../components/badge'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'
import { fileName, formatBytes } from '../components/format'
import { ProgressBar } from '../components/progress-bar'
import { SwitchLine } from '../components/switch'
import { TitleAndLead } from '../components/title-and-lead'
import { useServices, useStored } from '../stores/use-services'
import { useAttempt } from './use-attempt'
import { useQuery } from './use-query'

/** Small embedding models that can be had from the hub, with size and licence. Says what leaves the machine, and asks before it does. */
export function EmbedderOffers() {
  const { client, settings } = useServices()
  const network = useStored('settings', (state) => state.settings?.network ?? false)
  const { data } = useQuery('offers', () => client.downloads.offers())
  if (!data) return null
  return (
    <div className="flex flex-col gap-2">
      <SwitchLine
        label="Network, for a download"
        detail="The hub (huggingface.co) learns which file is fetched, and from where. Nothing of your tasks or memory leaves this machine."
        checked={network}
        onChange={(on) => void settings.getState().save({ network: on })}
      />
      <ul className="divide-y rounded-md border" aria-label="Offered embedding models">
        {data.map((offer) => (
          <Offer key={offer.id} offer={offer} network={network} />
        ))}
      </ul>
    </div>
  )
}

function Offer({ offer, network }: { offer: OfferedEmbedder; network: boolean }) {
  const { client, settings } = useServices()
  const { problem, busy, attempt } = useAttempt()
  const { id, title, about, license, sizeBytes } = offer
  const record = useStored('embedders', (state) =>
    state.data?.find((one) => one.title === title && one.available),
  )
  const use = useStored('settings', (state) => state.settings?.embedder)
  const download = useStored('downloads', (state) =>
    state.data.find(({ target }) => fileName(target) === title),
  )
  const words = download?.status === 'failed' ? 'Try again' : 'Download and use'
  const job = useStored('jobs', (state) => state.data.find((one) => one.id === download?.jobId))
  return (
    <li className="flex flex-wrap items-center gap-3 p-3">
      <TitleAndLead
        className="min-w-56"
        title={title}
        lead={`${about} ${formatBytes(sizeBytes)}, licence ${license}.`}
      >
        {download ? (
          <div className="mt-2 flex flex-col gap-1">
            <ProgressBar
              label={`Download of ${title}`}
              done={job?.done ?? download.doneBytes}
              total={download.sizeBytes}
            />
            <p className="text-xs text-muted">
              {download.problem?.cause ?? job?.activity ?? 'Waits its turn'}
            </p>
          </div>
        ) : null}
        {problem ? <ErrorNotice problem={problem} /> : null}
      </TitleAndLead>
      {record === undefined ? (
        <Button
          size="small"
          icon={Download}
          aria-label={`${words} ${title}`}
          disabled={!network || busy || (download !== undefined && download.status !== 'failed')}
          onClick={() =>
            void attempt(() =>
              download
                ? client.downloads.resume({ downloadId: download.id })
                : client.downloads.addEmbedder({ id }),
            )
          }
        >
          {words}
        </Button>
      ) : record.id === use ? (
        <Badge tone="solved">In use</Badge>
      ) : (
        <Button size="small" onClick={() => void settings.getState().save({ embedder: record.id })}>
          Use it
        </Button>
      )}
    </li>
  )
}
