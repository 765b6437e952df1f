import type { JobInfo } from '../../shared/domain/job'
import { plural } from '../components/format'
import { refusalOf } from '../stores/error-shape'
import type { Question } from '../stores/ui'
import { useServices } from '../stores/use-services'
import { useUndo } from './use-undo'

/** What is asked before work is cancelled for good; `onPause` for work that can rest instead. */
export function askCancel(work: {
  /** With its article: `the run`. */
  readonly what: string
  readonly done: number
  readonly total: number
  readonly onCancel: () => void
  readonly onPause?: () => void
}): Question {
  const { what, done, total, onCancel, onPause } = work
  return {
    title: `Cancel ${what}?`,
    words: `${done} of ${plural(total, 'task')} are done. What was learned so far stays, but what is cancelled cannot go on${
      onPause ? '; what is paused can' : ''
    }.`,
    no: 'Keep going',
    answers: [
      ...(onPause ? [{ label: 'Pause instead', run: onPause }] : []),
      { label: `Cancel ${what}`, danger: true, run: onCancel },
    ],
  }
}

/** What stays when a job of a kind is stopped. */
const STAYS: Partial<Record<JobInfo['kind'], string>> = {
  run: 'What was learned so far stays, but a cancelled run cannot go on. On the Run screen it can be paused instead.',
  demo: 'What was learned so far stays, but cancelled runs cannot go on. On the Run screen they can be paused instead.',
  experiment:
    'Finished cells stay, but a cancelled experiment cannot go on. On the Experiments screen it can be paused instead.',
  download: 'What was fetched is thrown away.',
  import: 'What was read stays; “Undo” takes it out, importing again goes on behind it.',
  'kb-abstract': 'What was written stays; “Write up” goes on with the rest.',
  build: 'What was found stays; the build can go on later.',
  consolidation: 'What was learned up to the last checkpoint stays, and it can go on from there.',
}

/** Asks, and stops a job; says why where that is refused. */
export function useStopJob(): (job: JobInfo) => void {
  const { client, ui } = useServices()
  const { report } = useUndo()
  const stop = (jobId: string) => void refusalOf(client.jobs.cancel({ jobId })).then(report)
  return ({ id, kind, title }) =>
    ui.getState().ask({
      title: `Stop “${title}”?`,
      words: STAYS[kind] ?? 'It stops at once, and what is under way is lost.',
      no: 'Keep going',
      answers: [{ label: 'Stop it', danger: true, run: () => stop(id) }],
    })
}
