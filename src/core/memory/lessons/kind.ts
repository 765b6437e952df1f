import { learnedKind } from '../items/learned-kind'
import { text, textOf } from '../items/field'
import { lessonSchema, type Lesson } from './lesson'

/** EvoSC's lessons. */
export const lessons = learnedKind<Lesson>({
  info: {
    id: 'lesson',
    title: 'Lesson',
    titleMany: 'Lessons',
    help: 'A short piece of advice written from a mistake or from what worked.',
    fields: [text('text', 'Advice')],
  },
  schema: lessonSchema,
  view: ({ text: advice, queue }) => ({
    title: advice,
    text: advice,
    values: { text: advice },
    facts: [{ label: 'Drawn from', value: queue === 'error' ? 'a mistake' : 'what worked' }],
  }),
  place: ({ queue }) => (queue === 'error' ? 'mistake' : 'advice'),
  edited: (lesson, values) => ({ ...lesson, text: textOf(values, 'text', lesson.text) }),
})
