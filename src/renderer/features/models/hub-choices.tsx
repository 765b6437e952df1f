import { Download } from '../../components/icons'
import { useStore } from 'zustand'
import { FIT_WORDS, type HubChoice } from '../../../shared/domain/download'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { fileName, formatBytes } from '../../components/format'
import { Loading } from '../../components/loading'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const TONES = { fits: 'solved', tight: 'notice', 'too-large': 'danger' } as const

/** What of a repository can be had: each quantization with its size and whether it would fit. */
export function HubChoices({ repo }: { repo: string }) {
  const { client } = useServices()
  const { data, problem, reload } = useQuery(repo, (signal) => client.downloads.choices({ repo }, { signal }))
  const { problem: refused, attempt } = useAttempt()
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!data) return <Loading what="its files" />
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        {data.license === null ? 'Its licence is not stated.' : `Licence: ${data.license}.`}
        {data.gated ? ' Its makers want their terms accepted on its page first.' : ''} Whether it fits is told
        by its size; what it takes exactly once it is here.
      </p>
      {data.choices.length === 0 ? <p className="text-sm">It holds no whole GGUF with a checksum.</p> : null}
      <ul aria-label={`Files of ${repo}`} className="divide-y">
        {data.choices.map((choice) => (
          <Choice
            key={choice.name}
            choice={choice}
            onDownload={() => void attempt(() => client.downloads.add({ repo, choice: choice.name }))}
          />
        ))}
      </ul>
      {refused ? <ErrorNotice problem={refused} /> : null}
    </div>
  )
}

function Choice({ choice, onDownload }: { choice: HubChoice; onDownload(): void }) {
  const { downloads, models } = useServices()
  const { name, sizeBytes, files, fit } = choice
  const last = fileName(files[0]?.path ?? '')
  const isAt = (path: string) => fileName(path) === last
  const queued = useStore(downloads, (state) => state.data.some(({ target }) => isAt(target)))
  const here = useStore(
    models,
    ({ data }) => data?.some((one) => isAt(one.path) && one.sizeBytes === sizeBytes) ?? false,
  )
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <span className="min-w-24 font-mono text-sm break-all">{name}</span>
      <span className="text-sm text-muted">
        {formatBytes(sizeBytes)}
        {files.length > 1 ? ` in ${files.length} parts` : ''}
      </span>
      <Badge tone={TONES[fit]}>{FIT_WORDS[fit]}</Badge>
      <span className="ml-auto">
        {here ? (
          <Badge tone="solved">Here</Badge>
        ) : queued ? (
          <Badge>In the queue</Badge>
        ) : (
          <Button size="small" icon={Download} aria-label={`Download ${name}`} onClick={onDownload}>
            Download
          </Button>
        )}
      </span>
    </li>
  )
}
