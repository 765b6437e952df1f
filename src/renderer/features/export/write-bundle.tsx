import { Download } from 'lucide-react'
import { useState } from 'react'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes } from '../../components/format'
import { SwitchLine } from '../../components/switch-line'
import { blobOf } from '../../ground/bytes'
import { saveBlob } from '../../ground/save-text'
import { TextField } from '../../ground/text-field'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'
import { KindChoice } from './kind-choice'

/** A memory as one checked file: what goes in, what is taken out, who signs. */
export function WriteBundle({ memory }: { readonly memory: MemoryInfo }) {
  const { client, toasts } = useServices()
  const [kinds, setKinds] = useState<readonly string[] | null>(null)
  const [redact, setRedact] = useState(false)
  const [sign, setSign] = useState(false)
  const [licence, setLicence] = useState('')
  const { attempt, busy, problem: failure } = useAttempt()
  const query = useQuery('kinds', () => client.items.kinds())
  const choice = {
    memoryId: memory.id,
    kinds: kinds === null ? null : [...kinds],
    redact,
    sign,
    licence: licence.trim() === '' ? null : licence.trim(),
    provenance: null,
  }
  const { data: preview, problem } = useQuery(
    memory.id,
    () => client.sharing.exportBundle({ ...choice, preview: true }),
    // What is in the memory changes with an import.
    JSON.stringify([kinds, memory.bytes, memory.cases, memory.trajectories]),
  )
  const choices = [
    { id: 'attempts', title: 'Attempts' },
    ...(query.data ?? []).map(({ id, titleMany, ownFiles }) => ({ id, title: titleMany, ownFiles })),
    { id: 'rubrics', title: 'Rubrics' },
  ]
  const matches = Object.entries(preview?.found ?? {})
  const download = () =>
    attempt(async () => {
      const { fileName, data, bytes } = await client.sharing.exportBundle({ ...choice, preview: false })
      saveBlob(fileName, blobOf(data ?? '', 'application/zip'))
      toasts.getState().tell(`Wrote ${fileName}`, formatBytes(bytes))
    })
  return (
    <TitledSection
      title="Write a bundle"
      lead="The whole memory as one file that says what is in it, can be checked byte for byte, and can be taken back after it was read."
      action={
        <Button
          look="primary"
          icon={Download}
          disabled={busy || kinds?.length === 0}
          onClick={() => void download()}
        >
          {busy ? 'Writing…' : 'Download the bundle'}
        </Button>
      }
    >
      {failure ? <ErrorNotice problem={failure} onRetry={() => void download()} /> : null}
      {problem ? <ErrorNotice problem={problem} /> : null}
      <div className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
        <KindChoice
          kinds={choices.map((kind) => ({ ...kind, count: preview?.counts[kind.id] ?? null }))}
          chosen={kinds}
          onChange={setKinds}
        />
        <SwitchLine
          label="Take secrets out"
          checked={redact}
          onChange={setRedact}
          detail={secretWords(matches, redact)}
        />
        <SwitchLine
          label="Sign it"
          checked={sign}
          onChange={setSign}
          detail="With a key of this data folder, made the first time. Who gets the bundle sees whose it is."
        />
        <TextField
          label="Licence"
          hint="Such as CC-BY-4.0; may stay empty."
          width="max-w-80"
          value={licence}
          onChange={setLicence}
        />
      </div>
    </TitledSection>
  )
}

function secretWords(matches: readonly (readonly [string, number])[], redact: boolean): string {
  if (matches.length === 0) return 'None were found: keys, tokens, passwords, home folders.'
  const words = matches.map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return redact
    ? `Taken out: ${words}. The bundle no longer equals the memory.`
    : `Found, and left in: ${words}.`
}
