import { z } from 'zod'
import { choice, defineSettings } from '../../ground/settings'

export const SETTINGS = defineSettings('dynamic-cheatsheet', 'Cheatsheet', {
  form: choice(
    { cumulative: 'Cumulative (DC-Cu)', retrieval: 'Retrieval and synthesis (DC-RS)' },
    'cumulative',
    {
      title: 'Form',
      help: 'Written anew after every attempt, or before it, from the attempts most like the task.',
      source: 'Dynamic Cheatsheet, sections 2.1 and 2.2',
    },
  ),
  every: z.number().int().min(1).max(100).default(1).meta({
    title: 'Write anew every',
    help: 'Cumulative form: after how many attempts the cheatsheet is written anew.',
    unit: 'attempts',
    source: 'Dynamic Cheatsheet, algorithm 1: every one',
  }),
  similar: z.number().int().min(1).max(20).default(3).meta({
    title: 'Similar attempts',
    help: 'Retrieval form: how many earlier attempts the curator reads.',
    unit: 'attempts',
    source: 'Dynamic Cheatsheet, section 3: top 3',
  }),
})
