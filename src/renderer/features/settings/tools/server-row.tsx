import { ChevronDown, ChevronRight, Pencil, Play, Plug, Trash2 } from '../../../components/icons'
import { useState } from 'react'
import type { ToolServerInfo, ToolSummary } from '../../../../shared/domain/tool'
import type { LoamErrorShape } from '../../../../shared/errors'
import type { LoamClient } from '../../../client-type'
import { Badge } from '../../../components/badge'
import { Button } from '../../../components/button'
import { Dialog } from '../../../components/dialog'
import { ErrorNotice } from '../../../components/error-notice'
import { Form } from '../../../components/form'
import { IconButton } from '../../../components/icon-button'
import { Switch } from '../../../components/switch'
import { Verbatim } from '../../../components/verbatim'
import { TextArea } from '../../../ground/text-field'
import { errorShape } from '../../../stores/error-shape'
import { useServices, useStored } from '../../../stores/use-services'

export interface ServerRowProps {
  server: ToolServerInfo
  onEdit(): void
  onTry(tool: ToolSummary): void
}

/** A server: whether it is on, whether it works, and its tools once it was tested. */
export function ServerRow({ server, onEdit, onTry }: ServerRowProps) {
  const { tools } = useServices()
  const testing = useStored('tools', (state) => state.testing.includes(server.id))
  const [open, setOpen] = useState(false)
  const { title, about, status } = server
  const test = async () => {
    await tools.getState().test(server.id)
    setOpen(true)
  }
  const Arrow = open ? ChevronDown : ChevronRight
  return (
    <li className="p-2 pl-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{title}</span>
            {server.own ? <Badge>{server.own.kind === 'http' ? 'Address' : 'Program'}</Badge> : null}
            {status.kind === 'failed' ? <Badge tone="danger">Does not start</Badge> : null}
            {status.kind === 'ready' ? (
              <button
                type="button"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
                className="inline-flex items-center gap-1 rounded text-xs text-muted hover:text-ink"
              >
                <Arrow size={12} aria-hidden />
                {status.tools.length === 1 ? '1 tool' : `${status.tools.length} tools`}
              </button>
            ) : null}
          </span>
          <span className="block truncate text-sm text-muted" title={about}>
            {about}
          </span>
        </span>
        <span className="flex items-center gap-1">
          <IconButton
            icon={Plug}
            label={testing ? `Testing ${title}` : `Test ${title}`}
            disabled={testing}
            className={testing ? 'animate-pulse' : undefined}
            onClick={() => void test()}
          />
          {server.own ? (
            <>
              <IconButton icon={Pencil} label={`Edit ${title}`} onClick={onEdit} />
              <IconButton
                icon={Trash2}
                label={`Remove ${title}`}
                onClick={() => void tools.getState().remove(server.id)}
              />
            </>
          ) : null}
          <span className="ml-2 flex">
            <Switch
              label={`Use ${title}`}
              checked={server.enabled}
              onChange={(enabled) => void tools.getState().enable(server.id, enabled)}
            />
          </span>
        </span>
      </div>
      {status.kind === 'failed' ? (
        <p className="mt-1 text-sm break-words text-danger">{status.reason}</p>
      ) : null}
      {open && status.kind === 'ready' ? (
        <ul className="mt-1 divide-y border-t">
          {status.tools.map((tool) => (
            <li key={tool.name} className="flex items-center gap-3 py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block font-mono text-xs">{tool.name}</span>
                <span className="line-clamp-2 text-sm text-muted" title={tool.needs}>
                  {tool.description}
                </span>
              </span>
              <IconButton icon={Play} label={`Try ${tool.name}`} onClick={() => onTry(tool)} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** Arguments to begin with: the tool's own example, else every one that has to be given, as an empty value of its type. */
function firstArguments({ inputSchema, example }: ToolSummary): string {
  if (example) return JSON.stringify(example, null, 2)
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, { type?: string }>
    required?: string[]
  }
  const valueOf = (type: string | undefined) =>
    type === 'number' || type === 'integer' ? 0 : type === 'boolean' ? false : ''
  return JSON.stringify(
    Object.fromEntries(required.map((name) => [name, valueOf(properties[name]?.type)])),
    null,
    2,
  )
}

function readArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

type ToolOutcome = Awaited<ReturnType<LoamClient['tools']['try']>>

/** Calls one tool with arguments the person writes, and shows what it answers. */
export function TryDialog(props: { serverId: string; tool: ToolSummary; onClose(): void }) {
  const { client } = useServices()
  const [text, setText] = useState(() => firstArguments(props.tool))
  const [working, setWorking] = useState(false)
  const [outcome, setOutcome] = useState<ToolOutcome | LoamErrorShape | null>(null)
  const args = readArguments(text)
  const call = async () => {
    if (args === null) return
    setWorking(true)
    setOutcome(await client.tools.try({ id: props.serverId, tool: props.tool.name, args }).catch(errorShape))
    setWorking(false)
  }
  return (
    <Dialog onClose={props.onClose} title={`Try ${props.tool.name}`} description={props.tool.description}>
      <Form className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4" onSubmit={() => void call()}>
        <TextArea
          label="Arguments, as JSON"
          hint={args === null ? 'This is not a JSON object yet.' : undefined}
          rows={6}
          value={text}
          onChange={(next) => setText(next)}
          code
        />
        <div className="flex justify-end">
          <Button look="primary" type="submit" disabled={args === null || working}>
            {working ? 'Working...' : 'Call it'}
          </Button>
        </div>
        {outcome === null ? null : 'code' in outcome ? (
          <ErrorNotice problem={outcome} />
        ) : (
          <section aria-label="Answer" className="flex flex-col gap-1">
            <span className="flex items-center gap-2 text-sm text-muted">
              <Badge tone={outcome.failed ? 'failed' : 'solved'}>
                {outcome.failed ? 'Failed' : 'Answered'}
              </Badge>
              in {outcome.wallMs} ms
            </span>
            <Verbatim label="What it answered" scroll>
              {outcome.text}
            </Verbatim>
          </section>
        )}
      </Form>
    </Dialog>
  )
}
