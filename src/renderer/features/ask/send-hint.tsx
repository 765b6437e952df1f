import type { AskAttempt } from '../../../shared/domain/ask'
import type { JobInfo } from '../../../shared/domain/job'
import type { ModelInfo } from '../../../shared/domain/model'
import { Keys } from '../../components/keys'
import { isServed } from '../../ground/model-choice'
import { useStored } from '../../stores/use-services'
import { ContextMeter } from './pace'

/** Under a message that is written: how it is sent, and what it recalls from. */
export function SendHint(props: {
  memoryId: string | null
  project: string | null
  remember: boolean
  /** Nothing of it is written, not even the ask. Default false. */
  temporary?: boolean
  /** What Enter does. */
  enter: string
  /** Who answers; null where nobody does, or a server. Default: nothing is said of it. */
  model?: ModelInfo | null
  /** The try that the message goes on from. Default: none. */
  after?: AskAttempt | undefined
}) {
  const { memoryId, project, remember, temporary = false, enter, model = null, after } = props
  const memory = useStored('memories', ({ memories }) => memories.find(({ id }) => id === memoryId))
  const place = memory?.name ?? 'My memory'
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-1 text-xs text-muted print:hidden">
      <span className="-ml-2">
        <Keys combo="Enter" /> {enter}, <Keys combo="Shift+Enter" /> begins a line
      </span>
      <span>
        Recalls from {place}
        {project === null ? '' : `, project ${project}`}
        {temporary ? ', temporary: nothing of it is kept' : remember ? '' : ', keeps nothing of this'}
      </span>
      <ContextMeter attempt={after} />
      {model === null || isServed(model.path) ? null : <BeforeAnswer model={model} />}
    </p>
  )
}

/** What has to happen before a model answers: it is loaded, and work that has the engine rests. */
export function BeforeAnswer({ model: { path, name } }: { model: ModelInfo }) {
  const engine = useStored('engine', ({ data }) => data)
  const jobs = useStored('jobs', ({ data }) => data)
  const isLoaded = engine?.models?.some((one) => one.path === path) ?? false
  const isRunning = jobs?.some(({ kind, status }) => RESTING.has(kind) && status === 'running') ?? false
  const words = [isLoaded ? null : `loads ${name}`, isRunning ? 'the run rests' : null]
    .filter((part) => part !== null)
    .join(', ')
  return words === '' ? null : <span className="first-letter:uppercase">{words}</span>
}

/** Jobs that rest while an ask is answered. */
const RESTING: ReadonlySet<JobInfo['kind']> = new Set(['run', 'demo', 'experiment'])
