import { Keys } from '../../components/keys'
import { useStored } from '../../stores/use-services'

/** Under a message that is written: how it is sent, and what it recalls from. */
export function SendHint(props: {
  memoryId: string | null
  project: string | null
  remember: boolean
  /** What Enter does. */
  enter: string
}) {
  const { memoryId, project, remember, enter } = props
  const memory = useStored('memories', ({ memories }) => memories.find(({ id }) => id === memoryId))
  const place = memory?.name ?? 'My memory'
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-1 text-xs text-muted print:hidden">
      <span>
        <Keys combo="Enter" /> {enter}, <Keys combo="Shift+Enter" /> begins a line
      </span>
      <span>
        Recalls from {place}
        {project === null ? '' : `, project ${project}`}
        {remember ? '' : ', keeps nothing of this'}
      </span>
    </p>
  )
}
