import { Pause, Play, Square } from '../components/icons'
import { Button } from '../components/button'
import { useServices } from '../stores/use-services'
import { askCancel } from './ask-cancel'
import { useConnected } from './connected'

/** Pauses, resumes and cancels work that goes on by itself; cancelling asks first, since it cannot be taken back. */
export function WorkButtons(props: {
  /** With its article: `the run`. */
  what: string
  work: {
    readonly status: string
    readonly done: number
    readonly total: number
    /** It was asked to pause, and goes on to the end of its task. */
    readonly pausing?: true | undefined
  }
  /** Statuses in which it can be paused. */
  pausable: readonly string[]
  /** What is being asked of the host right now. */
  busy: string | null
  onPause(): void
  onResume(): void
  onCancel(): void
}) {
  const { ui } = useServices()
  const connected = useConnected()
  const { what, work, busy, onPause, onCancel } = props
  const canPause = props.pausable.includes(work.status)
  const isWaiting = busy !== null || !connected
  const ask = () => ui.getState().ask(askCancel({ what, ...work, onCancel, ...(canPause && { onPause }) }))
  return (
    <>
      {canPause && !work.pausing ? (
        <Button icon={Pause} disabled={isWaiting} onClick={onPause}>
          {busy === 'pause' ? 'Pausing…' : 'Pause'}
        </Button>
      ) : null}
      {work.pausing ? (
        <Button icon={Play} disabled={isWaiting} onClick={props.onResume}>
          Go on
        </Button>
      ) : null}
      {work.status === 'paused' ? (
        <Button look="primary" icon={Play} disabled={isWaiting} onClick={props.onResume}>
          Resume
        </Button>
      ) : null}
      {canPause || ['queued', 'running', 'paused'].includes(work.status) ? (
        <Button icon={Square} disabled={busy === 'cancel' || !connected} onClick={ask}>
          {busy === 'cancel' ? 'Cancelling…' : 'Cancel'}
        </Button>
      ) : null}
    </>
  )
}
