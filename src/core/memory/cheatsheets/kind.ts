import { learnedKind } from '../items/learned-kind'
import { text, textOf } from '../items/field'
import { cheatsheetSchema, type Cheatsheet } from './cheatsheet'

/** Dynamic Cheatsheet's one text. */
export const cheatsheets = learnedKind<Cheatsheet>({
  info: {
    id: 'cheatsheet',
    title: 'Cheatsheet',
    titleMany: 'Cheatsheets',
    help: 'One text of what has proved useful, written anew after every attempt.',
    fields: [text('content', 'Content')],
  },
  schema: cheatsheetSchema,
  view: ({ content, version }) => ({
    title: content.split('\n', 1)[0] ?? content,
    text: content,
    values: { content },
    facts: [{ label: 'Version', value: String(version) }],
  }),
  shownAs: 'document',
  place: () => 'document',
  edited: (cheatsheet, values) => ({
    ...cheatsheet,
    content: textOf(values, 'content', cheatsheet.content),
  }),
})
