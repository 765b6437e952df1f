import type { ExperimentHead } from '../../../shared/domain/experiment'

/** How an experiment stands, in a word or two. */
export function statusWords({ status, done }: ExperimentHead): string {
  switch (status) {
    case 'running':
      return done === 0 ? 'Getting ready' : 'Running'
    case 'paused':
      return 'Paused'
    case 'done':
      return 'Finished'
    case 'failed':
      return 'Failed'
    case 'cancelled':
      return 'Cancelled'
  }
}
