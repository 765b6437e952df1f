import type { JobInfo } from '../../shared/domain/job'
import type { Stores } from './all-stores'

/** What a job of a kind has changed. */
const CHANGED: Partial<Record<JobInfo['kind'], (stores: Stores) => readonly Promise<void>[]>> = {
  run: ({ runs, consolidation, knowledge }) => [
    runs.getState().load(),
    consolidation.getState().reload(),
    knowledge.getState().reload(),
  ],
  demo: ({ runs }) => [runs.getState().load()],
  consolidation: ({ consolidation }) => [consolidation.getState().reload()],
  experiment: ({ experiments }) => [experiments.getState().load()],
  'kb-import': ({ experiences }) => [experiences.getState().reload()],
  'kb-abstract': ({ experiences }) => [experiences.getState().reload()],
  download: ({ models }) => [models.getState().reload()],
  ask: ({ asks }) => [asks.getState().load()],
}

/** Reads what a job that ended has changed, and says how it ended. */
export function jobEnded(job: JobInfo, stores: Stores): void {
  const { ui, toasts, spaces, asks, memory } = stores
  void spaces.getState().reload()
  void CHANGED[job.kind]?.(stores)
  if (memory.getState().spaceId) void memory.getState().reload()
  // Who looks at an ask sees it end.
  if (job.kind === 'ask' && ui.getState().screen === 'ask' && asks.getState().openId === job.subject) return
  if (job.status === 'cancelled') return
  if (job.kind === 'build' && job.status === 'done') {
    // It may also have stopped for a person to look at the concepts.
    toasts.getState().show({
      title: `${job.title}: ready`,
      detail: 'The result, or the concepts to look over, are on the Knowledge screen.',
      tone: 'plain',
      action: { label: 'Open', run: () => ui.getState().go('knowledge') },
    })
    return
  }
  toasts.getState().show({
    title: job.status === 'done' ? `${job.title}: done` : `${job.title}: ${job.problem?.title ?? 'failed'}`,
    detail: job.status === 'done' ? job.activity : (job.problem?.suggestion ?? job.activity),
    tone: job.status === 'done' ? 'plain' : 'problem',
  })
}
