import type { JobInfo } from '../../shared/domain/job'
import type { Stores } from './all-stores'
import type { ScreenId } from './ui'

/** Where the work of a kind is looked at. */
const SCREEN_OF: Record<JobInfo['kind'], ScreenId> = {
  run: 'run',
  demo: 'run',
  errors: 'run',
  experiment: 'experiments',
  download: 'models',
  'model-load': 'models',
  export: 'export',
  reindex: 'settings',
  'kb-import': 'experiences',
  'kb-abstract': 'experiences',
  consolidation: 'consolidation',
  build: 'knowledge',
  ask: 'ask',
}

/** Goes to what a job works on, or worked on. */
export function openJob({ kind, subject }: JobInfo, stores: Stores): void {
  if (subject !== null) {
    if (SCREEN_OF[kind] === 'run') void stores.runs.getState().open(subject)
    if (kind === 'experiment') stores.experiments.getState().open(subject)
    if (kind === 'ask') stores.asks.getState().open(subject)
    if (kind === 'build') stores.knowledge.getState().show({ kind: 'build', buildId: subject })
    if (kind === 'consolidation' || kind.startsWith('kb-')) stores.spaces.getState().choose(subject)
  }
  stores.ui.getState().go(SCREEN_OF[kind])
}
