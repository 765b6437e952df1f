import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Kept, TrashItem } from '../../../shared/domain/storage'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, formatWhen, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { RenameDialog } from './rename-dialog'
import { useKept, type KeptRow } from './use-kept'

const SHOWN = optionsOf({ memory: 'Memories', run: 'Runs', experiment: 'Experiments', trash: 'Trash' })
type Shown = (typeof SHOWN)[number]['value']
const PLURALS = { memory: 'memories', run: 'runs', experiment: 'experiments' } as const

/** What memories, runs and experiments take on disk; each can be renamed, thrown away and put back. */
export function StorageSection() {
  const { client, memories, runs, experiments, ui } = useServices()
  const { report } = useUndo()
  const [view, setShown] = useState<Shown>('memory')
  const use = useQuery('use', () => client.storage.use())
  const trash = useQuery('trash', () => client.storage.trash())
  const getChange = () => {
    use.reload()
    trash.reload()
    void memories.getState().reload()
    void runs.getState().load()
    void experiments.getState().load()
  }
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act()
      getChange()
      return null
    } catch (error) {
      return errorShape(error)
    }
  }
  const empty = () =>
    ui.getState().ask({
      title: 'Empty the trash?',
      words: `${plural(trash.data?.length ?? 0, 'thing')}, ${formatBytes(use.data?.trash ?? 0)}: they are deleted for good.`,
      no: 'Keep them',
      answers: [
        {
          label: 'Delete for good',
          danger: true,
          run: () => void attempt(() => client.storage.empty({ trashIds: null })).then(report),
        },
      ],
    })
  const problem = use.problem ?? trash.problem
  return (
    <TitledSection
      title="Storage"
      lead="What is kept on this machine, and what it takes. What is thrown away waits in the trash until you empty it."
      action={<Segmented<Shown> label="What to show" value={view} options={SHOWN} onChange={setShown} />}
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={getChange} /> : null}
      {!use.data || !trash.data ? (
        problem ? null : (
          <Loading what="the storage" />
        )
      ) : view === 'trash' ? (
        <Trash items={trash.data} attempt={attempt} onEmpty={empty} />
      ) : (
        <KeptList what={view} bytes={use.data[PLURALS[view]]} attempt={attempt} />
      )}
    </TitledSection>
  )
}

type Attempt = (act: () => Promise<unknown>) => Promise<ReturnType<typeof errorShape> | null>

function KeptList(props: { what: Kept['what']; bytes: Readonly<Record<string, number>>; attempt: Attempt }) {
  const { what, bytes, attempt } = props
  const { client } = useServices()
  const { report, offer } = useUndo()
  const rows = useKept(what)
  const [renaming, setRenaming] = useState<KeptRow | null>(null)
  const remove = async ({ id, name }: KeptRow) => {
    let discarded: TrashItem | null = null
    const refused = await attempt(async () => {
      discarded = await client.storage.remove({ what, id })
    })
    if (!report(refused)) return
    offer({ title: `“${name}” is in the trash`, detail: 'It stays there until you empty it.' }, () =>
      attempt(() => client.storage.restore({ trashId: (discarded as TrashItem | null)?.trashId ?? '' })),
    )
  }
  if (rows.length === 0) return <p className="rounded-lg border bg-surface p-4 text-muted">Nothing yet.</p>
  return (
    <>
      <ul aria-label="Kept" className="max-h-96 divide-y overflow-y-auto rounded-lg border bg-surface">
        {rows.map((row) => (
          <li key={row.id} className="flex items-center gap-3 py-1.5 pr-2 pl-4">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{row.name}</span>
              <span className="block truncate text-xs text-muted">{row.detail}</span>
            </span>
            <span className="shrink-0 text-sm text-muted">
              {bytes[row.id] === undefined ? '' : formatBytes(bytes[row.id] ?? 0)}
            </span>
            <IconButton icon={Pencil} label={`Rename ${row.name}`} onClick={() => setRenaming(row)} />
            {row.canGo ? (
              <IconButton icon={Trash2} label={`Throw away ${row.name}`} onClick={() => void remove(row)} />
            ) : null}
          </li>
        ))}
      </ul>
      {renaming ? (
        <RenameDialog
          row={renaming}
          onRename={(name) => attempt(() => client.storage.rename({ what, id: renaming.id, name }))}
          onClose={() => setRenaming(null)}
        />
      ) : null}
    </>
  )
}

function Trash(props: { items: readonly TrashItem[]; attempt: Attempt; onEmpty(): void }) {
  const { client } = useServices()
  const { report } = useUndo()
  if (props.items.length === 0)
    return <p className="rounded-lg border bg-surface p-4 text-muted">The trash is empty.</p>
  return (
    <>
      <ul aria-label="Trash" className="max-h-96 divide-y overflow-y-auto rounded-lg border bg-surface">
        {props.items.map(({ trashId, what, name, at, bytes }) => (
          <li key={trashId} className="flex items-center gap-3 py-1.5 pr-2 pl-4">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{name}</span>
              <span className="block text-xs text-muted">
                {what}, thrown away {formatWhen(at)}
              </span>
            </span>
            <span className="shrink-0 text-sm text-muted">{formatBytes(bytes)}</span>
            <Button
              size="small"
              icon={Undo2}
              onClick={() => void props.attempt(() => client.storage.restore({ trashId })).then(report)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
      <Button look="danger" icon={Trash2} className="self-start" onClick={props.onEmpty}>
        Empty the trash
      </Button>
    </>
  )
}
