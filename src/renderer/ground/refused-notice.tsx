import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'

/** Why the last thing that was asked for was refused, until somebody has read it; nothing while nothing was. */
export function RefusedNotice(props: {
  problem: LoamErrorShape | null
  onDismiss(): void
  onRetry?: () => void
}) {
  const { problem, onDismiss, onRetry } = props
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
