import { Activity, MessageCircle, TriangleAlert, X } from '../../components/icons'
import { useEffect, useId, type ReactNode } from 'react'
import { useStore } from 'zustand'
import {
  changedPromptsText,
  fitWords,
  speedWords,
  threadWords,
  type LoadedModel,
  type ModelInfo,
  type ModelSpeed,
} from '../../../shared/domain/model'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { formatBytes, formatCount, formatWhen } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'
import { ModelProfileForm } from './model-profile'

/** One model: what it is, where it was found, whether it fits, and why it cannot be used if so. */
export function ModelCard({ model }: { model: ModelInfo }) {
  const { engine } = useServices()
  const titleId = useId()
  const resource = useStore(engine, (state) => state.data?.models?.find(({ path }) => path === model.path))
  const speed = resource?.speed ?? model.speed
  const change = changedPromptsText(model)
  const names = [model.id, ...(model.aliases ?? [])].filter((name) => name !== undefined)
  return (
    <li className="flex flex-wrap items-start gap-4 rounded-lg border bg-surface p-4">
      <div className="min-w-64 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 id={titleId} className="font-medium break-words">
            {model.name}
          </h3>
          {model.demo ? <Badge tone="accent">Demo model</Badge> : null}
          {model.base ? <Badge>Base model</Badge> : null}
          {model.embedding === undefined ? null : <Badge>Compares texts</Badge>}
          {model.foundIn === undefined ? null : <Badge>{model.foundIn}</Badge>}
          {resource ? <Badge tone="solved">Loaded, {formatCount(resource.contextSize)} tokens</Badge> : null}
          {model.problem ? <Badge tone="danger">Not usable</Badge> : null}
        </div>
        <p className="mt-0.5 text-sm text-muted">{factsOf(model).join(' · ')}</p>
        {resource ? <Threads resource={resource} /> : <Fit model={model} />}
        {speed ? <Speed speed={speed} /> : null}
        {measurable(model) ? (
          <ModelProfileForm path={model.path} served={model.sizeBytes === 0} titleId={titleId} />
        ) : null}
        {model.demo ? (
          <p className="mt-1 text-sm">
            A tiny specialist for the demo streams. For real work, use a model of your own.
          </p>
        ) : null}
        {change ? <Warning>{change}</Warning> : null}
        {model.problem ? <Warning>{model.problem}</Warning> : null}
        {names.length > 0 ? (
          <p className="mt-1 text-xs text-muted">
            Called <span className="font-mono break-all">{names.join(', ')}</span>
          </p>
        ) : null}
        <p className="mt-1 font-mono text-xs break-all text-muted">{model.path}</p>
      </div>
      <Actions model={model} titleId={titleId} />
    </li>
  )
}

/** What a loaded model is worked out with, and where that is chosen. */
const Threads = ({ resource: { threads, processes, gpuLayers } }: { resource: LoadedModel }) => (
  <p className="mt-0.5 text-sm text-muted">
    {`Works with ${threadWords(threads)}${processes > 1 ? ` in each of ${processes} processes` : ''}${gpuLayers > 0 ? ` and ${gpuLayers} layers on the GPU` : ''}. Settings can change that.`}
  </p>
)

/** What came of the trial when it was loaded. */
const Speed = ({ speed }: { speed: ModelSpeed }) => (
  <p className="mt-0.5 text-sm text-muted">
    {`On this machine it ${speedWords(speed)}. Tried ${formatWhen(speed.at)}.`}
  </p>
)

/** Encoders write nothing, and the demo model answers no questions. */
const measurable = ({ problem, embedding, demo }: ModelInfo): boolean =>
  problem === null && embedding === undefined && !demo

function factsOf(model: ModelInfo): string[] {
  const served = model.sizeBytes === 0
  const facts = [
    served ? 'on a model server' : formatBytes(model.sizeBytes),
    model.parts === undefined ? null : `in ${model.parts} parts`,
    model.quantization,
    model.architecture,
    model.trainContext === null ? null : `trained on ${formatCount(model.trainContext)} tokens`,
    model.chatTemplate === false && model.embedding === undefined ? 'no chat template' : null,
    model.license === null ? (served ? null : 'licence not stated') : `licence ${model.license}`,
  ]
  return facts.filter((fact) => fact !== null && fact !== undefined)
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="mt-1 flex gap-1.5 text-sm text-danger">
    <TriangleAlert size={14} aria-hidden className="mt-0.75 shrink-0" />
    <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
  </p>
)

/** Weights, cache and compute against what is free, before anything is loaded. */
function Fit({ model }: { model: ModelInfo }) {
  const { fits } = useServices()
  const isWanted = model.problem === null && model.sizeBytes > 0 && model.embedding === undefined
  const fit = useStore(fits, (state) => state.byPath[model.path])
  useEffect(() => {
    if (isWanted) fits.getState().ask(model.path)
  }, [fits, isWanted, model.path, fit])
  if (!isWanted || fit === null) return null
  if (fit === undefined) return <p className="mt-0.5 text-sm text-faint">Measuring what it would take…</p>
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {fit.fits ? <Badge tone="solved">Fits</Badge> : <Badge tone="danger">Does not fit</Badge>}
      <span className="min-w-0 text-muted">{fitWords(fit)}</span>
    </p>
  )
}

function Actions({ model, titleId }: { model: ModelInfo; titleId: string }) {
  const { client, asks, runForm, ui, models, settings, toasts } = useServices()
  const { attempt } = useAttempt()
  const own = useStore(settings, (state) => state.settings?.modelFiles.includes(model.path) ?? false)
  const embedder = useStore(settings, (state) => state.settings?.embedder === model.path)
  const forget = async () => {
    await attempt(() => client.models.forget({ path: model.path }))
    toasts.getState().tell(model.name, 'It is not in the list any more; its file stays.')
    void settings.getState().load()
    void models.getState().reload()
  }
  return (
    <div className="flex items-center gap-1">
      {model.problem !== null ? null : model.embedding === undefined ? (
        <>
          {model.demo ? null : (
            <Button
              icon={MessageCircle}
              aria-describedby={titleId}
              onClick={() => {
                asks.getState().write({ model: model.path })
                asks.getState().begin(null)
                ui.getState().go('ask')
              }}
            >
              Ask it
            </Button>
          )}
          <Button
            icon={Activity}
            aria-describedby={titleId}
            onClick={() => {
              runForm.getState().change({ model: model.path })
              ui.getState().go('run')
            }}
          >
            Use in a run
          </Button>
        </>
      ) : embedder ? (
        <Badge tone="solved">In use</Badge>
      ) : (
        <Button onClick={() => void settings.getState().save({ embedder: model.path })}>
          Compare texts by it
        </Button>
      )}
      {own ? (
        <IconButton icon={X} label={`Take ${model.name} out of the list`} onClick={() => void forget()} />
      ) : null}
    </div>
  )
}
