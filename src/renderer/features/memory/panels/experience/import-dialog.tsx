import { FileInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { FormDialog } from '../../../../ground/form-dialog'
import { ErrorNotice } from '../../../../components/error-notice'
import { TextField } from '../../../../ground/text-field'
import { SelectField } from '../../../../ground/select-field'
import { refusalOf } from '../../../../stores/error-shape'
import { useServices } from '../../../../stores/use-services'

/** Chooses a log file and its format, and starts reading it. Progress and report are shown above the list. */
export function ImportDialog({ memoryId, onClose }: { memoryId: string; onClose(): void }) {
  const { client, logFormats } = useServices()
  const formats = useStore(logFormats)
  const [format, setFormat] = useState<string | null>(null)
  const [path, setPath] = useState('')
  useEffect(() => {
    if (logFormats.getState().data === null) void logFormats.getState().reload()
  }, [logFormats])
  const choice = formats.data?.find(({ id }) => id === format)
  const start = async () =>
    choice ? refusalOf(client.items.importLogs({ memoryId, format: choice.id, path: path.trim() })) : null
  return (
    <FormDialog
      title="Import experiences"
      description="Reads the log of another agent. Keys, passwords and home folders are taken out on the way in."
      submit={{ label: 'Import', icon: FileInput }}
      ready={choice !== undefined && path.trim() !== ''}
      onSubmit={start}
      onClose={onClose}
    >
      {formats.problem ? (
        <ErrorNotice problem={formats.problem} alwaysRetry onRetry={() => void formats.reload()} />
      ) : null}
      <SelectField
        label="Format"
        hint={choice ? `Written for ${choice.writtenFor}.` : 'Which program wrote it?'}
        value={format}
        placeholder="Choose a format"
        options={(formats.data ?? []).map(({ id: value, title }) => ({ value, label: title }))}
        onChange={setFormat}
      />
      <TextField
        label="File"
        hint="What is in the memory already is not imported again."
        value={path}
        placeholder="Full path of the file"
        spellCheck={false}
        onChange={(next) => setPath(next)}
      />
    </FormDialog>
  )
}
