import { Brain } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { RecordBrowser } from '../../ground/record-browser'
import { SpaceGate } from '../../ground/space-gate'
import { GoButton } from '../../ground/go-to'
import { NO_MEMORY_FILTERS } from '../../stores/memory'
import { useServices } from '../../stores/use-services'
import { ItemDetail } from './item-detail'
import { LifetimeOfMemory } from './lifetime'
import { MemoryFilterBar } from './memory-filter-bar'
import { MemoryFiles } from './memory-files'
import { MemoryList } from './memory-list'
import { OwnFiles } from './own-files'

/** Everything the open space remembers, of all kinds: a searchable list and one item in full. */
export function MemoryScreen() {
  const { memory } = useServices()
  return (
    <SpaceGate icon={Brain} about="A space is one memory." stores={[memory]}>
      {(spaceId) => <Browser spaceId={spaceId} />}
    </SpaceGate>
  )
}

function Browser({ spaceId }: { spaceId: string }) {
  const { memory, memoryKinds } = useServices()
  const list = useStore(memory)
  const { open, counts } = list
  useEffect(() => {
    if (memoryKinds.getState().data === null) void memoryKinds.getState().reload()
  }, [spaceId, memoryKinds])
  return (
    <RecordBrowser
      title="Memory"
      one="item"
      list={list}
      action={
        <span className="flex items-center gap-1">
          <LifetimeOfMemory key={`life ${spaceId}`} spaceId={spaceId} />
          <OwnFiles key={spaceId} spaceId={spaceId} />
          <MemoryFiles />
        </span>
      }
      bar={<MemoryFilterBar />}
      rows={<MemoryList />}
      nothing={<Nothing any={counts.some(({ live, gone }) => live + gone > 0)} />}
      open={open && <ItemDetail key={`${open.kind}:${open.id}`} item={open} />}
      invitation="Choose an item to read it in full, and to see whether it helped."
    />
  )
}

function Nothing({ any }: { any: boolean }) {
  const { memory } = useServices()
  const { sort: _sort, ...filters } = useStore(memory, (state) => state.filters)
  const unfiltered = Object.entries(filters).every(
    ([name, value]) => value === NO_MEMORY_FILTERS[name as keyof typeof filters],
  )
  if (any && unfiltered)
    return (
      <EmptyState
        icon={Brain}
        title="Nothing is in use any more"
        action={
          <Button onClick={() => memory.getState().filter({ state: 'gone' })}>Show what is not in use</Button>
        }
      />
    )
  return any ? (
    <EmptyState
      icon={Brain}
      title="Nothing matches"
      action={
        <Button onClick={() => memory.getState().filter(NO_MEMORY_FILTERS)}>Show all that is in use</Button>
      }
    />
  ) : (
    <EmptyState
      icon={Brain}
      title="Nothing is remembered yet"
      action={<GoButton to="run">Go to Run</GoButton>}
    >
      Every attempt of a run whose method remembers leaves something here: a case, a lesson, a workflow, a
      note.
    </EmptyState>
  )
}
