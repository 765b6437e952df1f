import { choice, defineSettings, whole } from '../../ground/settings'

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
  every: whole(1, 100, 1, {
    title: 'Write anew every',
    help: 'Cumulative form: after how many attempts the cheatsheet is written anew.',
    unit: 'attempts',
    source: 'Dynamic Cheatsheet, algorithm 1: every one',
  }),
  similar: whole(1, 20, 3, {
    title: 'Similar attempts',
    help: 'Retrieval form: how many earlier attempts the curator reads.',
    unit: 'attempts',
    source: 'Dynamic Cheatsheet, section 3: top 3',
  }),
})
