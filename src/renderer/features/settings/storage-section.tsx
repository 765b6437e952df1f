import { Trash2, Undo2 } from '../../components/icons'
import { useState, type ReactNode } from 'react'
import type { Kept, TrashItem } from '../../../shared/domain/storage'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, formatWhen, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { KeptActions, useKeptReload, type KeptItem } from '../../ground/kept-actions'
import { useOwnRuns } from '../../ground/own-runs'
import { runTitle } from '../../ground/run-title'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { nameOfMemory } from '../../stores/memories'
import { useServices, useStored } from '../../stores/use-services'

const SHOWN = optionsOf({ memory: 'Memories', run: 'Runs', experiment: 'Experiments', trash: 'Trash' })
type Listed = Exclude<Kept['what'], 'stream'>
type Shown = (typeof SHOWN)[number]['value']
const PLURALS = { memory: 'memories', run: 'runs', experiment: 'experiments' } as const

/** What memories, runs and experiments take on disk; each can be renamed, thrown away and put back. */
export function StorageSection() {
  const { client, ui } = useServices()
  const reload = useKeptReload()
  const { report } = useUndo()
  const [view, setShown] = useState<Shown>('memory')
  const use = useQuery('use', () => client.storage.use())
  const trash = useQuery('trash', () => client.storage.trash())
  const getChange = () => {
    use.reload()
    trash.reload()
    reload()
  }
  const attempt: Attempt = (act) => refusalOf(act().then(getChange))
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
      title="What is kept"
      lead="What it takes on this machine. What is thrown away waits in the trash until you empty it."
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
        <KeptList what={view} bytes={use.data[PLURALS[view]]} onChange={getChange} />
      )}
    </TitledSection>
  )
}

type Attempt = (act: () => Promise<unknown>) => Promise<LoamErrorShape | null>

function KeptList(props: { what: Listed; bytes: Readonly<Record<string, number>>; onChange(): void }) {
  const { what, bytes, onChange } = props
  const rows = useKept(what)
  if (rows.length === 0) return <p className="rounded-lg border bg-surface p-4 text-muted">Nothing yet.</p>
  return (
    <ul aria-label="Kept" className="max-h-96 divide-y overflow-y-auto rounded-lg border bg-surface">
      {rows.map((row) => (
        <StoredRow key={row.id} name={row.name} detail={row.detail} bytes={bytes[row.id]}>
          <KeptActions item={row} onChange={onChange} />
        </StoredRow>
      ))}
    </ul>
  )
}

function StoredRow(props: { name: string; detail: string; bytes: number | undefined; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-1.5 pr-2 pl-4">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{props.name}</span>
        <span className="block truncate text-xs text-muted">{props.detail}</span>
      </span>
      <span className="shrink-0 text-sm text-muted">
        {props.bytes === undefined ? '' : formatBytes(props.bytes)}
      </span>
      {props.children}
    </li>
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
          <StoredRow
            key={trashId}
            name={name}
            detail={`${what}, thrown away ${formatWhen(at)}`}
            bytes={bytes}
          >
            <Button
              size="small"
              icon={Undo2}
              onClick={() => void props.attempt(() => client.storage.restore({ trashId })).then(report)}
            >
              Put back
            </Button>
          </StoredRow>
        ))}
      </ul>
      <Button look="danger" icon={Trash2} className="self-start" onClick={props.onEmpty}>
        Empty the trash
      </Button>
    </>
  )
}

/** A memory, run or experiment in a list. */
interface KeptRow extends KeptItem {
  readonly detail: string
}

/** Every memory, run or experiment, newest first; runs that are cells of an experiment have their place in it. */
function useKept(what: Listed): readonly KeptRow[] {
  const memoryList = useStored('memories', (state) => state.memories)
  const runList = useOwnRuns()
  const heads = useStored('experiments', (state) => state.heads)
  const methodList = useStored('methods', (state) => state.data)
  const streamList = useStored('streams', (state) => state.data)
  switch (what) {
    case 'memory':
      return memoryList.map(({ id, name, role, cases, createdAt }) => ({
        id,
        name: nameOfMemory({ name, role }),
        ownName: name,
        what,
        canGo: role !== 'mine',
        detail: `${plural(cases, 'case')}, ${formatWhen(createdAt)}`,
      }))
    case 'run':
      return runList.map((run) => ({
        id: run.id,
        name: runTitle(run, methodList, streamList),
        ownName: run.name ?? '',
        ...{ what, canGo: true },
        detail: `seed ${run.config.seed}, ${plural(run.done, 'task')}, ${formatWhen(run.createdAt)}`,
      }))
    case 'experiment':
      return heads.map(({ id, name, createdAt }) => ({
        id,
        name,
        ownName: name,
        ...{ what, canGo: true },
        detail: formatWhen(createdAt),
      }))
  }
}
