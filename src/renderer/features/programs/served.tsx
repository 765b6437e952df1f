import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import type { ServedNowInfo } from '../../../shared/domain/sharing'
import { SmallFold } from '../../components/fold'
import { formatMs, formatWhen, plural } from '../../components/format'
import { CopyLine } from '../../ground/copy-line'
import { SelectField } from '../../ground/select'
import { useStored } from '../../stores/use-services'

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
export function Served(props: {
  readonly served: ServedNowInfo
  /** Whether it was started just now, and is to be seen. */
  readonly isNew: boolean
  readonly stop: ReactNode
}) {
  const { served, isNew, stop } = props
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  const configs = configsOf(served)
  const name = useStored('memories', (state) => memoryName(state.memories, served.memory.id))
  const [program, setProgram] = useState(configs[0]?.program ?? '')
  const config = configs.find((one) => one.program === program) ?? configs[0]
  return (
    <article
      ref={card}
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
    <SmallFold title={`${plural(requests.length, 'request')}, the newest first`} look="">
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
    </SmallFold>
  )
}

/** What a program is told, so that it finds what is served. */
interface ClientConfig {
  readonly program: string
  /** Where it goes. */
  readonly where: string
  readonly text: string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Configuration of MCP clients for a memory server over HTTP. */
const memoryConfigs = (url: string, key: string): readonly ClientConfig[] => {
  const authorization = `Bearer ${key}`
  const server = { type: 'http', url, headers: { Authorization: authorization } }
  return [
    {
      program: 'Claude Code',
      where: 'in a terminal',
      text: `claude mcp add --transport http loam-memory ${url} --header "Authorization: ${authorization}"`,
    },
    {
      program: 'Claude Desktop',
      where: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          'loam-memory': {
            command: 'npx',
            args: ['mcp-remote', url, '--header', `Authorization: ${authorization}`],
          },
        },
      }),
    },
    {
      program: 'Cursor',
      where: '.cursor/mcp.json',
      text: json({ mcpServers: { 'loam-memory': { url, headers: { Authorization: authorization } } } }),
    },
    { program: 'VS Code', where: '.vscode/mcp.json', text: json({ servers: { 'loam-memory': server } }) },
    {
      program: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.loam-memory]\nurl = "${url}"\nhttp_headers = { Authorization = "${authorization}" }`,
    },
    {
      program: 'smolagents',
      where: 'in Python',
      text: [
        'from smolagents import CodeAgent, ToolCollection',
        '',
        `server = {"url": "${url}", "transport": "streamable-http", "headers": {"Authorization": "${authorization}"}}`,
        'with ToolCollection.from_mcp(server, trust_remote_code=True) as memory:',
        '    agent = CodeAgent(tools=[*memory.tools], model=model)',
      ].join('\n'),
    },
  ]
}

/** What every program that speaks OpenAI's protocol takes. */
const proxyConfigs = (url: string, key: string): readonly ClientConfig[] => [
  {
    program: 'Any program',
    where: 'in its environment',
    text: `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${key}`,
  },
]

/** The released client of Agent KB. */
const experienceConfigs = (url: string, key: string): readonly ClientConfig[] => [
  {
    program: 'Agent KB',
    where: 'where its client makes its session',
    text: `AKBClient(base_url="${url}")\nself.session.headers.update({"Authorization": "Bearer ${key}"})`,
  },
]
