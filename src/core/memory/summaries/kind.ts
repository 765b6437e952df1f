import { learnedKind } from '../items/learned-kind'
import { text, textOf } from '../items/field'
import { summarySchema, type Summary } from './summary'

/** SCM's turns with their summaries. */
export const summaries = learnedKind<Summary>({
  info: {
    id: 'summary',
    title: 'Summary',
    titleMany: 'Summaries',
    help: 'An attempt in the order it happened, shortened where it is long.',
    fields: [text('text', 'Summary', { optional: true })],
  },
  schema: summarySchema,
  view: ({ title, text: summary }) => ({
    title,
    text: summary ?? `${title}\nThe attempt is short and stands for itself.`,
    values: { text: summary ?? '' },
  }),
  place: () => 'attempt',
  edited: (turn, values) => {
    const summary = textOf(values, 'text', turn.text ?? '')
    return { ...turn, text: summary === '' ? null : summary }
  },
})
