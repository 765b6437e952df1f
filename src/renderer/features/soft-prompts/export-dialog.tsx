import { useState } from 'react'
import { useStore } from 'zustand'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Writes a soft prompt into a folder of the machine Loam runs on. */
export function ExportDialog({ adapter, onClose }: { adapter: string; onClose(): void }) {
  const { client, softPrompts: consolidation, toasts } = useServices()
  const memoryId = useStore(consolidation, (state) => state.memoryId)
  const [folder, setFolder] = useState('')
  const write = async () => {
    if (memoryId === null) return null
    const to = folder.trim() === '' ? null : folder.trim()
    try {
      const output = await client.softPrompts.export({ memoryId, adapter, folder: to })
      toasts.getState().tell('Soft prompt exported', output.folder)
      return null
    } catch (error) {
      return errorShape(error)
    }
  }
  return (
    <FormDialog
      title="Export to a folder"
      description="Adapter, description, and a README that shows how llama.cpp serves it."
      submit={{ label: 'Export', busy: 'Exporting…' }}
      onSubmit={write}
      onClose={onClose}
    >
      <TextField
        label="Folder"
        hint="A full path. Empty: a folder of its own under Loam’s exports."
        value={folder}
        spellCheck={false}
        onChange={(next) => setFolder(next)}
      />
    </FormDialog>
  )
}
