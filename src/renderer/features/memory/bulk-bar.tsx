import { Download, EyeOff, FolderInput, ListChecks, Merge, Pin, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ItemStep } from '../../../shared/domain/item'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { useUndo } from '../../ground/use-undo'
import { useServices } from '../../stores/use-services'
import { MergeDialog } from './merge-dialog'
import { MoveDialog } from './move-dialog'
import { TagDialog } from './tag-dialog'
import { useItemChanges } from './use-item-changes'

const MOST = 1000

const MARKS = [
  { mark: 'pinned', label: 'Pin', done: 'Pinned', icon: Pin },
  { mark: 'muted', label: 'Mute', done: 'Muted', icon: EyeOff },
] as const

/** Several items are chosen and changed at once, each change with one undo. */
export function BulkBar() {
  const { items, ui } = useServices()
  const picked = useStore(items, (state) => state.picked)
  const rows = useStore(items, (state) => state.rows)
  const total = useStore(items, (state) => state.total)
  const [dialog, setDialog] = useState<'tags' | 'merge' | 'move' | null>(null)
  const { all } = useItemChanges()
  const { report } = useUndo()
  const { setPicked } = items.getState()
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
  const change = async (make: (ref: { kind: string; id: string }) => ItemStep, title: string) => {
    const steps = picked.map(({ kind, id }) => make({ kind, id }))
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
      <Button size="small" look="quiet" onClick={() => setPicked([...rows.values()].slice(0, MOST))}>
        Choose all listed
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
      <Button size="small" icon={Tag} disabled={none} onClick={() => setDialog('tags')}>
        Tag…
      </Button>
      <Button
        size="small"
        icon={Merge}
        disabled={picked.length < 2 || !oneKind}
        onClick={() => setDialog('merge')}
      >
        Merge…
      </Button>
      <Button size="small" icon={FolderInput} disabled={none} onClick={() => setDialog('move')}>
        Move…
      </Button>
      <Button
        size="small"
        icon={Download}
        disabled={none}
        onClick={() => {
          const { memoryId } = items.getState()
          const refs = picked.map(({ kind, id }) => ({ kind, id }))
          if (memoryId !== null)
            ui.getState().setTransfer({ kind: 'export', memoryId, kinds: null, items: refs })
        }}
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
