import { ChevronsUpDown, Database, Plus } from 'lucide-react'
import { useStore } from 'zustand'
import { plural } from '../components/format'
import { Menu, MenuChoices, MenuItem, MenuLine, MenuNote } from '../ground/menu'
import { isCellSpace } from '../stores/spaces'
import { useServices } from '../stores/use-services'
import { NewSpaceDialog } from './new-space-dialog'

/** Chooses the space that Cases and Export show, or makes a new one. */
export function SpaceSwitcher() {
  const { spaces, ui } = useServices()
  const naming = useStore(ui, (state) => state.newSpaceOpen)
  const list = useStore(spaces, (state) => state.spaces)
  const currentId = useStore(spaces, (state) => state.currentId)
  const isRead = useStore(spaces, (state) => state.status === 'ready')
  const current = list.find((space) => space.id === currentId)
  const name = current?.name ?? (currentId !== null && isCellSpace(currentId) ? 'Memory of a cell' : null)
  const words = name ?? (isRead || currentId === null ? 'No space yet' : 'Reading…')
  return (
    <>
      <Menu
        label="Space"
        width="w-80"
        trigger={
          <button
            type="button"
            aria-label={`Space: ${words}`}
            className="flex h-8 max-w-64 min-w-0 min-[1200px]:max-w-96 items-center gap-2 rounded-md px-2 transition-colors duration-100 hover:bg-hover"
          >
            <Database size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
            <span className="truncate">{words}</span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
          </button>
        }
      >
        <MenuNote>A space is one memory: what was tried, and what came of it.</MenuNote>
        <MenuChoices
          value={currentId}
          choices={list.map((space) => ({
            value: space.id,
            label: space.name,
            aside: plural(space.cases, 'case'),
          }))}
          onChange={(id) => spaces.getState().choose(id)}
        />
        {list.length > 0 ? <MenuLine /> : null}
        <MenuItem icon={Plus} onSelect={() => ui.getState().setNewSpaceOpen(true)}>
          New space…
        </MenuItem>
      </Menu>
      {naming ? <NewSpaceDialog onClose={() => ui.getState().setNewSpaceOpen(false)} /> : null}
    </>
  )
}
