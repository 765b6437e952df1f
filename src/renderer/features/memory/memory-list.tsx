import { Square, SquareCheck } from 'lucide-react'
import { useStore } from 'zustand'
import type { ItemRow } from '../../../shared/domain/item'
import { MarkIcon, SolvedIcon } from '../../components/row-icons'
import { PagedRecords } from '../../ground/record-browser'
import { RecordWords } from '../../ground/record-list'
import { useServices } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'
import { goneWords, recallWords } from './words'

/** The items that match. Arrows move, Delete deletes. */
export function MemoryList() {
  const { items, caseValues } = useServices()
  const list = useStore(items)
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
  const { items, memoryKinds } = useServices()
  const all = useStore(items, (state) => state.filters.kind === null)
  const title = useStore(memoryKinds, ({ data }) => data?.find(({ id }) => id === row.kind)?.title)
  const picked = useStore(items, (state) => state.picked)
  const isPicked = picked?.some(({ kind, id }) => kind === row.kind && id === row.id) === true
  return (
    <>
      {picked === null && row.reward !== null && row.labels?.['outcome'] ? (
        <SolvedIcon reward={row.reward === 1 ? 1 : 0} />
      ) : null}
      {picked === null ? null : isPicked ? (
        <SquareCheck size={16} role="img" aria-label="Chosen" className="mt-0.5 shrink-0 text-accent" />
      ) : (
        <Square size={16} role="img" aria-label="Not chosen" className="mt-0.5 shrink-0 text-muted" />
      )}
      <RecordWords title={row.title} struck={row.gone?.why === 'deleted'}>
        {[
          all ? (title ?? row.kind) : null,
          row.gone ? goneWords(row.gone) : null,
          ...(row.labels?.['framework'] ?? []),
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
