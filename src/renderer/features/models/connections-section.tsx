import { Pencil, Plug, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { Connection, ConnectionReport } from '../../../shared/domain/connection'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { ConnectionDialog } from './connection-dialog'

/** A connection, and whether a key is kept for it. */
type Kept = Connection & { readonly key: boolean }

/** Model servers under names of the person's own: added, tested, removed. */
export function ConnectionsSection() {
  const { client, models, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const { data, problem, reload } = useQuery('connections', () => client.connections.list())
  const [open, setOpen] = useState<'new' | Kept | null>(null)
  const changed = () => {
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
        {data?.map((connection) => (
          <ConnectionRow
            key={connection.name}
            connection={connection}
            onEdit={() => setOpen(connection)}
            onChange={changed}
          />
        ))}
      </ul>
      {open ? (
        <ConnectionDialog
          before={open === 'new' ? null : open}
          taken={data?.map(({ name }) => name) ?? []}
          onClose={() => setOpen(null)}
          onSaved={changed}
        />
      ) : null}
    </TitledSection>
  )
}

interface ConnectionRowProps {
  connection: Kept
  onEdit(): void
  onChange(): void
}

function ConnectionRow({ connection, onEdit, onChange }: ConnectionRowProps) {
  const { client } = useServices()
  const { change } = useUndo()
  const [report, setReport] = useState<ConnectionReport | null>(null)
  const { problem, busy, attempt } = useAttempt()
  const { name, url, provider, key } = connection
  const test = () =>
    attempt(async () => {
      setReport(null)
      setReport(await client.connections.test({ name }))
    })
  const remove = () =>
    change(
      refusalOf(client.connections.remove({ name }).then(onChange)),
      { title: `${name} is removed`, detail: key ? 'Its key is forgotten.' : url },
      () => refusalOf(client.connections.save({ connection: { name, url, provider } }).then(onChange)),
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
          {report.models.length === 0 ? 'It lists no models.' : `It has: ${report.models.join(', ')}`}
        </p>
      ) : null}
    </li>
  )
}
