import { useState } from 'react'
import type { Signer } from '../../../shared/domain/signer'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { TextField } from '../../ground/text-field'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Whose bundles are believed: naming a signer, taking that back, and a new key of this Loam's own. */
export function Signers() {
  const { client } = useServices()
  const [fingerprint, setFingerprint] = useState('')
  const [name, setName] = useState('')
  const { attempt, problem: failure } = useAttempt()
  const { data, unread, reload } = useQuery('signers', () => client.sharing.signers())
  const change = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) reload()
  }
  const isWhole = /^[0-9a-f]{64}$/.test(fingerprint.trim()) && name.trim() !== ''
  return (
    <TitledSection
      title="Signers of bundles"
      lead="A bundle of somebody who is not here waits in quarantine. An import shows who signed it."
    >
      {failure ? <ErrorNotice problem={failure} /> : null}
      <Form
        className="flex flex-wrap items-end gap-3"
        onSubmit={() => {
          if (isWhole)
            void change(async () => {
              await client.sharing.knowSigner({ fingerprint: fingerprint.trim(), name: name.trim() })
              setFingerprint('')
              setName('')
            })
        }}
      >
        <TextField
          label="Fingerprint"
          width="w-96"
          value={fingerprint}
          onChange={setFingerprint}
          maxLength={64}
        />
        <TextField label="Name of the signer" width="w-56" value={name} onChange={setName} maxLength={200} />
        <Button type="submit" disabled={!isWhole}>
          Believe this signer
        </Button>
      </Form>
      {data ? null : unread('the signers')}
      <ul className="flex flex-col gap-2">
        {data?.map((signer) => (
          <SignerRow
            key={signer.fingerprint}
            signer={signer}
            onRevoke={() =>
              void change(() => client.sharing.revokeSigner({ fingerprint: signer.fingerprint }))
            }
            onRotate={() => void change(() => client.sharing.rotateKey())}
          />
        ))}
      </ul>
    </TitledSection>
  )
}

const STATES = {
  known: 'believed',
  revoked: 'no longer believed',
  replaced: 'another key took its place',
} as const

function SignerRow(props: { signer: Signer; onRevoke(): void; onRotate(): void }) {
  const { fingerprint, name, state, own } = props.signer
  return (
    <li className="flex flex-wrap items-center gap-3 text-sm">
      <span className="font-medium">{name}</span>
      <span className="text-muted">{own ? 'your own key' : STATES[state]}</span>
      <code className="[overflow-wrap:anywhere]">{fingerprint}</code>
      {own ? (
        <Button size="small" onClick={props.onRotate}>
          Take a new key
        </Button>
      ) : state === 'known' ? (
        <Button size="small" look="danger" onClick={props.onRevoke}>
          Revoke
        </Button>
      ) : null}
    </li>
  )
}
