import { episodicSelector } from '../../memory/cases/episodic'
import { readSettings } from '../../ground/settings'
import { learnedCaseBank } from '../../memory/cases/learned-recall'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** Memento's neural episodic control (eq. 9 to 11, algorithm 1). */
export const caseBankNec = learnedCaseBank(
  {
    title: 'Case bank with episodic control',
    description: 'Remembers what each case led to and expects the same of it in similar tasks.',
    source: 'Memento, neural episodic control (eq. 9 to 11, algorithm 1), K = 4',
    colour: 8,
  },
  {
    id: SETTINGS.id,
    title: 'Episodic control',
    detail: 'Remembers what each case led to (eq. 9 to 11).',
    settings: SETTINGS,
    candidates: (changes) => readSettings(SETTINGS, changes).candidates,
    sameTask: (changes) => readSettings(SETTINGS, changes),
    create: (changes) => (input) => episodicSelector(input, readSettings(SETTINGS, changes)),
  },
  PAPER,
)
