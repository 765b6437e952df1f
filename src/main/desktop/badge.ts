import type { JobInfo } from '../../shared/domain/job'

/** What is needed of Electron to count what ended unseen. */
export interface BadgeOptions {
  readonly isFocused: () => boolean
  readonly show: (count: number) => void
}

/** Work whose end a person waits for; the rest ends by the way. */
const AWAITED: ReadonlySet<JobInfo['kind']> = new Set([
  'ask',
  'run',
  'experiment',
  'download',
  'consolidation',
  'build',
  'import',
])

/** Counts on the app's icon what ended while nobody looked at the window; looking at it clears the count. */
export function createBadge({ isFocused, show }: BadgeOptions) {
  let unseen = 0
  return {
    ended({ kind, status }: Pick<JobInfo, 'kind' | 'status'>): void {
      if (!AWAITED.has(kind) || status === 'cancelled' || isFocused()) return
      show(++unseen)
    },
    seen(): void {
      if (unseen > 0) show((unseen = 0))
    },
  }
}
