import { deepSelector } from '../../memory/cases/deep-q'
import { tabularSelector } from '../../memory/cases/tabular-q'
import { caseLearner, learnedCaseBank } from '../../memory/cases/learned-recall'
import { PAPER } from './paper'
import { readOwn, SETTINGS } from './settings'

/** Memento's soft Q-learning (eq. 7, 8, 24), with a network or a table. */
export const caseBankSoftQ = learnedCaseBank(
  {
    title: 'Case bank with soft Q-learning',
    description: 'Learns the worth of cases and draws among the good ones, so that it keeps trying others.',
    source: 'Memento, soft Q-learning (eq. 7 and 8, table 7), K = 4',
    colour: 9,
  },
  caseLearner(SETTINGS, {
    title: 'Soft Q-learning',
    detail: 'Draws among good cases (eq. 7 and 8).',
    read: readOwn,
    select: (input, settings) =>
      settings.form === 'deep' ? deepSelector(input, settings) : tabularSelector(input, settings),
  }),
  PAPER,
)
