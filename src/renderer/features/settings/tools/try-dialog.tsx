import { useState } from 'react'
import type { ToolSummary } from '../../../../shared/domain/tool'
import type { LoamErrorShape } from '../../../../shared/errors'
import { Badge } from '../../../components/badge'
import { Button } from '../../../components/button'
import { Dialog } from '../../../components/dialog'
import { ErrorNotice } from '../../../components/error-notice'
import { Form } from '../../../components/form'
import { Verbatim } from '../../../components/verbatim'
import { TextArea } from '../../../ground/text-field'
import type { ToolOutcome } from '../../../stores/tools'
import { useServices } from '../../../stores/use-services'

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

/** Calls one tool with arguments the person writes, and shows what it answers. */
export function TryDialog(props: { serverId: string; tool: ToolSummary; onClose(): void }) {
  const { tools } = useServices()
  const [text, setText] = useState(() => firstArguments(props.tool))
  const [working, setWorking] = useState(false)
  const [outcome, setOutcome] = useState<ToolOutcome | LoamErrorShape | null>(null)
  const args = readArguments(text)
  const call = async () => {
    if (args === null) return
    setWorking(true)
    setOutcome(await tools.getState().tryTool(props.serverId, props.tool.name, args))
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
