import { Pencil, Trash2 } from '../components/icons'
import { useState } from 'react'
import type { Kept } from '../../shared/domain/storage'
import { IconButton } from '../components/icon-button'
import { refusalOf } from '../stores/error-shape'
import { useServices } from '../stores/use-services'
import { NameDialog } from './form-dialog'
import { useUndo } from './use-undo'

/** A memory, run, experiment or stream that can be renamed and thrown away. */
export interface KeptItem extends Kept {
  /** What it is called on screen. */
  readonly name: string
  /** The name that can be changed; empty where it has none of its own, null where it cannot be changed. */
  readonly ownName: string | null
  /** Whether it can be thrown away: what works and My memory cannot. */
  readonly canGo: boolean
}

/** Reads the lists of memories, runs, experiments and streams again. */
export function useKeptReload(): () => void {
  const { memories, runs, experiments, streams } = useServices()
  return () => {
    void streams.getState().reload()
    void memories.getState().reload()
    void runs.getState().load()
    void experiments.getState().load()
  }
}

/** Renames and throws away what is shown, and offers to put it back. `onChange`: reads what is shown again. Default: the lists. */
export function KeptActions({ item, onChange }: { item: KeptItem; onChange?: () => void }) {
  const { client } = useServices()
  const reload = useKeptReload()
  const { report, offer } = useUndo()
  const [renaming, setRenaming] = useState(false)
  const { what, id, name, ownName, canGo } = item
  const attempt = (act: () => Promise<unknown>) => refusalOf(act().then(onChange ?? reload))
  const remove = async () => {
    let trashId = ''
    const refused = await attempt(async () => {
      trashId = (await client.storage.remove({ what, id })).trashId
    })
    if (report(refused))
      offer({ title: `“${name}” is in the trash`, detail: 'It stays there until you empty it.' }, () =>
        attempt(() => client.storage.restore({ trashId })),
      )
  }
  return (
    <>
      {ownName === null ? null : (
        <IconButton icon={Pencil} label={`Rename ${name}`} onClick={() => setRenaming(true)} />
      )}
      {canGo ? <IconButton icon={Trash2} label={`Throw away ${name}`} onClick={() => void remove()} /> : null}
      {renaming ? (
        <NameDialog
          title={`Rename “${name}”`}
          description={
            what === 'run'
              ? 'Without a name it is called by its method and stream.'
              : 'Its files stay where they are; only its name changes.'
          }
          submit={{ label: 'Rename', busy: 'Renaming…' }}
          name={ownName ?? ''}
          optional={what === 'run'}
          maxLength={120}
          onName={(next) => attempt(() => client.storage.rename({ what, id, name: next }))}
          onClose={() => setRenaming(false)}
        />
      ) : null}
    </>
  )
}
