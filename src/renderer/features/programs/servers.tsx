import { Play, Square } from '../../components/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { cannotWrite } from '../../../shared/domain/model'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { SwitchLine } from '../../components/switch'
import { ModelChoice } from '../../ground/model-choice'
import { SelectField } from '../../ground/select'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { Served } from './served'

const EVERY_MS = 2_000

const KINDS = [
  {
    value: 'memory',
    label: 'Memory server (MCP)',
    detail: 'Claude Code, Claude Desktop, Cursor, VS Code, Codex, smolagents',
  },
  {
    value: 'proxy',
    label: 'Memory proxy',
    detail: 'any program that speaks OpenAI’s protocol, with a model of yours',
  },
  { value: 'experiences', label: 'Agent KB', detail: 'programs that use its own protocol' },
] as const
type Kind = (typeof KINDS)[number]['value']

/** Ports that programs look at by themselves; 0 takes any. */
const PORTS: Readonly<Record<Kind, number>> = { memory: 0, proxy: 0, experiences: 8000 }

/** The model that a proxy asks: what was chosen, else one for real work, else the demo's. */
function useModel() {
  const usable = (useStored('models', ({ data }) => data) ?? []).filter((one) => cannotWrite(one) === null)
  const [choice, setChosen] = useState<string | null>(null)
  const own = usable.find(({ demo }) => !demo) ?? usable[0]
  const value = choice ?? own?.path ?? null
  const demo = usable.some((one) => one.path === value && one.demo)
  const hint = demo ? 'A tiny specialist for the demo worlds, not for real work.' : null
  return { value, hint, onChange: setChosen }
}

/** What is served to other programs on this machine, and starting more of it. */
export function Servers({ memory }: { readonly memory: MemoryInfo }) {
  const { client } = useServices()
  const [what, setWhat] = useState<Kind>('memory')
  const [write, setWrite] = useState(false)
  const [hold, setHold] = useState(true)
  const [tokenless, setTokenless] = useState(false)
  const [newId, setNewId] = useState<string | null>(null)
  const model = useModel()
  const { attempt, busy, problem: failure } = useAttempt()
  const { data, unread, reload } = useQuery('served', () => client.sharing.served())
  const again = useEffectEvent(reload)
  useEffect(() => {
    const timer = setInterval(() => again(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const change = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) reload()
  }
  const start = () =>
    change(async () => {
      const { id } = await client.sharing.start({
        memoryId: memory.id,
        what,
        port: PORTS[what],
        write,
        hold: write && hold,
        tokenless: what === 'experiences' && tokenless,
        model: what === 'proxy' ? model.value : null,
      })
      setNewId(id)
    })
  return (
    <>
      <TitledSection
        title="Serve this memory"
        lead="To programs on this machine, until you stop it or close Loam. Every request needs its key; nothing is reached from elsewhere."
        action={
          <Button
            look="primary"
            icon={Play}
            disabled={busy || (what === 'proxy' && model.value === null)}
            onClick={() => void start()}
          >
            {busy ? 'Starting…' : 'Start serving'}
          </Button>
        }
      >
        {failure ? <ErrorNotice problem={failure} /> : null}
        <div className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
          <SelectField<Kind>
            label="What to serve"
            width="max-w-96"
            value={what}
            options={KINDS}
            onChange={setWhat}
          />
          {what === 'proxy' ? (
            <div className="max-w-96">
              <ModelChoice {...model} />
            </div>
          ) : (
            <SwitchLine
              label="Programs may write"
              checked={write}
              onChange={setWrite}
              detail={
                what === 'memory'
                  ? 'Attempts, and reports on what helped; each under the program’s name.'
                  : 'New experiences, under the name of the key.'
              }
            />
          )}
          {what === 'memory' && write ? (
            <SwitchLine label="Hold what they write until I have looked" checked={hold} onChange={setHold} />
          ) : null}
          {what === 'experiences' ? (
            <SwitchLine
              label="Answer programs that send no key"
              checked={tokenless}
              onChange={setTokenless}
              detail="Its released client knows no keys. Any program on this machine may then ask."
            />
          ) : null}
        </div>
      </TitledSection>
      <TitledSection title="Served now">
        {data ? null : unread('what is served')}
        {data?.length === 0 ? <p className="text-sm text-muted">Nothing is served.</p> : null}
        {data?.map((one) => (
          <Served
            key={one.id}
            served={one}
            isNew={one.id === newId}
            stop={
              <Button
                size="small"
                icon={Square}
                disabled={busy}
                onClick={() => void change(() => client.sharing.stop({ id: one.id }))}
              >
                Stop
              </Button>
            }
          />
        ))}
      </TitledSection>
    </>
  )
}
