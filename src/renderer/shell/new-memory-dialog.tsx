import { useState } from 'react'
import { FormDialog } from '../ground/form-dialog'
import { useServices } from '../stores/use-services'

/** Asks for a name and makes a memory. */
export function NewMemoryDialog({ onClose }: { onClose(): void }) {
  const { memories } = useServices()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title="New memory"
      description="An empty memory. Choose it under Memory when you start a run."
      submit={{ label: 'Create' }}
      ready={name.trim() !== ''}
      onSubmit={() => memories.getState().create(name.trim())}
      onClose={onClose}
    >
      <input
        aria-label="Name of the memory"
        value={name}
        maxLength={80}
        placeholder="For example: bookings, second try"
        onChange={(event) => setName(event.target.value)}
        className="h-8 rounded-md border bg-surface px-2.5 placeholder:text-faint"
      />
    </FormDialog>
  )
}
