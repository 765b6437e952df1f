import { z } from 'zod'
import { defineSettings } from '../../ground/settings'

export const SETTINGS = defineSettings('oracle', 'Perfect recall', {
  form: z
    .enum(['case', 'lesson', 'document'])
    .default('case')
    .meta({
      title: 'Handed over as',
      help: 'The same rules read differently well in different forms.',
      choices: { case: 'a solved task like it', lesson: 'a lesson', document: 'a document' },
    }),
})
