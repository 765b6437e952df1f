import { Pencil, Plug, Plus, Trash2 } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ModelServer, ModelServerReport } from '../../../shared/domain/model-server'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { ServerDialog } from './server-dialog'

/** A connection, and whether a key is kept for it. */
type Kept = ModelServer & { readonly key: boolean }

/** Model servers under names of the person's own: added, tested, removed. */
export function ServersSection() {
  const { client, models, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const { data, problem, reload } = useQuery('servers', () => client.servers.list())
  const [open, setOpen] = useState<'new' | Kept | null>(null)
  const getChange = () => {
    reload()
    void models.getState().reload()
  }
  return (
    <TitledSection
      title="Model servers"
      lead={
        <>
          Ollama, LM Studio, llama-server, vLLM and others that speak OpenAI’s protocol. Whatever a run writes
          and reads goes to its server: on this machine it stays here; elsewhere prompts, tasks and memory
          leave the machine.{' '}
          {network
            ? 'The network is on.'
            : 'The network is off, so servers that are not on this machine are not spoken to.'}
        </>
      }
      action={
        <Button icon={Plus} onClick={() => setOpen('new')}>
          Add a server
        </Button>
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : null}
      <ul className="flex flex-col gap-3">
        {data?.map((server) => (
          <ServerRow key={server.name} server={server} onEdit={() => setOpen(server)} onChange={getChange} />
        ))}
      </ul>
      {open ? (
        <ServerDialog
          before={open === 'new' ? null : open}
          taken={data?.map(({ name }) => name) ?? []}
          onClose={() => setOpen(null)}
          onSaved={getChange}
        />
      ) : null}
    </TitledSection>
  )
}

interface ServerRowProps {
  server: Kept
  onEdit(): void
  onChange(): void
}

function ServerRow({ server, onEdit, onChange }: ServerRowProps) {
  const { client } = useServices()
  const { change } = useUndo()
  const [report, setReport] = useState<ModelServerReport | null>(null)
  const { problem, busy, attempt } = useAttempt()
  const { name, url, provider, key } = server
  const { models = [], embeddingModels = [] } = report ?? {}
  const writers = models.filter((id) => !embeddingModels.includes(id))
  const test = () =>
    attempt(async () => {
      setReport(null)
      setReport(await client.servers.test({ name }))
    })
  const remove = () =>
    change(
      refusalOf(client.servers.remove({ name }).then(onChange)),
      { title: `${name} is removed`, detail: key ? 'Its key is forgotten.' : url },
      () => refusalOf(client.servers.save({ server: { name, url, provider } }).then(onChange)),
    )
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{name}</h3>
        <span className="min-w-0 flex-1 font-mono text-xs break-all text-muted">{url}</span>
        <Button size="small" icon={Plug} disabled={busy} onClick={() => void test()}>
          {busy ? 'Asking…' : 'Test'}
        </Button>
        <Button size="small" look="quiet" icon={Pencil} onClick={onEdit}>
          Change
        </Button>
        <Button size="small" look="quiet" icon={Trash2} onClick={() => void remove()}>
          Remove
        </Button>
      </div>
      {problem ? <ErrorNotice problem={problem} /> : null}
      {report ? (
        <p role="status" className="text-sm">
          {report.program} answers.{' '}
          {report.models.length === 0 ? 'It lists no models.' : `It has: ${writers.join(', ') || 'none'}.`}
          {embeddingModels.length > 0 ? ` To compare texts: ${embeddingModels.join(', ')}.` : ''}
        </p>
      ) : null}
    </li>
  )
}
