import { Check, ChevronsUpDown, Database, Plus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useStore } from 'zustand'
import { plural } from '../components/format'
import { isCellSpace } from '../stores/spaces'
import { useServices } from '../stores/use-services'
import { NewSpaceDialog } from './new-space-dialog'

/** Chooses the space that Cases and Export show, or makes a new one. */
export function SpaceSwitcher() {
  const { spaces } = useServices()
  const [naming, setNaming] = useState(false)
  const list = useStore(spaces, (state) => state.spaces)
  const currentId = useStore(spaces, (state) => state.currentId)
  const current = list.find((space) => space.id === currentId)
  const name = current?.name ?? (currentId !== null && isCellSpace(currentId) ? 'Memory of a cell' : null)
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          aria-label={`Space: ${name ?? 'none yet'}`}
          className="flex h-8 max-w-64 items-center gap-2 rounded-md px-2 transition-colors duration-100 hover:bg-hover"
        >
          <Database size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
          <span className="truncate">{name ?? 'No space yet'}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="start"
            sideOffset={4}
            aria-label="Space"
            className="z-40 max-h-96 w-72 overflow-y-auto rounded-lg border bg-surface p-1 shadow-menu"
          >
            <DropdownMenu.Label className="px-2 py-1.5 text-xs text-muted">
              A space is one memory: what was tried, and what came of it.
            </DropdownMenu.Label>
            <DropdownMenu.RadioGroup
              value={currentId ?? ''}
              onValueChange={(id) => spaces.getState().choose(id)}
            >
              {list.map((space) => (
                <DropdownMenu.RadioItem
                  key={space.id}
                  value={space.id}
                  textValue={space.name}
                  className="flex items-center gap-2 rounded-md px-2 py-1.5 outline-none data-[highlighted]:bg-hover"
                >
                  <span className="size-4 shrink-0">
                    <DropdownMenu.ItemIndicator>
                      <Check size={14} aria-hidden />
                    </DropdownMenu.ItemIndicator>
                  </span>
                  <span className="min-w-0 flex-1 truncate">{space.name}</span>
                  <span className="text-xs text-muted">{plural(space.cases, 'case')}</span>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            {list.length > 0 ? <DropdownMenu.Separator className="my-1 h-px bg-line" /> : null}
            <DropdownMenu.Item
              onSelect={() => setNaming(true)}
              className="flex items-center gap-2 rounded-md px-2 py-1.5 outline-none data-[highlighted]:bg-hover"
            >
              <Plus size={16} aria-hidden className="text-muted" />
              New space…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <NewSpaceDialog open={naming} onOpenChange={setNaming} />
    </>
  )
}
