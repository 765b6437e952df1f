import { RotateCw, TriangleAlert } from './icons'
import { useEffect, useRef, type ReactNode } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { Button } from './button'
import { classNames } from './class-names'

export interface ErrorNoticeProps {
  problem: LoamErrorShape
  /** Makes the same call again. The button appears when the problem is retryable, or always when `alwaysRetry`. */
  onRetry?: () => void
  /** For reading (not acting): trying again is always harmless. Default false. */
  alwaysRetry?: boolean
  /** Another way out, such as a button that opens the right screen. */
  action?: ReactNode
  className?: string
}

/** An error as people see it: what happened, why, and what to do next. */
export function ErrorNotice({ problem, onRetry, alwaysRetry = false, action, className }: ErrorNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const retry = onRetry && (alwaysRetry || problem.retryable) ? onRetry : null
  return (
    <div
      ref={notice}
      role="alert"
      className={classNames(
        'flex shrink-0 gap-3 rounded-lg border border-danger/40 bg-danger-soft p-3',
        className,
      )}
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        {/* One paragraph: several are said in any order. */}
        <p className="break-words">
          <span className="font-medium">{problem.title}</span>
          <br />
          <span className="text-sm">{problem.cause}</span>
          <br />
          <span className="text-sm text-muted">{problem.suggestion}</span>
        </p>
        {retry || action ? (
          <div className="mt-2 flex flex-wrap gap-2">
            {retry ? (
              <Button size="small" icon={RotateCw} onClick={retry}>
                Try again
              </Button>
            ) : null}
            {action}
          </div>
        ) : null}
      </div>
    </div>
  )
}
