import { episodicSelector } from '../../memory/cases/episodic'
import { caseLearner, learnedCaseBank } from '../../memory/cases/learned-recall'
import { settingsReader } from '../../ground/settings'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

const read = settingsReader(SETTINGS)

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
    read,
    select: episodicSelector,
  }),
  PAPER,
)
