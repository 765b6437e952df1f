import type { ReactNode } from 'react'
import type { EngineState } from '../../shared/domain/model'
import { classNames } from '../components/class-names'
import { formatBytes, plural } from '../components/format'
import { Hint, NamedButton } from '../components/icon-button'
import { useConnected } from '../ground/connected'
import { isServed } from '../ground/model-choice'
import { modelName } from '../ground/model-name'
import { useStored } from '../stores/use-services'

const ENGINE_WORDS: Record<EngineState['status'], string> = {
  stopped: 'No model loaded',
  starting: 'Engine starting',
  idle: 'No model loaded',
  loading: 'Loading',
  ready: 'Ready',
  generating: 'Writing',
  failed: 'Engine failed',
}

const HOST_WORDS = {
  electron: 'Desktop window',
  headless: 'Browser, local host',
  terminal: 'In a terminal',
  memory: 'In memory',
} as const

/** Model and engine, speed, memory, connections to the outside, and what kind of host this is. */
export function StatusBar() {
  const engine = useStored('engine', (state) => state.data)
  const info = useStored('info', (state) => state.data)
  const connected = useConnected()
  if (!connected) {
    return (
      <Bar>
        <span className="flex items-center gap-1.5 text-notice">
          <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-notice" />
          Loam’s host does not answer.
        </span>
      </Bar>
    )
  }
  return (
    <Bar>
      {engine ? <EngineStatus engine={engine} /> : <span>Waiting for the engine</span>}
      <ServedModels />
      {engine?.tokensPerSecond && engine.status !== 'failed' ? (
        <span>{Math.round(engine.tokensPerSecond)} tokens/s</span>
      ) : null}
      {engine?.memoryBytes ? <span>{formatBytes(engine.memoryBytes)} memory</span> : null}
      <span className="flex-1" />
      {info ? (
        <>
          {info.damage.length > 0 ? (
            <Hint text={info.damage.join(' ')} side="top">
              <NamedButton aria-description={info.damage.join(' ')} className="rounded-sm text-notice">
                {plural(info.damage.length, 'damaged file')}
              </NamedButton>
            </Hint>
          ) : null}
          <span>{plural(info.outgoingConnections, 'outgoing connection')}</span>
          <Hint text={aboutHost(info)} side="top">
            <NamedButton aria-description={aboutHost(info)} className="rounded-sm max-[700px]:hidden">
              {HOST_WORDS[info.host]}
            </NamedButton>
          </Hint>
        </>
      ) : null}
    </Bar>
  )
}

const aboutHost = (info: {
  readonly windowless: string | null
  readonly version: string
  readonly dataPath: string
}): string => info.windowless ?? `Loam ${info.version}, data in ${info.dataPath}`

/** Models at servers that answer asks right now: the engine knows nothing of them. */
function ServedModels() {
  const working = useStored('asks', ({ asks }) => asks).filter(
    ({ status, spec }) => status === 'working' && isServed(spec.model),
  )
  const names = [...new Set(working.map(({ spec }) => modelName(spec.model)))]
  if (names.length === 0) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span aria-hidden className="breathing size-1.5 shrink-0 rounded-full bg-accent" />
      <span className="truncate">{names.join(', ')}: writing, at a server</span>
    </span>
  )
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <footer
      aria-label="Status"
      className="flex h-7 shrink-0 items-center gap-4 overflow-x-auto overflow-y-hidden border-t px-4 text-xs whitespace-nowrap text-muted"
    >
      {children}
    </footer>
  )
}

function EngineStatus({ engine }: { engine: EngineState }) {
  const busy = engine.status === 'generating' || engine.status === 'loading' || engine.status === 'starting'
  const place = engine.gpuLayers ? `, ${engine.gpuLayers} layers on ${engine.gpu ?? 'the GPU'}` : ''
  const line = (
    <span
      className={classNames('flex min-w-0 items-center gap-1.5', engine.status === 'failed' && 'text-danger')}
    >
      <span
        aria-hidden
        className={classNames(
          'size-1.5 shrink-0 rounded-full',
          busy ? 'breathing bg-accent' : engine.status === 'ready' ? 'bg-accent' : 'bg-line-strong',
          engine.status === 'failed' && 'bg-danger',
        )}
      />
      <span className="truncate">
        {engine.modelName
          ? `${engine.modelName}: ${ENGINE_WORDS[engine.status].toLowerCase()}${place}`
          : ENGINE_WORDS[engine.status]}
        {(engine.models ?? []).length > 1
          ? `, with ${(engine.models ?? [])
              .slice(1)
              .map(({ name }) => name)
              .join(', ')} loaded too`
          : ''}
        {engine.problem ? ` (${engine.problem})` : ''}
      </span>
    </span>
  )
  if (!engine.note) return line
  return (
    <Hint text={engine.note} side="top">
      <NamedButton aria-description={engine.note} className="flex min-w-0 rounded-sm">
        {line}
      </NamedButton>
    </Hint>
  )
}
