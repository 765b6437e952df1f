import { useState } from 'react'
import type { ItemField, ItemValues, MemoryKindInfo } from '../../shared/domain/item'
import type { LoamErrorShape } from '../../shared/errors'
import { optionsOf } from '../components/options'
import { Segmented } from '../components/segmented'
import { refusalOf } from '../stores/error-shape'
import { useServices } from '../stores/use-services'
import { FormDialog } from './form-dialog'
import { TextArea, TextField } from './text-field'
import { useUndo } from './use-undo'

type Value = ItemValues[string] | undefined

const OUTCOMES = {
  success: optionsOf({ 1: 'Solved', 0: 'Failed' }),
  truth: optionsOf({ 1: 'Yes', 0: 'No' }),
}

interface ItemDialogProps {
  kind: MemoryKindInfo
  title: string
  description: string
  /** What it says before anything is changed. */
  values: ItemValues
  /** What stands in the fields at first. Default: what it says. */
  start?: ItemValues
  /** Takes what was changed. Resolves to why it was refused, or null. */
  onSave(changes: ItemValues): Promise<LoamErrorShape | null>
  onClose(): void
}

/** What an item says, field by field as its kind has them. */
export function ItemDialog({
  kind,
  title,
  description,
  values,
  start = values,
  onSave,
  onClose,
}: ItemDialogProps) {
  const [draft, setDraft] = useState<ItemValues>(start)
  const gaps = kind.fields.filter((field) => !field.optional && textOf(draft[field.key]).trim() === '')
  return (
    <FormDialog
      title={title}
      description={description}
      submit={{ label: 'Save', busy: 'Saving…' }}
      ready={gaps.length === 0}
      note={gaps.length > 0 ? `Still empty: ${gaps.map(({ label }) => label).join(', ')}.` : ''}
      onSubmit={() => onSave(changedOf(draft, values, kind.fields))}
      onClose={onClose}
    >
      {kind.fields.map((field) => (
        <FieldOf
          key={field.key}
          field={field}
          value={draft[field.key]}
          onChange={(value) => setDraft({ ...draft, [field.key]: value })}
        />
      ))}
    </FormDialog>
  )
}

interface NewItemDialogProps {
  kind: MemoryKindInfo
  memoryId: string
  /** The project it belongs to; null: all of them. */
  project?: string | null
  /** What stands in its first field. Default: nothing. */
  text?: string
  onClose(): void
}

/** Writes an item by hand, of a kind that can be written so. */
export function NewItemDialog({ kind, memoryId, project = null, text = '', onClose }: NewItemDialogProps) {
  const { client, items } = useServices()
  const { offer } = useUndo()
  const [first] = kind.fields
  const start = first && text !== '' ? { [first.key]: text } : {}
  return (
    <ItemDialog
      kind={kind}
      title={`New ${kind.title.toLowerCase()}`}
      description={kind.help}
      values={{}}
      start={start}
      onSave={(values) =>
        refusalOf(
          client.items.add({ memoryId, kind: kind.id, values, project }).then(({ item, undo }) => {
            void items.getState().reload()
            const detail = undo.length > 0 ? item.title : 'It was there already.'
            const back = () =>
              refusalOf(client.items.undo({ memoryId, steps: undo }).then(() => items.getState().reload()))
            if (undo.length > 0) offer({ title: 'Remembered', detail }, back)
          }),
        )
      }
      onClose={onClose}
    />
  )
}

function FieldOf(props: { field: ItemField; value: Value; onChange(value: ItemValues[string]): void }) {
  const { field, value, onChange } = props
  switch (field.kind) {
    case 'line':
      return <TextField label={field.label} value={textOf(value)} onChange={onChange} />
    case 'day':
      return (
        <TextField
          label={field.label}
          hint="Its last day. Empty: it has no end."
          type="date"
          className="w-44"
          value={textOf(value)}
          onChange={onChange}
        />
      )
    case 'text':
      return <TextArea label={field.label} rows={8} value={textOf(value)} onChange={onChange} />
    case 'lines':
      return (
        <TextArea
          label={field.label}
          hint="One per line."
          rows={5}
          value={textOf(value)}
          onChange={(text) => onChange(text.split('\n'))}
        />
      )
    case 'success':
    case 'truth':
      return (
        <Segmented
          label={field.label}
          value={value === 1 ? '1' : value === 0 ? '0' : null}
          options={OUTCOMES[field.kind]}
          onChange={(next) => onChange(Number(next))}
        />
      )
  }
}

const textOf = (value: Value): string =>
  Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value)

/** Only what was changed; lists without their empty lines. */
function changedOf(draft: ItemValues, before: ItemValues, fields: readonly ItemField[]): ItemValues {
  return Object.fromEntries(
    fields.flatMap(({ key }) => {
      const value = draft[key]
      if (value === undefined || textOf(value) === textOf(before[key])) return []
      return [[key, Array.isArray(value) ? value.filter((line) => line.trim() !== '') : value]]
    }),
  )
}
