import { Plus } from 'lucide-react'
import { useState } from 'react'
import { connectionSchema } from '../../../shared/domain/connection'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

interface ConnectionDialogProps {
  onClose(): void
  onSaved(): void
}

/** Name, address and key of a model server. The key goes into the store of secrets and never comes out. */
export function ConnectionDialog({ onClose, onSaved }: ConnectionDialogProps) {
  const { client } = useServices()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [key, setKey] = useState('')
  const connection = { name: name.trim(), url: url.trim() }
  const wrong = connectionSchema.omit({ provider: true }).safeParse(connection).error?.issues[0]
  return (
    <FormDialog
      title="Add a model server"
      description="Its models then stand beside those on this machine, for every role."
      submit={{ label: 'Add', icon: Plus }}
      ready={wrong === undefined}
      {...(wrong && name !== '' && url !== '' && { note: `${wrong.path.join('.')}: ${wrong.message}` })}
      onClose={onClose}
      onSubmit={() =>
        refusalOf(client.connections.save({ connection, ...(key !== '' && { key }) }).then(onSaved))
      }
    >
      <TextField
        label="Name"
        hint="Yours to choose: lower-case letters, digits, dots and hyphens."
        value={name}
        onChange={setName}
      />
      <TextField
        label="Address"
        hint="Up to where /chat/completions begins, as http://127.0.0.1:11434/v1"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Key"
        hint="Only where the server asks for one. It is kept apart and never shown again."
        type="password"
        autoComplete="off"
        value={key}
        onChange={setKey}
      />
    </FormDialog>
  )
}
