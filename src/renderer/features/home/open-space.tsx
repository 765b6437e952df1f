import { TitleAndLead } from '../../components/title-and-lead'
import { useStore } from 'zustand'
import { formatBytes, plural } from '../../components/format'
import { TitledSection } from '../../ground/titled-section'
import { GoButton } from '../../ground/go-to'
import { nameOfMemory } from '../../stores/spaces'
import { useServices } from '../../stores/use-services'

/** The memory that is open, and what is in it; nothing before the first. */
export function OpenSpace() {
  const { spaces } = useServices()
  const space = useStore(spaces, (state) => state.spaces.find(({ id }) => id === state.currentId))
  if (!space) return null
  return (
    <TitledSection title="The open memory">
      <div className="flex items-center gap-4 rounded-lg border bg-surface p-4">
        <TitleAndLead
          title={<span className="block truncate">{nameOfMemory(space)}</span>}
          lead={`${plural(space.cases, 'case')}, ${plural(space.trajectories, 'attempt')}, ${formatBytes(space.bytes)}`}
        />
        <GoButton to="memory">See what it remembers</GoButton>
      </div>
    </TitledSection>
  )
}
