import { useState } from 'react'
import type { LoamErrorShape } from '../../../shared/errors'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import type { KeptRow } from './use-kept'

/** Gives a memory, run or experiment another name. */
export function RenameDialog(props: {
  row: KeptRow
  onRename(name: string): Promise<LoamErrorShape | null>
  onClose(): void
}) {
  const { row, onRename, onClose } = props
  const [name, setName] = useState(row.ownName)
  return (
    <FormDialog
      title={`Rename “${row.name}”`}
      description={
        row.mayBeEmpty
          ? 'Without a name it is called by its method and stream.'
          : 'Its files stay where they are; only its name changes.'
      }
      submit={{ label: 'Rename', busy: 'Renaming…' }}
      ready={row.mayBeEmpty || name.trim() !== ''}
      onSubmit={() => onRename(name)}
      onClose={onClose}
    >
      <TextField label="Name" value={name} maxLength={120} onChange={setName} />
    </FormDialog>
  )
}
