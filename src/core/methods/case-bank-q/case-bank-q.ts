import { parametricSelector } from '../../memory/cases/parametric'
import { readSettings } from '../../ground/settings'
import { learnedCaseBank } from '../../memory/cases/learned-recall'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** Memento's parametric case memory (eq. 15, 16). */
export const caseBankQ = learnedCaseBank(
  {
    title: 'Case bank that learns what helps',
    description: 'Learns from every attempt which kept cases help with which tasks, and recalls those.',
    source: 'Memento, parametric case memory (eq. 15 and 16), K = 4',
    colour: 9,
  },
  {
    id: SETTINGS.id,
    title: 'Learned Q',
    detail: 'A network learns which cases help (Memento eq. 15).',
    settings: SETTINGS,
    candidates: (changes) => readSettings(SETTINGS, changes).candidates,
    sameTask: (changes) => readSettings(SETTINGS, changes),
    create: (changes) => (input) => parametricSelector(input, readSettings(SETTINGS, changes)),
  },
  PAPER,
)
