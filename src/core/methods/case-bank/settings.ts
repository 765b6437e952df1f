import { z } from 'zod'
import { choice, defineSettings } from '../../ground/settings'
import { sameTaskSettings } from '../../memory/cases/same-task'

export const SETTINGS = defineSettings('case-bank', 'Case bank', {
  retrieval: choice({ semantic: 'by meaning', text: 'by words', hybrid: 'by both' }, 'semantic', {
    title: 'Find cases',
    help: 'By meaning is the paper’s way.',
    source: 'Memento, eq. 13',
  }),
  solved: z
    .boolean()
    .default(true)
    .meta({ title: 'Solved attempts', help: 'Recall attempts that were solved.' }),
  failed: z.boolean().default(true).meta({
    title: 'Failed attempts',
    help: 'Recall attempts that failed, marked as such.',
    source: 'Memento, section 3',
  }),
  ...sameTaskSettings,
})
