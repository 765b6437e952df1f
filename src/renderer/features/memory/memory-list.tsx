import { Square, SquareCheck } from 'lucide-react'
import { useStore } from 'zustand'
import type { MemoryRow } from '../../../shared/domain/memory-item'
import { MarkIcon } from '../../components/row-icons'
import { PagedRecords } from '../../ground/record-browser'
import { RecordWords } from '../../ground/record-list'
import { useServices } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'
import { goneWords, recallWords } from './words'

/** The items that match. Arrows move, Delete deletes. */
export function MemoryList() {
  const { memory } = useServices()
  const list = useStore(memory)
  const { show, need } = memory.getState()
  const { remove } = useItemChanges()
  return (
    <PagedRecords
      label="Items"
      list={list}
      isOpen={({ kind, id }) => id === list.open?.id && kind === list.open.kind}
      onOpen={(row) => {
        if (memory.getState().picked) memory.getState().pick(row)
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

function Row({ row }: { row: MemoryRow }) {
  const { memory, memoryKinds } = useServices()
  const all = useStore(memory, (state) => state.filters.kind === null)
  const title = useStore(memoryKinds, ({ data }) => data?.find(({ id }) => id === row.kind)?.title)
  const picked = useStore(memory, (state) => state.picked)
  const isPicked = picked?.some(({ kind, id }) => kind === row.kind && id === row.id) === true
  return (
    <>
      {picked === null ? null : isPicked ? (
        <SquareCheck size={16} role="img" aria-label="Chosen" className="mt-0.5 shrink-0 text-accent" />
      ) : (
        <Square size={16} role="img" aria-label="Not chosen" className="mt-0.5 shrink-0 text-muted" />
      )}
      <RecordWords title={row.title} struck={row.gone?.why === 'deleted'}>
        {[
          all ? (title ?? row.kind) : null,
          row.gone ? goneWords(row.gone) : null,
          recallWords(row.recalls),
          row.tags.length > 0 ? row.tags.map((tag) => `#${tag}`).join(' ') : null,
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </RecordWords>
      <MarkIcon mark={row.mark} />
    </>
  )
}
