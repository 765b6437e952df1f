import { useState } from 'react'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import type { TakePreview } from '../../shared/domain/take'
import { plural } from '../components/format'
import { Loading } from '../components/loading'
import { SwitchLine } from '../components/switch'
import { refusalOf } from '../stores/error-shape'
import { useServices } from '../stores/use-services'
import { FormDialog } from './form-dialog'
import { TextField } from './text-field'
import { useQuery } from './use-query'
import { useUndo } from './use-undo'

type KindPreview = TakePreview['kinds'][number]

/** Takes items of a lab memory into My memory: shows what that brings, kind by kind, and offers to undo it. */
export function TakeDialog({ from, onClose }: { from: MemoryInfo; onClose(): void }) {
  const { client, memories, myMemory } = useServices()
  const { offer } = useUndo()
  const { data: preview, problem } = useQuery(from.id, () => client.memories.previewTake({ from: from.id }))
  const [change, setChanged] = useState<Readonly<Record<string, boolean>>>({})
  const [project, setProject] = useState('')
  const rows = preview?.kinds ?? []
  const isOn = ({ kind, usual, fresh }: KindPreview) => fresh > 0 && (change[kind] ?? usual)
  const kinds = rows.filter(isOn).map(({ kind }) => kind)
  const items = rows.filter(isOn).reduce((sum, { fresh }) => sum + fresh, 0)
  const reread = () => {
    void memories.getState().reload()
    void myMemory.getState().reload()
  }
  const take = () =>
    refusalOf(
      client.memories
        .take({ from: from.id, kinds, project: project.trim() || null })
        .then(({ id, items }) => {
          reread()
          offer({ title: `My memory took ${plural(items.length, 'item')}`, detail: from.name }, () =>
            refusalOf(client.memories.undoTake({ takeId: id }).then(reread)),
          )
        }),
    )
  return (
    <FormDialog
      title="Take into My memory"
      description={`My memory gets copies of items of “${from.name}”. You can undo it.`}
      submit={{ label: 'Take them', busy: 'Taking…' }}
      ready={items > 0}
      note={preview ? `${plural(items, 'item')} in all` : ''}
      problem={problem}
      onSubmit={take}
      onClose={onClose}
    >
      {preview ? null : <Loading what="the items" />}
      {preview && rows.length === 0 ? <p className="text-muted">This memory holds no items.</p> : null}
      {rows.map((row) =>
        row.fresh > 0 ? (
          <SwitchLine
            key={row.kind}
            label={`${row.title}: ${row.fresh} new`}
            detail={wordsOf(row)}
            checked={isOn(row)}
            onChange={(on) => setChanged({ ...change, [row.kind]: on })}
          />
        ) : (
          <p key={row.kind} className="text-xs text-muted">
            {row.title}: {wordsOf(row)}
          </p>
        ),
      )}
      <TextField
        label="Project"
        hint="Empty: all projects share them."
        value={project}
        maxLength={100}
        onChange={setProject}
      />
    </FormDialog>
  )
}

/** What of a kind is not taken, and some of what is. */
const wordsOf = ({ same, differs, samples }: KindPreview): string =>
  [
    ...samples.map(({ title }) => `“${title}”`).slice(0, 2),
    ...(same > 0 ? [`${same} already there`] : []),
    ...(differs > 0 ? [`${differs} read differently there and stay out`] : []),
  ].join(', ')
