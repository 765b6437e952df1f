import { ChevronsUpDown, Database, Download, Plus } from '../components/icons'
import { useState } from 'react'
import { plural } from '../components/format'
import { NameDialog } from '../ground/form-dialog'
import { Menu, MenuChoices, MenuItem, MenuLine, MenuNote } from '../ground/menu'
import { TakeDialog } from '../ground/take-dialog'
import { isCellMemory, itemsIn, mineIn, nameOfMemory } from '../stores/memories'
import { useServices, useStored } from '../stores/use-services'

/** The memory that this window works with: My memory, or a lab memory that a person chose; makes a new one, or takes one into mine. */
export function MemorySwitcher() {
  const { memories, ui } = useServices()
  const naming = useStored('ui', (state) => state.newMemoryOpen)
  const list = useStored('memories', (state) => state.memories)
  const currentId = useStored('memories', (state) => state.currentId)
  const [taking, setTaking] = useState(false)
  const mine = mineIn(list)
  const labs = list.filter(({ role }) => role === 'lab')
  const current = list.find((memory) => memory.id === currentId)
  const name = current && nameOfMemory(current)
  const words = name ?? (currentId !== null && isCellMemory(currentId) ? 'Memory of a cell' : 'Reading…')
  const choices = (some: typeof list) =>
    some.map((memory) => ({
      value: memory.id,
      label: nameOfMemory(memory),
      aside: plural(itemsIn(memory), 'item'),
    }))
  const choose = (id: string) => memories.getState().choose(id)
  return (
    <>
      <Menu
        label="Memory"
        width="w-80"
        trigger={
          <button
            type="button"
            aria-label={`Open memory: ${words}`}
            className="flex h-8 max-w-64 min-w-0 min-[1200px]:max-w-96 items-center gap-2 rounded-md px-2 transition-colors duration-100 hover:bg-hover"
          >
            <Database size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
            <span className="truncate">{words}</span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
          </button>
        }
      >
        <MenuNote>Asks and imports use the one that is open. Runs never change My memory.</MenuNote>
        <MenuChoices value={currentId} choices={choices(mine ? [mine] : [])} onChange={choose} />
        {labs.length > 0 ? <MenuLine /> : null}
        {labs.length > 0 ? <MenuNote>Lab memories</MenuNote> : null}
        <MenuChoices value={currentId} choices={choices(labs)} onChange={choose} />
        <MenuLine />
        {current?.role === 'lab' ? (
          <MenuItem icon={Download} onSelect={() => setTaking(true)}>
            Take into My memory…
          </MenuItem>
        ) : null}
        <MenuItem icon={Plus} onSelect={() => ui.getState().setNewMemoryOpen(true)}>
          New memory…
        </MenuItem>
      </Menu>
      {naming ? (
        <NameDialog
          title="New memory"
          description="An empty memory. Choose it under Memory when you start a run."
          submit={{ label: 'Create' }}
          label="Name of the memory"
          maxLength={80}
          placeholder="For example: bookings, second try"
          onName={(name) => memories.getState().create(name)}
          onClose={() => ui.getState().setNewMemoryOpen(false)}
        />
      ) : null}
      {taking && current ? <TakeDialog from={current} onClose={() => setTaking(false)} /> : null}
    </>
  )
}
