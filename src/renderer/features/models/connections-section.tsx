import { Plug, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ConnectionReport } from '../../../shared/domain/connection'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { ConnectionDialog } from './connection-dialog'

/** Model servers under names of the person's own: added, tested, removed. */
export function ConnectionsSection() {
  const { client, models, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const { data, problem, reload } = useQuery('connections', () => client.connections.list())
  const [adding, setAdding] = useState(false)
  const changed = () => {
    reload()
    void models.getState().reload()
  }
  return (
    <section aria-label="Model servers">
      <div className="mb-2 flex items-center gap-2">
        <h2 className="flex-1 font-medium">Model servers</h2>
        <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
          Add a server
        </Button>
      </div>
      <p className="mb-3 text-sm text-muted">
        Ollama, LM Studio, llama-server, vLLM and others that speak OpenAI’s protocol. Whatever a run writes
        and reads goes to its server: on this machine it stays here; elsewhere prompts, tasks and memory leave
        the machine.{' '}
        {network
          ? 'The network is on.'
          : 'The network is off, so servers that are not on this machine are not spoken to.'}
      </p>
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : null}
      <ul className="flex flex-col gap-3">
        {data?.map((connection) => (
          <ConnectionRow
            key={connection.name}
            name={connection.name}
            url={connection.url}
            onChange={changed}
          />
        ))}
      </ul>
      {adding ? <ConnectionDialog onClose={() => setAdding(false)} onSaved={changed} /> : null}
    </section>
  )
}

interface ConnectionRowProps {
  name: string
  url: string
  onChange(): void
}

function ConnectionRow({ name, url, onChange }: ConnectionRowProps) {
  const { client } = useServices()
  const [report, setReport] = useState<ConnectionReport | null>(null)
  const { problem, busy, attempt } = useAttempt()
  const test = () =>
    attempt(async () => {
      setReport(null)
      setReport(await client.connections.test({ name }))
    })
  const remove = () =>
    attempt(async () => {
      await client.connections.remove({ name })
      onChange()
    })
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{name}</h3>
        <span className="min-w-0 flex-1 font-mono text-xs break-all text-muted">{url}</span>
        <Button size="small" icon={Plug} disabled={busy} onClick={() => void test()}>
          {busy ? 'Asking…' : 'Test'}
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
