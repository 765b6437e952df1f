import { Download, FileBox, Play } from 'lucide-react'
import { useStore } from 'zustand'
import { cannotWrite } from '../../../shared/domain/model'
import type { AdvisedModel, Machine } from '../../../shared/domain/model-advice'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, formatCount } from '../../components/format'
import { Loading } from '../../components/loading'
import { GoLink } from '../../ground/go-to'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

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
    <TitledSection
      title="Your first model"
      lead={
        advice.data
          ? `${machineWords(advice.data.machine)} The list of models was written on ${advice.data.written}.`
          : 'No model that answers everyday asks is here yet.'
      }
    >
      {advice.problem ? <ErrorNotice problem={advice.problem} onRetry={advice.reload} /> : null}
      {advice.loading && !advice.data ? <Loading what="what this machine has" /> : null}
      <div className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
        {best ? <Suggestion model={best} /> : null}
        {advice.data && !best ? (
          <p className="text-sm">No known model fits into this machine. A server can answer instead.</p>
        ) : null}
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <Button icon={FileBox} onClick={onFile}>
            Choose a file
          </Button>
          <Button icon={Play} onClick={watchDemo}>
            Watch the demo
          </Button>
          <span className="text-muted">
            Models of Ollama and LM Studio on this machine are found by themselves; a server can be added
            below.
          </span>
        </div>
      </div>
    </TitledSection>
  )
}

function Suggestion({ model }: { model: AdvisedModel }) {
  const { client, settings } = useServices()
  const network = useStore(settings, (state) => state.settings?.network ?? false)
  const { attempt, busy, problem } = useAttempt()
  const { name, repo, quantization, sizeBytes, licence, contextSize, can, tokensPerSecond, seat } = model
  const speed =
    seat === 'gpu'
      ? 'fits on the graphics card'
      : tokensPerSecond === null
        ? 'fits'
        : `fits, about ${Math.max(1, Math.round(tokensPerSecond))} tokens a second`
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="min-w-64 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">
          About {formatBytes(sizeBytes)}, {speed}. Reads {formatCount(contextSize)} tokens
          {can.length > 0 ? `, ${can.join(', ')}` : ''}. Licence {licence}.
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

const machineWords = ({ ramBytes, vramBytes, cores }: Machine): string =>
  `This machine has ${formatBytes(ramBytes)} of memory, ${vramBytes === null ? 'no graphics card that Loam can use' : `${formatBytes(vramBytes)} on the graphics card`} and ${cores} processors.`
