import { BASELINE } from '../../../shared/domain/experiment'
import { NOTHING_LEARNED, NOTHING_RECALLED, type Method } from '../../ground/method'

/** No memory at all: the baseline every other method is measured against. */
export const none: Method = {
  info: {
    id: BASELINE,
    title: 'No memory',
    description: 'Every task starts from nothing. The line to beat.',
    source: 'Baseline',
    usesK: false,
    defaultK: 0,
    colour: 1,
    keeps: [],
    recalls: [],
    suggested: ['baseline', 'experiment', 'demo'],
    everyday: 'compared',
  },
  recall: () => Promise.resolve(NOTHING_RECALLED),
  learn: () => Promise.resolve(NOTHING_LEARNED),
}
