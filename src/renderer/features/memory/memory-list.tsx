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
      onOpen={(row) => void show(row)}
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
  return (
    <>
      <RecordWords title={row.title} struck={row.gone?.why === 'deleted'}>
        {[all ? (title ?? row.kind) : null, row.gone ? goneWords(row.gone) : null, recallWords(row.recalls)]
          .filter((part) => part !== null)
          .join(' · ')}
      </RecordWords>
      <MarkIcon mark={row.mark} />
    </>
  )
}
