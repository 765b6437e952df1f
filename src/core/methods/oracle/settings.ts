import { choice, defineSettings } from '../../ground/settings'

export const SETTINGS = defineSettings('oracle', 'Perfect recall', {
  form: choice({ case: 'a solved task like it', lesson: 'a lesson', document: 'a document' }, 'case', {
    title: 'Handed over as',
    help: 'The same rules read differently well in different forms.',
  }),
})
