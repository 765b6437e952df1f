import { Plus } from '../../components/icons'
import { useState } from 'react'
import { modelServerSchema } from '../../../shared/domain/model-server'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

interface ServerDialogProps {
  /** The one that is changed; null for another one. */
  before: { readonly name: string; readonly url: string; readonly key: boolean } | null
  /** Names that other servers have. */
  taken: readonly string[]
  onClose(): void
  onSaved(): void
}

/** Name, address and key of a model server. The key goes into the store of secrets and never comes out. */
export function ServerDialog({ before, taken, onClose, onSaved }: ServerDialogProps) {
  const { client } = useServices()
  const [name, setName] = useState(before?.name ?? '')
  const [url, setUrl] = useState(before?.url ?? '')
  const [key, setKey] = useState('')
  const server = { name: name.trim(), url: url.trim() }
  const wrong = wrongWith(server, before ? [] : taken)
  return (
    <FormDialog
      title={before ? `Change ${before.name}` : 'Add a model server'}
      description="Its models then stand beside those on this machine, for every role."
      submit={before ? { label: 'Save' } : { label: 'Add', icon: Plus }}
      ready={wrong === null}
      {...(wrong !== null && name !== '' && url !== '' && { note: wrong })}
      onClose={onClose}
      onSubmit={() => refusalOf(client.servers.save({ server, ...(key !== '' && { key }) }).then(onSaved))}
    >
      <TextField
        label="Name"
        hint="Yours to choose: lower-case letters, digits, dots and hyphens."
        value={name}
        disabled={before !== null}
        onChange={setName}
      />
      <TextField
        label="Address"
        hint="Up to where /chat/completions begins, as http://127.0.0.1:11434/v1"
        value={url}
        autoFocus={before !== null}
        onChange={setUrl}
      />
      <TextField
        label="Key"
        hint={
          before?.key === true
            ? 'One is kept. Left empty, it stays.'
            : 'Only where the server asks for one. It is kept apart and never shown again.'
        }
        type="password"
        autoComplete="off"
        value={key}
        onChange={setKey}
      />
    </FormDialog>
  )
}

/** Why a server cannot be kept so, in words; null when it can. */
function wrongWith(server: { name: string; url: string }, claims: readonly string[]): string | null {
  if (claims.includes(server.name)) return `There is a server called ${server.name} already.`
  const path = modelServerSchema.omit({ provider: true }).safeParse(server).error?.issues[0]?.path[0]
  if (path === undefined) return null
  return path === 'name'
    ? 'The name: lower-case letters, digits, dots and hyphens, at most 40.'
    : 'The address begins with http:// or https:// and names a server.'
}
