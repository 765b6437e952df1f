import { Brain, Download, FileInput, Plus, Square, SquareCheck, FolderOpen } from '../../components/icons'
import { useState } from 'react'
import type { ItemRow } from '../../../shared/domain/item'
import { isForeign, originWords } from '../../../shared/domain/trust'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { IconButton } from '../../components/icon-button'
import { MarkIcon, SolvedIcon } from '../../components/row-icons'
import { Segmented } from '../../components/segmented'
import { GoButton } from '../../ground/go-to'
import { NewItemDialog } from '../../ground/item-dialog'
import { MemoryGate } from '../../ground/memory-gate'
import { RecordBrowser, PagedRecords } from '../../ground/record-browser'
import { RecordWords } from '../../ground/record-list'
import type { CasesView } from '../../stores/case-values'
import { NO_ITEM_FILTERS } from '../../stores/items'
import { useServices, useStored } from '../../stores/use-services'
import { recallWords } from '../../../shared/figures/recall-words'
import { ItemDetail, goneWords } from './item-detail'
import { LifetimeOfItems } from './lifetime'
import { MemoryFilterBar } from './memory-filter-bar'
import { KIND_PANELS, panelOf } from './panels'
import { useItemChanges } from './use-item-changes'
import { DialogButton } from '../../components/dialog'
import { FoldersDialog } from '../../ground/folders-dialog'
import { KeptActions, type KeptItem } from '../../ground/kept-actions'

/** Everything the open memory remembers, of all kinds: a searchable list and one item in full. */
export function MemoryScreen() {
  const { items, caseValues } = useServices()
  return (
    <MemoryGate icon={Brain} about="What is remembered lies in a memory." stores={[items, caseValues]}>
      {(memoryId) => <Browser memoryId={memoryId} />}
    </MemoryGate>
  )
}

/** The open memory where it can be renamed and thrown away; null for My memory, which keeps its name. */
function useLabMemory(memoryId: string): KeptItem | null {
  const memory = useStored('memories', ({ memories }) => memories.find(({ id }) => id === memoryId))
  return !memory || memory.role === 'mine'
    ? null
    : { ...{ what: 'memory', id: memoryId, canGo: true }, name: memory.name, ownName: memory.name }
}

function Browser({ memoryId }: { memoryId: string }) {
  const { caseValues, ui } = useServices()
  const list = useStored('items')
  const looked = useStored('caseValues', (state) => state.view)
  const { open, counts, filters } = list
  const views = panelOf(filters.kind)?.views ?? []
  const view = views.find(({ value }) => value === looked)
  const lab = useLabMemory(memoryId)
  return (
    <RecordBrowser
      title="Memory"
      one="item"
      list={list}
      action={
        <span className="flex items-center gap-1">
          <LifetimeOfItems key={`life ${memoryId}`} memoryId={memoryId} />
          <OwnFiles key={memoryId} memoryId={memoryId} />
          <NewItem memoryId={memoryId} />
          {lab ? <KeptActions item={lab} /> : null}
          <IconButton icon={FileInput} label="Import…" onClick={() => ui.getState().startImport()} />
          <IconButton
            icon={Download}
            label="Export…"
            onClick={() =>
              ui.getState().setTransfer({
                ...{ kind: 'export', memoryId, items: null },
                kinds: filters.kind === null ? null : [filters.kind],
              })
            }
          />
        </span>
      }
      bar={
        <>
          <MemoryFilterBar />
          {KIND_PANELS.map(({ kind, Work }) =>
            Work && (filters.kind === null || filters.kind === kind) ? (
              <Work key={`${kind} ${memoryId}`} memoryId={memoryId} />
            ) : null,
          )}
        </>
      }
      rows={<MemoryList />}
      nothing={<Nothing any={counts.some(({ live, gone }) => live + gone > 0)} />}
      {...(views.length > 0 && {
        openBar: (
          <Segmented
            label="What to look at"
            value={view?.value ?? 'case'}
            options={[{ value: 'case', label: 'One item' }, ...views]}
            onChange={(next) => caseValues.getState().look(next as CasesView)}
          />
        ),
      })}
      open={
        view ? (
          <view.View key={`${view.value} ${memoryId}`} />
        ) : (
          open && <ItemDetail key={`${open.kind}:${open.id}`} item={open} />
        )
      }
      invitation="Choose an item to read it in full, and to see whether it helped."
    />
  )
}

/** Writes an item by hand, of the kind that is listed, else of the first that can be. */
function NewItem({ memoryId, isFirst = false }: { memoryId: string; isFirst?: boolean }) {
  const all = useStored('memoryKinds', ({ data }) => data)
  const listed = useStored('items', ({ filters }) => filters.kind)
  const [open, setOpen] = useState(false)
  const kinds = all?.filter(({ adds }) => adds === true) ?? []
  const kind = kinds.find(({ id }) => id === listed) ?? kinds[0]
  if (!kind) return null
  const title = kind.title.toLowerCase()
  return (
    <>
      {isFirst ? (
        <Button icon={Plus} look="primary" onClick={() => setOpen(true)}>
          Remember a {title}…
        </Button>
      ) : (
        <IconButton icon={Plus} label={`New ${title}…`} onClick={() => setOpen(true)} />
      )}
      {open ? <NewItemDialog kind={kind} memoryId={memoryId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function Nothing({ any }: { any: boolean }) {
  const { items } = useServices()
  const {
    sort: _sort,
    mode: _mode,
    alpha: _alpha,
    where,
    ...filters
  } = useStored('items', (state) => state.filters)
  const unfiltered =
    Object.values(where).every(({ length }) => length === 0) &&
    Object.entries(filters).every(([name, value]) => value === NO_ITEM_FILTERS[name as keyof typeof filters])
  const { filter } = items.getState()
  const isGone = any && unfiltered
  return any ? (
    <EmptyState
      icon={Brain}
      title={isGone ? 'Nothing is in use' : 'Nothing matches'}
      action={
        <Button onClick={() => filter(isGone ? { state: 'gone' } : NO_ITEM_FILTERS)}>
          {isGone ? 'Show what is not in use' : 'Show all that is in use'}
        </Button>
      }
    />
  ) : (
    <NothingYet />
  )
}

/** How the first item comes into the open memory: from a person, or from a run where the memory is a lab's. */
function NothingYet() {
  const { ui } = useServices()
  const memory = useStored('memories', ({ memories, currentId }) =>
    memories.find(({ id }) => id === currentId),
  )
  if (memory?.role !== 'mine')
    return (
      <EmptyState
        icon={Brain}
        title="Nothing is remembered yet"
        action={<GoButton to="run">Go to Runs</GoButton>}
      >
        Every attempt of a run whose method remembers leaves something here: a case, a lesson, a workflow, a
        note.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={Brain}
      title="Nothing is remembered yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <NewItem memoryId={memory.id} isFirst />
          <Button icon={FileInput} onClick={() => ui.getState().startImport()}>
            Import files…
          </Button>
        </div>
      }
    >
      Say “remember that …” in an ask, judge or correct an answer, write it down here, or import what another
      tool kept.
    </EmptyState>
  )
}

/** The items that match. Arrows move, Delete deletes. */
function MemoryList() {
  const { items, caseValues } = useServices()
  const list = useStored('items')
  const { show, need } = items.getState()
  const { remove } = useItemChanges()
  return (
    <PagedRecords
      label="Items"
      list={list}
      isOpen={({ kind, id }) => id === list.open?.id && kind === list.open.kind}
      onOpen={(row) => {
        caseValues.getState().look('case')
        if (items.getState().picked) items.getState().pick(row)
        else void show(row)
      }}
      onLook={need}
      onDelete={(row) => {
        if (row.gone === null) void remove(row)
      }}
      row={(row) => <Row row={row} />}
    />
  )
}

function Row({ row }: { row: ItemRow }) {
  const all = useStored('items', (state) => state.filters.kind === null)
  const title = useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === row.kind)?.title)
  const picked = useStored('items', (state) => state.picked)
  const isPicked = picked?.some(({ kind, id }) => kind === row.kind && id === row.id) === true
  return (
    <>
      {picked === null && row.reward !== null && row.labels?.['outcome'] ? (
        // The line below says it too.
        <span aria-hidden className="flex">
          <SolvedIcon reward={row.reward === 1 ? 1 : 0} />
        </span>
      ) : null}
      {picked === null ? null : isPicked ? (
        <SquareCheck size={16} role="img" aria-label="Chosen" className="mt-0.5 shrink-0 text-accent" />
      ) : (
        <Square size={16} role="img" aria-label="Not chosen" className="mt-0.5 shrink-0 text-muted" />
      )}
      <RecordWords title={row.title} struck={row.gone?.why === 'deleted'}>
        {[
          all ? (title ?? row.kind) : null,
          row.reward === null || !row.labels?.['outcome'] ? null : row.reward > 0 ? 'Solved' : 'Failed',
          row.answer === undefined ? null : `“${row.answer}”`,
          row.gone ? goneWords(row.gone) : null,
          ...(row.labels?.['framework'] ?? []),
          row.trust && isForeign(row.trust) ? `from ${originWords(row.trust)}` : null,
          recallWords(row.recalls),
          row.tags.length > 0 ? row.tags.map((tag) => `#${tag}`).join(' ') : null,
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </RecordWords>
      <MarkIcon mark={row.mark} />
      {row.match ? (
        <span className="shrink-0 text-xs leading-5 text-muted" title="Score">
          {row.match.score.toFixed(2)}
        </span>
      ) : null}
    </>
  )
}

/** The folders that the open memory reads. */
function OwnFiles({ memoryId }: { memoryId: string }) {
  return (
    <DialogButton
      size="small"
      look="quiet"
      icon={FolderOpen}
      dialog={(close) => <FoldersDialog memoryId={memoryId} project={null} onClose={close} />}
    >
      My files
    </DialogButton>
  )
}
