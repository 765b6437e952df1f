import { useState } from 'react'
import type { ItemField, ItemDetails, MemoryKindInfo, ItemValues } from '../../../shared/domain/item'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea, TextField } from '../../ground/text-field'
import { useItemChanges } from './use-item-changes'

type Value = ItemValues[string] | undefined

const OUTCOMES = optionsOf({ 1: 'Solved', 0: 'Failed' })

/** Rewrites what an item says, field by field as its kind has them. */
export function ItemDialog(props: { item: ItemDetails; kind: MemoryKindInfo; onClose(): void }) {
  const { item, kind, onClose } = props
  const { edit } = useItemChanges()
  const [draft, setDraft] = useState<ItemValues>(item.values)
  const gaps = kind.fields.filter((field) => !field.optional && textOf(draft[field.key]).trim() === '')
  return (
    <FormDialog
      title={`Edit the ${kind.title.toLowerCase()}`}
      description="Runs read it as it stands from now on. What it read before is kept."
      submit={{ label: 'Save', busy: 'Saving…' }}
      ready={gaps.length === 0}
      note={gaps.length > 0 ? `Still empty: ${gaps.map(({ label }) => label).join(', ')}.` : ''}
      onSubmit={() => edit(item, changedOf(draft, item.values, kind.fields))}
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

function FieldOf(props: { field: ItemField; value: Value; onChange(value: ItemValues[string]): void }) {
  const { field, value, onChange } = props
  switch (field.kind) {
    case 'line':
      return <TextField label={field.label} value={textOf(value)} onChange={onChange} />
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
      return (
        <Segmented
          label={field.label}
          value={value === 1 ? '1' : value === 0 ? '0' : null}
          options={OUTCOMES}
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
