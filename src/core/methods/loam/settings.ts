import { defineSettings, number, onOff, share, whole } from '../../ground/settings'

const on = (title: string, help: string) => onOff(true, { title, help })
const feature = (title: string, help: string) => on(`Feature: ${title}`, help)

export const SETTINGS = defineSettings('loam', 'Everything together', {
  budget: whole(1, 1_000_000, 600, {
    title: 'Token budget',
    help: 'What everything recalled may take together.',
    unit: 'tokens',
  }),
  items: whole(1, 100, 16, {
    title: 'Most items',
    help: 'What may be recalled for one task.',
    unit: 'items',
  }),
  price: share(0.002, {
    title: 'Price of a token',
    help: 'Log-odds of success that a token has to bring.',
  }),
  explore: number(0, 2, 0.05, {
    title: 'Exploration',
    help: 'How far choices are drawn from what may be, instead of what is most likely. It vanishes as more is known.',
  }),
  beliefs: on(
    'Beliefs',
    'What tools refuse, and lines that proved right, are recalled, drawn from attempts without a model call.',
  ),
  calls: on(
    'Before a call',
    'A call that holds what is known to make it fail is held once, and the agent is told what is known.',
  ),
  cases: on('Cases', 'Past attempts may be recalled.'),
  lessons: on('Lessons', 'Lessons, strategies, workflows, notes, summaries and experiences may be recalled.'),
  documents: on('Documents', 'Concept documents and cheatsheets may be recalled.'),
  files: on('Own files', 'Passages of the folders that the memory reads may be recalled.'),
  passages: whole(1, 20, 3, {
    title: 'Passages considered',
    help: 'Of own files, the ones that fit the task best.',
    unit: 'passages',
  }),
  softPrompt: on('Soft prompt', 'The one in use in the memory may be put first.'),
  quarantine: on(
    'Quarantine',
    'What keeps failing, or went by what proved wrong, is kept from agents until somebody restores it.',
  ),
  drift: on('Drift', 'When attempts go worse than expected, what was known is doubted and tried anew.'),
  verify: on(
    'Look again',
    'What is most in doubt of what a task names is held back, so that the agent looks it up while all else is at hand.',
  ),
  meaning: feature('likeness by meaning', 'Cosine of task and item.'),
  words: feature('likeness by words', 'Share of the task’s words that the item has.'),
  says: feature(
    'what it says',
    'What the item says that the task needs to be told, and how far that is believed.',
  ),
  history: feature('history', 'How often it helped, and how it did at tasks like this one.'),
  age: feature('age', 'Attempts since it was made.'),
  trust: feature('trust', 'Where it comes from.'),
  outcome: feature('outcome', 'Whether the attempt behind it was solved.'),
  redundancy: feature('redundancy', 'How much of it is said already.'),
})
