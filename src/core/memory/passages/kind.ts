import { placeWords } from '../../../shared/domain/files'
import { text, textOf } from '../items/field'
import { learnedKind } from '../items/learned-kind'
import { PASSAGE_KIND, passageSchema, passageText, type Passage } from './passage'

const base = learnedKind<Passage>({
  info: {
    id: PASSAGE_KIND,
    title: 'Passage',
    titleMany: 'Passages',
    help: 'A part of one of your own files that agents may read.',
    fields: [text('note', 'Note', { optional: true })],
    ownFiles: true,
  },
  schema: passageSchema,
  keys: (passage) => [passageText(passage), ''],
  view: (passage) => ({
    title: placeWords(passage),
    text: passageText(passage),
    values: { note: passage.note },
    facts: [
      { label: 'File', value: passage.path },
      { label: 'Lines', value: `${passage.from} to ${passage.to}` },
    ],
  }),
  shownAs: 'apart',
  stays: 'A passage follows its file: let the other memory read that folder.',
  place: () => 'document',
  edited: (passage, values) => ({ ...passage, note: textOf(values, 'note', passage.note) }),
  key: ({ text: whole }) => whole,
})

/** Parts of files in folders that a person let the memory read. Kept in step with the files; a person may add a note. */
export const passages: typeof base = {
  ...base,
  async teller(source, id) {
    const passage = (await source.memory(id)) as Passage | null
    return passage && { origin: 'file', by: passage.path }
  },
}
