import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'
import { useReconnected } from './connected'

/**
 * Why the last thing that was asked for was refused, until somebody has read it; nothing while nothing was. That the connection was lost
 * is over by itself when it is back.
 */
export function RefusedNotice(props: {
  problem: LoamErrorShape | null
  onDismiss(): void
  onRetry?: () => void
}) {
  const { problem, onDismiss, onRetry } = props
  useReconnected(() => {
    if (problem?.code === 'CONNECTION_LOST') onDismiss()
  })
  if (!problem) return null
  return (
    <ErrorNotice
      problem={problem}
      {...(onRetry && { onRetry })}
      action={
        <Button size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    />
  )
}
