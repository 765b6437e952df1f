import { useState } from 'react'
import type { OwnServer, ToolServerInfo } from '../../../../shared/domain/tool'
import { TextArea, TextField } from '../../../ground/text-field'
import { FormDialog } from '../../../ground/form-dialog'
import { optionsOf } from '../../../components/options'
import { Segmented } from '../../../components/segmented'
import { useServices } from '../../../stores/use-services'

const KINDS = optionsOf({ process: 'Program', http: 'Address' })

const WORDS = {
  process: {
    where: {
      label: 'Command',
      hint: 'It runs as you, with all you may do. Add only programs you trust.',
      placeholder: 'npx',
    },
    secrets: { label: 'Environment variables', placeholder: 'API_KEY=...' },
  },
  http: {
    where: {
      label: 'Address',
      hint: 'Beyond this machine only while the network is on.',
      placeholder: 'http://localhost:3000/mcp',
    },
    secrets: { label: 'Headers', placeholder: 'Authorization=Bearer ...' },
  },
} as const

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** "NAME=value" lines; a line of only a name keeps the value there is. */
function readSecrets(text: string): { names: string[]; values: Record<string, string> } {
  const pairs = lines(text).map((line) => {
    const at = line.indexOf('=')
    return at < 0
      ? { name: line, value: null }
      : { name: line.slice(0, at).trim(), value: line.slice(at + 1) }
  })
  return {
    names: [...new Set(pairs.map(({ name }) => name))],
    values: Object.fromEntries(pairs.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
  }
}

/** Adds a server of the person's own, or changes one. */
export function ServerDialog({ server, onClose }: { server: ToolServerInfo | null; onClose(): void }) {
  const { tools } = useServices()
  const own = server?.own ?? null
  const [id, setId] = useState(server?.id ?? '')
  const [kind, setKind] = useState<'process' | 'http'>(own?.kind ?? 'process')
  const [where, setWhere] = useState({
    process: own?.kind === 'process' ? own.command : '',
    http: own?.kind === 'http' ? own.url : '',
  })
  const [args, setArgs] = useState(own?.kind === 'process' ? own.args.join('\n') : '')
  const [secrets, setSecrets] = useState(own?.secrets.join('\n') ?? '')

  const save = async () => {
    const { names, values } = readSecrets(secrets)
    const at: OwnServer['at'] =
      kind === 'http'
        ? { kind, url: where.http.trim(), secrets: names }
        : { kind, command: where.process.trim(), args: lines(args), secrets: names }
    const failure = await tools
      .getState()
      .save({ id: id.trim(), enabled: server?.enabled ?? true, at }, values, server === null)
    if (!failure) void tools.getState().test(id.trim())
    return failure
  }

  const words = WORDS[kind]
  return (
    <FormDialog
      title={server ? `Edit ${server.id}` : 'Add a tool server'}
      description="Any MCP server: a program that Loam starts, or one that listens at an address."
      submit={{ label: 'Save and test', busy: 'Saving…' }}
      ready={id.trim() !== '' && where[kind].trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <TextField
            label="Name"
            value={id}
            maxLength={31}
            spellCheck={false}
            disabled={server !== null}
            placeholder="For example: calendar"
            onChange={(next) => setId(next)}
          />
        </div>
        <Segmented label="Kind of server" value={kind} options={KINDS} onChange={(next) => setKind(next)} />
      </div>
      <TextField
        {...words.where}
        value={where[kind]}
        spellCheck={false}
        onChange={(next) => setWhere({ ...where, [kind]: next })}
      />
      {kind === 'process' ? (
        <TextArea label="Arguments, one a line" rows={3} value={args} onChange={setArgs} code />
      ) : null}
      <TextArea
        {...words.secrets}
        hint="NAME=value, one a line. Values are kept apart from the settings and never shown again; a name alone keeps its value."

        rows={2}
        autoComplete="off"
        value={secrets}
        onChange={setSecrets}
        code
      />
    </FormDialog>
  )
}
