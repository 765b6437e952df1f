import { episodicSelector } from '../../memory/cases/episodic'
import { caseLearner, learnedCaseBank } from '../../memory/cases/learned-recall'
import { PAPER } from './paper'
import { readOwn, SETTINGS } from './settings'

/** Memento's neural episodic control (eq. 9 to 11, algorithm 1). */
export const caseBankNec = learnedCaseBank(
  {
    title: 'Case bank with episodic control',
    description: 'Remembers what each case led to and expects the same of it in similar tasks.',
    source: 'Memento, neural episodic control (eq. 9 to 11, algorithm 1), K = 4',
    colour: 8,
  },
  caseLearner(SETTINGS, {
    title: 'Episodic control',
    detail: 'Remembers what each case led to (eq. 9 to 11).',
    read: readOwn,
    select: episodicSelector,
  }),
  PAPER,
)
