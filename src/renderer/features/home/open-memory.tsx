import { TitleAndLead } from '../../components/title-and-lead'
import { useStore } from 'zustand'
import { formatBytes, plural } from '../../components/format'
import { TitledSection } from '../../ground/titled-section'
import { GoButton } from '../../ground/go-to'
import { nameOfMemory } from '../../stores/memories'
import { useServices } from '../../stores/use-services'

/** The memory that is open, and what is in it; nothing before the first. */
export function MemoryOpening() {
  const { memories } = useServices()
  const memory = useStore(memories, (state) => state.memories.find(({ id }) => id === state.currentId))
  if (!memory) return null
  return (
    <TitledSection title="The open memory">
      <div className="flex items-center gap-4 rounded-lg border bg-surface p-4">
        <TitleAndLead
          title={<span className="block truncate">{nameOfMemory(memory)}</span>}
          lead={`${plural(memory.cases, 'case')}, ${plural(memory.trajectories, 'attempt')}, ${formatBytes(memory.bytes)}`}
        />
        <GoButton to="memory">See what it remembers</GoButton>
      </div>
    </TitledSection>
  )
}
