import { useState } from 'react'
import type { ClientChange, ConnectedClient } from '../../../shared/domain/connected-client'
import { Badge } from '../../components/badge'
import { SmallFold } from '../../components/fold'
import { Switch } from '../../components/switch'
import { Verbatim } from '../../components/verbatim'
import { FormDialog } from '../../ground/form-dialog'
import { RefusedNotice } from '../../ground/refused-notice'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { SettingRow } from '../../ground/setting-row'

const STATES = {
  connected: { tone: 'accent', words: 'Connected' },
  found: { tone: 'neutral', words: 'Found' },
  'not-found': { tone: 'neutral', words: 'Not found' },
} as const

/** Keeps the states of all rows in line. */
const NO_SWITCH = <span className="w-9 shrink-0" />

const Proxied = ({ how }: { how: string }) => (
  <>
    Serve the memory proxy below: it says URL and KEY.
    <span className="block font-mono text-xs break-words">{how}</span>
  </>
)

/** Programs on this machine that My memory can be put into, each with a switch. */
export function ClientsSection() {
  const { client } = useServices()
  const { problem, busy, clear, attempt } = useAttempt()
  const { data: list, reload, unread } = useQuery('clients', () => client.sharing.clients())
  const [planned, setPlanned] = useState<{ of: ConnectedClient; change: ClientChange } | null>(null)
  const [outcome, setOutcome] = useState<{ of: string; words: readonly string[] } | null>(null)
  const here = list?.clients.filter(({ state }) => state !== 'not-found') ?? []
  const elsewhere = list?.clients.filter(({ state }) => state === 'not-found') ?? []
  const turn = (one: ConnectedClient, on: boolean) =>
    attempt(async () => {
      setOutcome(null)
      if (on) return setPlanned({ of: one, change: await client.sharing.previewClient({ id: one.id }) })
      const { words } = await client.sharing.disconnectClient({ id: one.id })
      setOutcome({ of: one.id, words })
      reload()
    })
  const write = (id: string, digest: string) =>
    refusalOf(
      client.sharing.connectClient({ id, digest }).then(({ words }) => {
        setOutcome({ of: id, words })
        reload()
      }),
    )
  return (
    <TitledSection
      title="Other agents with My memory"
      lead="An agent that is connected reads My memory and writes into it, in all folders. You see what changes in its settings before it is written."
    >
      <RefusedNotice problem={problem} onDismiss={clear} />
      {list ? (
        <ul className="divide-y rounded-lg border bg-surface">
          {here.map((one) => (
            <ClientRow
              key={one.id}
              of={one}
              busy={busy}
              outcome={outcome?.of === one.id ? outcome.words : []}
              onTurn={(on) => void turn(one, on)}
            />
          ))}
          {list.byProxy.map(({ id, title, how }) => (
            <li key={id}>
              <SettingRow title={title} text={<Proxied how={how} />}>
                <Badge>By the proxy</Badge>
                {NO_SWITCH}
              </SettingRow>
            </li>
          ))}
          {elsewhere.length > 0 ? (
            <li className="p-4">
              <SmallFold
                title={`Not found on this machine: ${elsewhere.map(({ title }) => title).join(', ')}`}
                look="text-sm text-muted hover:text-ink"
              >
                <dl className="mt-2 flex flex-col gap-2">
                  {elsewhere.map(({ id, title, files }) => (
                    <div key={id}>
                      <dt className="text-sm">{title}, looked for at</dt>
                      <FileNames of="dd" files={files} />
                    </div>
                  ))}
                </dl>
              </SmallFold>
            </li>
          ) : null}
        </ul>
      ) : (
        unread('the other agents')
      )}
      {planned ? (
        <FormDialog
          title={`Connect ${planned.of.title}`}
          description={`${planned.of.title}, and the model it uses wherever that runs, may then read all of My memory and write into it.`}
          className="w-[min(760px,calc(100vw-32px))]"
          submit={{ label: 'Write this', busy: 'Trying the memory…' }}
          note="The memory is tried first. The files as they are now are kept until you switch it off."
          onSubmit={() => write(planned.of.id, planned.change.digest)}
          onClose={() => setPlanned(null)}
        >
          {planned.change.diffs.map((diff, index) => (
            <div key={index} className="shrink-0">
              <Verbatim label={`Change of ${planned.of.files[index] ?? 'a file'}`} scroll>
                <Diff text={diff} />
              </Verbatim>
            </div>
          ))}
        </FormDialog>
      ) : null}
    </TitledSection>
  )
}

/** A patch: lines that come and go have a colour beside their sign. */
function Diff({ text }: { text: string }) {
  return text
    .split('\n')
    .filter((line) => !/^(=====|Index:)/.test(line))
    .map((line, index) => (
      <span key={index} className={classOf(line)}>
        {`${line}\n`}
      </span>
    ))
}

const classOf = (line: string): string =>
  /^(\+\+\+|---) /.test(line)
    ? 'text-muted'
    : line.startsWith('+')
      ? 'text-solved'
      : line.startsWith('-')
        ? 'text-failed'
        : 'text-muted'

function FileNames({ of: Part, files }: { of: 'span' | 'dd'; files: readonly string[] }) {
  return files.map((file) => (
    <Part key={file} className="block font-mono text-xs break-all">
      {file}
    </Part>
  ))
}

function ClientRow(props: {
  of: ConnectedClient
  busy: boolean
  /** What came of the last change of it; empty before. */
  outcome: readonly string[]
  onTurn(on: boolean): void
}) {
  const { title, state, files, connectedAt, oneFolder } = props.of
  const isOn = state === 'connected'
  const since = connectedAt === null ? null : `Since ${connectedAt.slice(0, 10)}`
  const text = (
    <>
      <FileNames of="span" files={files} />
      {since === null ? null : `${since}${oneFolder ? ', in this folder alone.' : '.'}`}
      <span role="status" className="block break-words text-ink empty:hidden">
        {props.outcome.join(' ')}
      </span>
    </>
  )
  return (
    <li>
      <SettingRow title={title} text={text}>
        <Badge tone={STATES[state].tone}>{STATES[state].words}</Badge>
        <Switch
          label={oneFolder ? `Connect ${title} in ${files.join(', ')}` : `Connect ${title}`}
          checked={isOn}
          onChange={(on) => {
            if (!props.busy) props.onTurn(on)
          }}
        />
      </SettingRow>
    </li>
  )
}
