import { Download, FileBox, Play, Plug } from '../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import { cannotWrite } from '../../shared/domain/model'
import { advisedSpeedWords, type AdvisedModel, type Machine } from '../../shared/domain/model-advice'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'
import { formatBytes, formatCount } from '../components/format'
import { Loading } from '../components/loading'
import { GoLink } from './go-to'
import { TitledSection } from './titled-section'
import { useAttempt } from './use-attempt'
import { useQuery } from './use-query'
import { useServices } from '../stores/use-services'
import type { LocalServer } from '../../shared/domain/model-server'

/** One choice for who has no model yet: one that suits this machine, a file, a server, or the demo. Nothing once there is a model. */
export function FirstModel({ onFile }: { onFile(): void }) {
  const { client, models, runs, ui } = useServices()
  const { data } = useStore(models)
  const isBare = data?.every((model) => model.demo || cannotWrite(model) !== null) === true
  const advice = useQuery('advice', isBare ? () => client.models.advice() : null)
  if (!isBare) return null
  const best = advice.data?.models.find(({ id }) => id === advice.data?.best)
  const watchDemo = () => {
    ui.getState().go('run')
    void runs.getState().startDemo()
  }
  return (
    <TitledSection title="Your first model" lead="No model that answers everyday asks is here yet.">
      <div className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
        {/* As high as what comes: what stands below keeps its place. */}
        <div className="flex min-h-44 flex-col gap-3">
          {advice.problem ? <ErrorNotice problem={advice.problem} onRetry={advice.reload} /> : null}
          {advice.loading && !advice.data ? <Loading what="what this machine has" /> : null}
          {advice.data ? (
            <>
              <p className="text-sm text-muted">
                {machineWords(advice.data.machine)} The list of models was written on {advice.data.written}.
              </p>
              {best ? (
                <Suggestion model={best} />
              ) : (
                <p className="text-sm">No known model fits into this machine. A server can answer instead.</p>
              )}
              <MeasureAgain busy={advice.data.machine.busy} onMeasured={advice.reload} />
            </>
          ) : null}
        </div>
        <LocalServers />
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <Button icon={FileBox} onClick={onFile}>
            Choose a file
          </Button>
          <Button icon={Play} onClick={watchDemo}>
            Watch the demo
          </Button>
        </div>
      </div>
    </TitledSection>
  )
}

/** What was measured is kept; whoever thinks that the machine was busy then has it measured anew. */
function MeasureAgain(props: { readonly busy: boolean; onMeasured(): void }) {
  const { client } = useServices()
  const { attempt, busy, problem } = useAttempt()
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <Button
        size="small"
        disabled={busy}
        onClick={() =>
          void attempt(async () => {
            await client.models.measureMachine()
            props.onMeasured()
          })
        }
      >
        Measure again
      </Button>
      <span className="text-muted">
        {props.busy
          ? 'Other programs worked while it was measured. It may be faster.'
          : 'How fast this machine reads memory was measured once.'}
      </span>
      {problem ? <ErrorNotice problem={problem} /> : null}
    </div>
  )
}

/** Ollama and LM Studio on this machine, asked only when a person says so; one of their models is taken for asks. */
function LocalServers() {
  const { client, asks, models, ui } = useServices()
  const { attempt, busy, problem } = useAttempt()
  const [records, setRecords] = useState<readonly LocalServer[] | null>(null)
  const look = () => attempt(async () => setRecords(await client.servers.look()))
  const take = ({ server }: LocalServer, name: string) =>
    attempt(async () => {
      const list = await client.servers.list()
      // The same address under another name is the same server, and keeps its name.
      const same = list.find(({ url }) => url === server.url)
      const place = same ?? { ...server, name: freeName(server.name, list) }
      if (!same) await client.servers.save({ server: place })
      void models.getState().reload()
      asks.getState().write({ model: `${place.provider}:${name}@${place.name}`, world: null })
      ui.getState().go('ask')
    })
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        {/* Never off: the focus stays on it, and what is found is the next stop of Tab. */}
        <Button icon={Plug} onClick={() => void (busy || look())}>
          Look for Ollama and LM Studio
        </Button>
        <span className="text-muted">Asks two addresses on this machine, nothing else.</span>
      </div>
      {problem ? <ErrorNotice problem={problem} /> : null}
      {records?.length === 0 ? (
        <p role="status">Neither answers. Start one of them, then look again.</p>
      ) : null}
      {records?.map((record) => (
        <div key={record.server.url} role="status" className="flex flex-wrap items-center gap-2">
          <span>
            {record.problem
              ? `At the address of ${record.title} something answers otherwise. ${record.problem.cause}`
              : record.models.length === 0
                ? `${record.title} answers. It has no models that write yet.`
                : `${record.title} answers. Choose the model for your asks:`}
          </span>
          {record.models.map((name) => (
            <Button key={name} size="small" disabled={busy} onClick={() => void take(record, name)}>
              Use {name}
            </Button>
          ))}
        </div>
      ))}
    </div>
  )
}

/** A name that no server has yet. */
function freeName(name: string, list: readonly { readonly name: string }[]): string {
  const isFree = (one: string) => list.every((server) => server.name !== one)
  let number = 1
  while (!isFree(number === 1 ? name : `${name}-${number}`)) number += 1
  return number === 1 ? name : `${name}-${number}`
}

function Suggestion({ model }: { model: AdvisedModel }) {
  const { client, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const { attempt, busy, problem } = useAttempt()
  const { name, repo, quantization, sizeBytes, licence, contextSize, can, seat } = model
  const fit = [seat === 'gpu' ? 'fits on the graphics card' : 'fits', advisedSpeedWords(model)]
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="min-w-64 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">
          About {formatBytes(sizeBytes)}, {fit.filter((part) => part !== null).join(', ')}. Reads{' '}
          {formatCount(contextSize)} tokens{abilityWords(can)}. Licence {licence}.
        </p>
        {network ? null : (
          <p className="text-sm text-muted">
            The network is off, so nothing is fetched. <GoLink to="settings">Turn it on in Settings</GoLink>
          </p>
        )}
        {problem ? <ErrorNotice problem={problem} /> : null}
      </div>
      <Button
        look="primary"
        icon={Download}
        disabled={!network || busy}
        onClick={() => void attempt(() => client.downloads.add({ repo, choice: quantization }))}
      >
        Get it from Hugging Face
      </Button>
    </div>
  )
}

/** What a file's model is used for here besides writing: pictures are shown to models of servers alone. */
const abilityWords = (can: AdvisedModel['can']): string =>
  [
    can.includes('tools') ? ', uses tools' : '',
    can.includes('thinking') ? ', thinks before it answers' : '',
  ].join('')

const machineWords = ({ ramBytes, vramBytes, cores }: Machine): string =>
  `This machine has ${formatBytes(ramBytes)} of memory, ${vramBytes === null ? 'no graphics card that Loam can use' : `${formatBytes(vramBytes)} on the graphics card`} and ${cores} processors.`
