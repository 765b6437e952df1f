import { parametricSelector } from '../../memory/cases/parametric'
import { caseLearner, learnedCaseBank } from '../../memory/cases/learned-recall'
import { PAPER } from './paper'
import { readOwn, SETTINGS } from './settings'

/** Memento's parametric case memory (eq. 15, 16). */
export const caseBankQ = learnedCaseBank(
  {
    title: 'Case bank that learns what helps',
    description: 'Learns from every attempt which kept cases help with which tasks, and recalls those.',
    source: 'Memento, parametric case memory (eq. 15 and 16), K = 4',
    colour: 9,
    everyday: 'compared',
  },
  caseLearner(SETTINGS, {
    title: 'Learned Q',
    detail: 'A network learns which cases help (Memento eq. 15).',
    read: readOwn,
    select: parametricSelector,
  }),
  PAPER,
)
