import { Plus } from '../../../components/icons'
import { useEffect, useState } from 'react'
import { BOUNDS } from '../../../../shared/domain/bounds'
import type { Settings } from '../../../../shared/domain/memory-info'
import type { ToolServerInfo, ToolSettings, ToolSummary } from '../../../../shared/domain/tool'
import { Button } from '../../../components/button'
import { ErrorNotice } from '../../../components/error-notice'
import { Loading } from '../../../components/loading'
import { TitledSection } from '../../../ground/titled-section'
import { useServices, useStored } from '../../../stores/use-services'
import { FolderList, LineRow, NumberRow, SettingRow, SwitchRow } from '../../../ground/setting-row'
import { ServerDialog } from './server-dialog'
import { ServerRow, TryDialog } from './server-row'

type Shown =
  | { readonly kind: 'edit'; readonly server: ToolServerInfo | null }
  | { readonly kind: 'try'; readonly serverId: string; readonly tool: ToolSummary }

/** Settings of tools that are a line of text. */
const LINES = [
  {
    key: 'searxng',
    title: 'Web search',
    text: 'Address of a SearXNG instance. It is asked only while the network is on.',
    name: 'Address of the SearXNG instance',
    example: 'http://localhost:8080',
  },
  {
    key: 'captionModel',
    title: 'Pictures, recordings and films',
    text: 'A model of a server that sees or hears. Without one, captions answer that they are not available.',
    name: 'Model that sees or hears',
    example: 'openai:qwen2.5-vl@http://localhost:8080/v1',
  },
] as const

/** Tools that agents may use: their servers, and what those may reach. */
export function ToolsSection({ settings }: { settings: Settings }) {
  const { settings: store, tools } = useServices()
  const { servers, problem, load } = useStored('tools')
  const [view, setShown] = useState<Shown | null>(null)
  useEffect(() => void tools.getState().load(), [tools])
  const save = (change: Partial<ToolSettings>) =>
    store.getState().save({ tools: { ...settings.tools, ...change } })
  return (
    <TitledSection
      title="Tools"
      lead="MCP servers that agents may use. A tool that a run does not allow is asked for first."
      action={
        <Button icon={Plus} onClick={() => setShown({ kind: 'edit', server: null })}>
          Add server
        </Button>
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void load()} /> : null}
      {servers ? (
        <ul className="divide-y rounded-lg border bg-surface">
          {servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              onEdit={() => setShown({ kind: 'edit', server })}
              onTry={(tool) => setShown({ kind: 'try', serverId: server.id, tool })}
            />
          ))}
        </ul>
      ) : problem ? null : (
        <Loading what="the tool servers" />
      )}
      <div className="divide-y rounded-lg border bg-surface">
        <SettingRow
          title="Folders to read"
          text="Documents and search may read these, beside a task’s own files. Nothing is written to them."
          wide
        >
          <FolderList
            purpose="to read"
            folders={settings.tools.folders}
            onChange={async (folders) => {
              await save({ folders })
            }}
          />
        </SettingRow>
        {LINES.map(({ key, ...words }) => (
          <LineRow
            key={key}
            {...words}
            value={settings.tools[key]}
            onChange={(value) => void save({ [key]: value })}
          />
        ))}
        <SwitchRow
          title="Pages on this machine and the local network"
          name="Private pages"
          text="Off: only public addresses are read, so that a task cannot look around at home."
          checked={settings.tools.privatePages}
          onChange={(privatePages) => void save({ privatePages })}
        />
        <NumberRow
          title="Time for a call"
          name="Seconds for a call"
          text="Seconds after which a tool is told to stop."
          value={settings.tools.callSeconds}
          bounds={BOUNDS.callSeconds}
          onChange={(callSeconds) => void save({ callSeconds })}
        />
      </div>
      {view?.kind === 'edit' ? <ServerDialog server={view.server} onClose={() => setShown(null)} /> : null}
      {view?.kind === 'try' ? (
        <TryDialog serverId={view.serverId} tool={view.tool} onClose={() => setShown(null)} />
      ) : null}
    </TitledSection>
  )
}
