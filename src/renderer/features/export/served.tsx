import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ServedNowInfo } from '../../../shared/domain/sharing'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { formatMs, formatWhen, plural } from '../../components/format'
import { CopyLine } from '../../ground/copy-line'
import { SelectField } from '../../ground/select-field'
import { useServices } from '../../stores/use-services'
import { experienceConfigs, memoryConfigs, proxyConfigs, type ClientConfig } from './client-configs'

const configsOf = ({ what, url, key }: ServedNowInfo): readonly ClientConfig[] =>
  url.endsWith('/mcp')
    ? memoryConfigs(url, key)
    : url.endsWith('/v1')
      ? proxyConfigs(url, key)
      : what.startsWith('Agent KB')
        ? experienceConfigs(url, key)
        : []

const memoryName = (all: readonly MemoryInfo[], id: string): string =>
  all.find((one) => one.id === id)?.name ?? id

/** Something that is served: where, with which key, what programs are told, and what was put into their requests. */
export function Served({ served, stop }: { readonly served: ServedNowInfo; readonly stop: ReactNode }) {
  const configs = configsOf(served)
  const { memories } = useServices()
  const name = useStore(memories, (state) => memoryName(state.memories, served.memory.id))
  const [program, setProgram] = useState(configs[0]?.program ?? '')
  const config = configs.find((one) => one.program === program) ?? configs[0]
  return (
    <article
      aria-label={served.what}
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4 text-sm"
    >
      <header className="flex items-center gap-3">
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-solved" />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">{served.what}</h3>
          <p className="truncate text-muted">
            {name}, since {formatWhen(served.since)}
          </p>
        </div>
        {stop}
      </header>
      <CopyLine label="address" text={served.url} />
      <CopyLine label="key" text={served.key} secret={served.key} />
      {config ? (
        <div className="flex flex-col gap-2">
          <SelectField
            label="Configuration for"
            width="max-w-72"
            value={config.program}
            options={configs.map((one) => ({ value: one.program, label: one.program, detail: one.where }))}
            onChange={setProgram}
          />
          <CopyLine label={`configuration for ${config.program}`} text={config.text} secret={served.key} />
        </div>
      ) : null}
      <Requests requests={served.requests} />
    </article>
  )
}

function Requests({ requests }: Pick<ServedNowInfo, 'requests'>) {
  if (requests.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer">
        {plural(requests.length, 'request')}, the newest first
      </summary>
      <ul className="mt-2 max-h-72 divide-y overflow-y-auto rounded-md border">
        {requests.map(({ at, client, what, recalled, recallMs, tokens }, i) => (
          <li key={i} className="px-3 py-2">
            <p>
              {client}, {formatWhen(at)}: {what}
              {tokens ? `, ${tokens.read} tokens read, ${tokens.written} written` : ''}
              {recalled.length > 0 ? `, recalled in ${formatMs(recallMs)}` : ''}
            </p>
            <ul className="text-muted">
              {recalled.map((item, k) => (
                <li key={k} className="truncate">
                  {item.kind}
                  {item.score === null ? '' : ` ${item.score.toFixed(2)}`}
                  {item.tokens === null ? '' : `, ${plural(item.tokens, 'token')}`}: {item.title}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  )
}
