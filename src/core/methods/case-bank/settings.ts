import { choice, defineSettings, onOff } from '../../ground/settings'
import { sameTaskSettings } from '../../memory/cases/same-task'

export const SETTINGS = defineSettings('case-bank', 'Case bank', {
  retrieval: choice({ semantic: 'by meaning', text: 'by words', hybrid: 'by both' }, 'semantic', {
    title: 'Find cases',
    help: 'By meaning is the paper’s way.',
    source: 'Memento, eq. 13',
  }),
  solved: onOff(true, { title: 'Solved attempts', help: 'Recall attempts that were solved.' }),
  failed: onOff(true, {
    title: 'Failed attempts',
    help: 'Recall attempts that failed, marked as such.',
    source: 'Memento, section 3',
  }),
  ...sameTaskSettings,
})
