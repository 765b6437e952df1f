import { Component, type ReactNode } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { ErrorNotice } from '../components/error-notice'
import { errorShape } from '../stores/error-shape'

interface CrashGuardState {
  readonly problem: LoamErrorShape | null
}

/** Catches a bug in one screen, so that the rest of the window and the work behind it go on. */
export class CrashGuard extends Component<{ children: ReactNode }, CrashGuardState> {
  override state: CrashGuardState = { problem: null }

  static getDerivedStateFromError(error: unknown): CrashGuardState {
    return {
      problem: {
        ...errorShape(error),
        title: 'This screen stopped because of a mistake in Loam',
        suggestion: 'Try again. Your runs and memories are not affected.',
      },
    }
  }

  override render(): ReactNode {
    if (this.state.problem === null) return this.props.children
    return (
      <div className="p-6">
        <ErrorNotice
          problem={this.state.problem}
          alwaysRetry
          onRetry={() => this.setState({ problem: null })}
        />
      </div>
    )
  }
}
