import { useState } from 'react'
import { useStore } from 'zustand'
import { classNames } from '../components/class-names'
import { Dialog } from '../components/dialog'
import { Keys } from '../components/keys'
import { useServices } from '../stores/use-services'
import { listCommands, searchCasesCommand, type Command } from './commands'

/** Everything by words: type, choose with the arrows, Enter. */
export function CommandPalette() {
  const { ui } = useServices()
  const open = useStore(ui, (state) => state.paletteOpen)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => ui.getState().setPaletteOpen(next)}
      title="Commands"
      description="Type to find a screen or an action."
      bare
    >
      <PaletteBody close={() => ui.getState().setPaletteOpen(false)} />
    </Dialog>
  )
}

function PaletteBody({ close }: { close: () => void }) {
  const services = useServices()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const query = text.trim()
  const found = listCommands(services).filter((command) => matches(command, query))
  const commands = query === '' ? found : [...found, searchCasesCommand(services, query)]
  const index = Math.min(at, commands.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    close()
    command.run()
  }
  return (
    <>
      <input
        autoFocus
        role="combobox"
        aria-label="Search or do something"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={commands[index] ? `palette-${commands[index].id}` : undefined}
        value={text}
        placeholder="Search or do something"
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step) {
            event.preventDefault()
            const next = (index + step + commands.length) % commands.length
            setAt(next)
            document
              .getElementById(`palette-${commands[next]?.id ?? ''}`)
              ?.scrollIntoView({ block: 'nearest' })
          }
          if (event.key === 'Enter') run(commands[index])
        }}
        className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-lg outline-none placeholder:text-faint"
      />
      <ul
        id="palette-list"
        role="listbox"
        aria-label="Commands"
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {commands.map((command, position) => (
          <li
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={position === index}
            onClick={() => run(command)}
            onMouseMove={() => setAt(position)}
            className={classNames(
              'flex cursor-pointer items-center gap-3 rounded-md px-2 py-1.5',
              position === index && 'bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{command.title}</span>
            <span className="text-xs text-muted">{command.group}</span>
            {command.keys ? <Keys combo={command.keys} /> : null}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Every typed word occurs somewhere in the command. */
function matches(command: Command, query: string): boolean {
  const text = `${command.title} ${command.group}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
