import { useState } from 'react'
import type { ItemRow, ItemRef } from '../../../shared/domain/item'
import { plural } from '../../components/format'
import { SwitchLine } from '../../components/switch'
import { FormDialog } from '../../ground/form-dialog'
import { SelectField } from '../../ground/select'
import { TextField } from '../../ground/text-field'
import { useServices, useStored } from '../../stores/use-services'
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

/** Puts items into another memory; one change over both, with one undo. */
export function MoveDialog({ refs, onClose }: { refs: readonly ItemRef[]; onClose(): void }) {
  const { items } = useServices()
  const { move } = useItemChanges()
  const here = useStored('items', (state) => state.memoryId)
  const others = useStored('memories', (state) => state.memories).filter(({ id }) => id !== here)
  const [target, setTarget] = useState<string | null>(null)
  const [copy, setCopy] = useState(false)
  const name = others.find(({ id }) => id === target)?.name
  return (
    <FormDialog
      title={`Move ${plural(refs.length, 'item')} to another memory`}
      description="Marks and tags go along. The attempts behind them stay here."
      submit={{ label: copy ? 'Copy' : 'Move' }}
      ready={name !== undefined}
      onSubmit={async () => {
        const problem = target === null ? null : await move(refs, target, name ?? target, copy)
        if (problem !== null) return problem
        items.getState().setPicked(null)
        // What is open would read as deleted.
        if (!copy) void items.getState().show(null)
        return null
      }}
      onClose={onClose}
    >
      <SelectField
        label="Memory"
        value={target}
        placeholder={others.length === 0 ? 'There is no other memory' : 'Choose a memory'}
        options={others.map(({ id, name: title }) => ({ value: id, label: title }))}
        onChange={setTarget}
      />
      <SwitchLine label="Keep a copy here" checked={copy} onChange={setCopy} />
    </FormDialog>
  )
}
