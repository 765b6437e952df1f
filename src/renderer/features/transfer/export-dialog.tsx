import { Download } from '../../components/icons'
import { useState } from 'react'
import type { ExportKind, ExportPreview } from '../../../shared/domain/item-transfer'
import { SmallFold } from '../../components/fold'
import { formatBytes, formatCount, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { SwitchLine } from '../../components/switch'
import { blobOf } from '../../ground/bytes'
import { FormDialog } from '../../ground/form-dialog'
import { saveBlob, saveText } from '../../ground/save-text'
import { memoryOptions, SelectField } from '../../ground/select'
import { TextField } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import type { ExportRequest } from '../../stores/ui'
import { useServices, useStored } from '../../stores/use-services'
import { KindChoice } from './kind-choice'

const BUNDLE = 'bundle'
/** So that a switch that is turned twice is asked about once. */
const PAUSE_MS = 150

/** Takes a memory, or some of its items, along as a file: its format, what is in it, and what stays here. */
export function ExportDialog({ request, onClose }: { request: ExportRequest; onClose(): void }) {
  const { client, toasts } = useServices()
  const list = useStored('memories', (state) => state.memories)
  const allKinds = useStored('memoryKinds', ({ data }) => data) ?? []
  const formats = useQuery('formats', () => client.items.formats())
  const { items } = request
  const [memoryId, setMemoryId] = useState(request.memoryId)
  const [format, setFormat] = useState<string | null>(null)
  const [kinds, setKinds] = useState(request.kinds)
  const [redact, setRedact] = useState(false)
  const [sign, setSign] = useState(false)
  const [licence, setLicence] = useState('')
  const writable = (formats.data ?? []).filter(({ writes }) => writes)
  const choice = writable.find(({ id }) => id === format) ?? writable[0]
  const isBundle = choice?.id === BUNDLE
  const exportChoice = {
    ...{ memoryId, format: choice?.id, redact, sign: isBundle && sign },
    kinds: kinds && [...kinds],
    items: items && [...items],
    licence: isBundle && licence.trim() !== '' ? licence.trim() : null,
  }
  const { data: preview, problem } = useQuery(
    `${memoryId} ${choice?.id}`,
    choice ? (signal) => client.items.previewExport(exportChoice, { signal }) : null,
    JSON.stringify([kinds, redact]),
    PAUSE_MS,
  )
  const usual = ['attempts', ...allKinds.flatMap((kind) => (kind.ownFiles ? [] : [kind.id])), 'rubrics']
  const has = (kind: string): boolean => (kinds ?? usual).includes(kind)
  const toggle = (kind: string) => {
    const all = ['attempts', ...allKinds.map(({ id }) => id), 'rubrics']
    const next = all.filter((one) => (one === kind) !== has(one))
    setKinds(next.join() === usual.join() ? null : next)
  }
  const save = () =>
    refusalOf(
      client.items.export(exportChoice).then(({ fileName, bytes, data }) => {
        if (data?.encoding === 'utf8') saveText(fileName, data.text)
        else saveBlob(fileName, blobOf(data?.text ?? ''))
        toasts.getState().tell(`Exported ${fileName}`, formatBytes(bytes))
      }),
    )
  const total = preview?.kinds.reduce((sum, { written }) => sum + written, 0) ?? 0
  return (
    <FormDialog
      title="Export"
      description={
        items
          ? `Writes ${plural(items.length, 'item')} into a file.`
          : 'Writes a memory into a file for you, for others or for another program.'
      }
      className="w-[min(640px,calc(100vw-32px))]"
      submit={{ label: 'Save file', busy: 'Writing…', icon: Download }}
      ready={total > 0}
      note={preview ? sizeWords(preview, isBundle) : ''}
      problem={formats.problem ?? problem}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="flex flex-wrap gap-4 [&>*]:min-w-56 [&>*]:flex-1">
        {items ? null : (
          <SelectField
            label="Memory"
            name="Memory to export"
            value={memoryId}
            options={memoryOptions(list)}
            onChange={setMemoryId}
          />
        )}
        <SelectField
          label="Format"
          value={choice?.id ?? null}
          placeholder="No format"
          options={writable.map(({ id: value, title }) => ({ value, label: title }))}
          onChange={setFormat}
        />
      </div>
      {choice ? (
        <p className="text-xs text-muted">
          {choice.keeps} <span className="block">Left out: {choice.loses}</span>
        </p>
      ) : null}
      {preview === null ? (
        (problem ?? formats.problem) ? null : (
          <Loading what="what would be in the file" />
        )
      ) : items ? null : preview.kinds.length === 0 ? (
        <p className="text-sm">This memory holds nothing yet.</p>
      ) : (
        <KindChoice
          label="What is in the file"
          rows={preview.kinds.map((kind) => ({ ...kind, count: kind.written, detail: detailOf(kind) }))}
          has={has}
          onToggle={toggle}
        />
      )}
      <SwitchLine
        label="Take secrets out"
        checked={redact}
        onChange={setRedact}
        detail={secretWords(Object.entries(preview?.secrets ?? {}), redact)}
      />
      {isBundle ? (
        <BundleChoice
          isWhole={preview === null ? null : preview.commits !== null}
          {...{ sign, licence }}
          onSign={setSign}
          onLicence={setLicence}
        />
      ) : null}
      {preview?.sample ? (
        <SmallFold title="How it begins" look="text-sm text-muted">
          <pre className="mt-2 max-h-40 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
            {preview.sample}
          </pre>
        </SmallFold>
      ) : null}
    </FormDialog>
  )
}

/** A preview of a bundle is made without its vectors. */
const sizeWords = ({ fileName, bytes }: ExportPreview, isBundle: boolean): string =>
  `${fileName}, ${isBundle ? 'at least' : 'about'} ${formatBytes(bytes)}`

/** What only a bundle can have. */
function BundleChoice(props: {
  /** Whether its history comes along; null until that is known. */
  isWhole: boolean | null
  sign: boolean
  licence: string
  onSign(sign: boolean): void
  onLicence(licence: string): void
}) {
  return (
    <>
      {props.isWhole === null ? null : (
        <p className="text-xs text-muted">
          {props.isWhole
            ? 'With its history: imported into an empty memory it makes an equal one.'
            : 'In part: items without their history.'}
        </p>
      )}
      <SwitchLine
        label="Sign it"
        checked={props.sign}
        onChange={props.onSign}
        detail="With the key of this data folder. Tell who gets the bundle its fingerprint: it stands in Settings, Connected programs."
      />
      <TextField
        label="Licence"
        hint="Such as CC-BY-4.0; may stay empty."
        width="max-w-80"
        value={props.licence}
        onChange={props.onLicence}
      />
    </>
  )
}

const detailOf = ({ total, written, why }: ExportKind): string =>
  why === null ? '' : `${formatCount(total - written)} stay: ${why}`

function secretWords(matches: readonly (readonly [string, number])[], redact: boolean): string {
  if (matches.length === 0) return 'Loam looked for keys, tokens, passwords and home folders: there are none.'
  const words = matches.map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return redact ? `Taken out: ${words}.` : `The file will hold them: ${words}.`
}
