import type { JobInfo } from '../../shared/domain/job'
import type { Stores } from './all-stores'
import type { ScreenId } from './ui'

/** Where the work of a kind is looked at. */
const SCREEN_OF: Record<JobInfo['kind'], ScreenId> = {
  run: 'run',
  demo: 'run',
  errors: 'run',
  experiment: 'experiments',
  recordings: 'experiments',
  download: 'models',
  'model-load': 'models',
  import: 'memory',
  reindex: 'speed',
  'kb-abstract': 'memory',
  consolidation: 'consolidation',
  build: 'guides',
  ask: 'ask',
  documents: 'memory',
  measuring: 'models',
  comparing: 'settings',
  reading: 'settings',
  watching: 'settings',
}

/** What can be opened by its id, wherever a person is. */
export type RecordKind = 'ask' | 'run' | 'experiment'

/** Goes to an ask, a run or an experiment; without an id to where a new one is made. */
export function openRecord(
  kind: RecordKind,
  id: string | null,
  { asks, experiments, runs, ui }: Stores,
): void {
  if (kind === 'ask' && id === null) asks.getState().begin(null)
  if (kind === 'ask' && id !== null) asks.getState().open(id)
  if (kind === 'experiment') experiments.getState().open(id)
  if (kind === 'run' && id !== null) runs.getState().focus(id)
  ui.getState().go(SCREEN_OF[kind])
}

/** Goes to what a job works on, or worked on. */
export function openJob({ kind, subject }: JobInfo, stores: Stores): void {
  if (subject !== null) {
    if (SCREEN_OF[kind] === 'run') void stores.runs.getState().open(subject)
    if (kind === 'experiment') stores.experiments.getState().open(subject)
    if (kind === 'ask') stores.asks.getState().open(subject)
    if (kind === 'build') stores.guides.getState().show({ kind: 'build', buildId: subject })
    if (kind === 'consolidation' || kind === 'documents' || kind === 'import' || kind === 'kb-abstract')
      stores.memories.getState().visit(subject)
  }
  stores.ui.getState().go(SCREEN_OF[kind])
}
