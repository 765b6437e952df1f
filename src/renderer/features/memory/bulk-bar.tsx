import {
  Download,
  EyeOff,
  FolderInput,
  ListChecks,
  Merge,
  Pin,
  Tag,
  Trash2,
  Undo2,
} from '../../components/icons'
import { useState } from 'react'
import type { ItemStep, ItemDetails, ItemRow } from '../../../shared/domain/item'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { MOST_PICKED } from '../../stores/items'
import { useServices, useStored } from '../../stores/use-services'
import { MoveDialog, TagDialog } from './tag-dialog'
import { useItemChanges } from './use-item-changes'

const DIALOGS = [
  { value: 'tags', label: 'Tag…', icon: Tag, least: 1 },
  { value: 'merge', label: 'Merge…', icon: Merge, least: 2 },
  { value: 'move', label: 'Move…', icon: FolderInput, least: 1 },
] as const

const MARKS = [
  { mark: 'pinned', label: 'Pin', done: 'Pinned', icon: Pin },
  { mark: 'muted', label: 'Mute', done: 'Muted', icon: EyeOff },
] as const

/** Several items are chosen and changed at once, each change with one undo. */
export function BulkBar() {
  const { ui } = useServices()
  const { memoryId, picked, total, pickAll, setPicked, filters } = useStored('items')
  const [dialog, setDialog] = useState<(typeof DIALOGS)[number]['value'] | null>(null)
  const { all } = useItemChanges()
  const { report } = useUndo()
  if (picked === null) {
    if (total < 2) return null
    return (
      <div>
        <Button size="small" look="quiet" icon={ListChecks} onClick={() => setPicked([])}>
          Choose several
        </Button>
      </div>
    )
  }
  const none = picked.length === 0
  const refs = picked.map(({ kind, id }) => ({ kind, id }))
  const { setTransfer } = ui.getState()
  const change = async (make: (ref: { kind: string; id: string }) => ItemStep, title: string) => {
    const steps = refs.map(make)
    const isDone = report(await all(steps, { title, detail: plural(steps.length, 'item') }))
    if (isDone) setPicked([])
  }
  const oneKind = new Set(picked.map(({ kind }) => kind)).size === 1
  return (
    <div
      role="group"
      aria-label="Change several"
      className="flex w-full flex-wrap items-center gap-1 rounded-md bg-sunken p-1.5"
    >
      <span role="status" className="px-1 text-sm">
        {plural(picked.length, 'item')} chosen
      </span>
      <Button size="small" look="quiet" onClick={() => void pickAll().then(report)}>
        {total > MOST_PICKED ? `Choose the first ${MOST_PICKED}` : 'Choose all listed'}
      </Button>
      {MARKS.map(({ mark, label, done, icon }) => (
        <Button
          key={mark}
          size="small"
          icon={icon}
          disabled={none}
          onClick={() => void change((ref) => ({ do: 'mark', ref, mark }), done)}
        >
          {label}
        </Button>
      ))}
      {filters.state === 'live' ? null : (
        <Button
          size="small"
          icon={Undo2}
          disabled={none}
          onClick={() => void change((ref) => ({ do: 'restore', ref }), 'Restored')}
        >
          {filters.state === 'waiting' ? 'Take out of quarantine' : 'Restore'}
        </Button>
      )}
      {DIALOGS.map(({ value, label, icon, least }) => (
        <Button
          key={value}
          size="small"
          icon={icon}
          disabled={picked.length < least || (value === 'merge' && !oneKind)}
          onClick={() => setDialog(value)}
        >
          {label}
        </Button>
      ))}
      <Button
        size="small"
        icon={Download}
        disabled={none || memoryId === null}
        onClick={() =>
          memoryId !== null && setTransfer({ kind: 'export', memoryId, kinds: null, items: refs })
        }
      >
        Export…
      </Button>
      <Button
        size="small"
        look="danger"
        icon={Trash2}
        disabled={none}
        onClick={() => void change((ref) => ({ do: 'delete', ref }), 'Deleted')}
      >
        Delete
      </Button>
      <Button size="small" look="quiet" onClick={() => setPicked(null)}>
        Done
      </Button>
      {dialog === 'tags' ? <TagDialog rows={picked} onClose={() => setDialog(null)} /> : null}
      {dialog === 'move' ? <MoveDialog refs={picked} onClose={() => setDialog(null)} /> : null}
      {dialog === 'merge' ? <MergeDialog rows={picked} onClose={() => setDialog(null)} /> : null}
    </div>
  )
}

/** What the first of some items says in each field, with what the others add below. */
const proposalOf = (
  items: readonly ItemDetails[],
  texts: readonly { readonly key: string; readonly kind: string }[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    texts.map(({ key, kind }) => {
      const messages = items.map((item) => item.values[key]).filter((one) => typeof one === 'string')
      const different = [...new Set(messages)].filter((one) => one !== '')
      return [key, kind === 'line' ? (different[0] ?? '') : different.join('\n\n')]
    }),
  )

/** Several items of one kind become one. What the first says is proposed, with what the others add below. */
function MergeDialog({ rows, onClose }: { rows: readonly ItemRow[]; onClose: () => void }) {
  const { client, items } = useServices()
  const { merge } = useItemChanges()
  const memoryId = useStored('items', (state) => state.memoryId)
  const [first] = rows
  const fields =
    useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === first?.kind)?.fields) ?? []
  const texts = fields.filter(({ kind }) => kind === 'text' || kind === 'line')
  const read = useQuery(
    `merge ${rows.map(({ id }) => id).join(' ')}`,
    memoryId === null
      ? null
      : () => Promise.all(rows.map(({ kind, id }) => client.items.show({ memoryId, kind, id }))),
  )
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>({})
  const values = read.data && { ...proposalOf(read.data, texts), ...changes }
  return (
    <FormDialog
      title={`Make one of ${rows.length}`}
      description="The first one keeps its history and reads like this; the others are deleted. It can be taken back."
      submit={{ label: 'Merge' }}
      ready={values !== null}
      onSubmit={async () => {
        const problem = await merge(rows, values ?? {})
        if (problem === null) items.getState().setPicked(null)
        return problem
      }}
      onClose={onClose}
    >
      {values === null
        ? read.unread('the items')
        : texts.map(({ key, label, kind }) => (
            <TextArea
              key={key}
              label={label}
              rows={kind === 'line' ? 1 : 6}
              value={values[key] ?? ''}
              onChange={(text) => setChanges({ ...changes, [key]: text })}
            />
          ))}
    </FormDialog>
  )
}
