import { learnedKind } from '../items/learned-kind'
import { lines, linesOf, text, textOf } from '../items/field'
import { evolvedNote, noteSchema, type Note } from './note'

/** A-MEM's notes. */
export const notes = learnedKind<Note>({
  info: {
    id: 'note',
    title: 'Note',
    titleMany: 'Notes',
    help: 'What an attempt was about: keywords, tags and context, linked with related notes.',
    fields: [
      text('context', 'Context', { optional: true }),
      lines('keywords', 'Keywords', { optional: true }),
      lines('tags', 'Tags', { optional: true }),
    ],
  },
  schema: noteSchema,
  view: ({ title, context, keywords, tags, links }) => ({
    title,
    text: `${title}\nContext: ${context} Keywords: ${keywords.join(', ')}. Tags: ${tags.join(', ')}.`,
    values: { context, keywords, tags },
    facts: [{ label: 'Linked with', value: links.length === 1 ? '1 note' : `${links.length} notes` }],
  }),
  place: () => 'attempt',
  evolved: evolvedNote,
  edited: (note, values) => ({
    ...note,
    context: textOf(values, 'context', note.context),
    keywords: linesOf(values, 'keywords', note.keywords),
    tags: linesOf(values, 'tags', note.tags),
  }),
})
