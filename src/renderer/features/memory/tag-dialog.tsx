import { useState } from 'react'
import type { ItemRow } from '../../../shared/domain/item'
import { plural } from '../../components/format'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import { useItemChanges } from './use-item-changes'

const MOST_TAGS = 20
const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().replace(/^#/, ''))
      .filter((tag) => tag !== ''),
  ),
]

/** What items are filed under. Of several items, tags are added and those they all have can be taken off. */
export function TagDialog({ rows, onClose }: { rows: readonly ItemRow[]; onClose: () => void }) {
  const { all } = useItemChanges()
  const [first] = rows
  const shared = (first?.tags ?? []).filter((tag) => rows.every(({ tags }) => tags.includes(tag)))
  const [text, setText] = useState(shared.join(', '))
  const targets = tagsIn(text)
  return (
    <FormDialog
      title={rows.length === 1 ? 'Tags' : `Tags of ${plural(rows.length, 'item')}`}
      description="Words to find it by, with commas between them."
      submit={{ label: 'Save' }}
      ready={targets.length <= MOST_TAGS && targets.every((tag) => tag.length <= 60)}
      onSubmit={() =>
        all(
          rows.map(({ kind, id, tags }) => ({
            do: 'tag',
            ref: { kind, id },
            tags: [...new Set([...tags.filter((tag) => !shared.includes(tag)), ...targets])].slice(
              0,
              MOST_TAGS,
            ),
          })),
          {
            title: 'Tagged',
            detail: targets.length === 0 ? 'Without tags now.' : targets.map((tag) => `#${tag}`).join(' '),
          },
        )
      }
      onClose={onClose}
    >
      <TextField label="Tags" value={text} onChange={setText} />
    </FormDialog>
  )
}
