import { Command as Palette } from 'cmdk'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '../components/dialog'
import { Keys } from '../components/keys'
import { useServices, useStored } from '../stores/use-services'
import {
  askCommand,
  listCommands,
  OF_WORDS,
  pageCommands,
  searchItemsCommand,
  type Command,
} from './commands'

/** After which readers have heard of a focus. */
const HEARD_MS = 150

/** Everything by words: type, choose with the arrows, Enter. */
export function CommandPalette() {
  const { ui } = useServices()
  const open = useStored('ui', (state) => state.paletteOpen)
  const close = () => ui.getState().setPaletteOpen(false)
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Commands"
      description="Type to find a screen or an action."
      bare
    >
      <PaletteBody close={close} />
    </Dialog>
  )
}

function PaletteBody({ close }: { close: () => void }) {
  const services = useServices()
  const [text, setText] = useState('')
  const query = text.trim()
  const [before] = useState(() => document.activeElement)
  // As it was when the palette opened: nothing of it changes while somebody types.
  const [commands] = useState(() => listCommands(services))
  const [onPage] = useState(() =>
    pageCommands().filter((command) => commands.every(({ title }) => title !== command.title)),
  )
  const row = (command: Command) => (
    <Palette.Item
      key={command.id}
      value={command.id}
      keywords={[command.title, command.group]}
      onSelect={() => {
        flushSync(close)
        if (before instanceof HTMLElement) before.focus()
        // Once readers know that the palette is gone: what opens sooner is heard without its title, or not at all.
        setTimeout(() => command.run(), HEARD_MS)
      }}
      className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 aria-selected:bg-hover"
    >
      <span className="min-w-0 flex-1 truncate">{command.title}</span>
      <span className="text-xs text-muted">{command.group}</span>
      {command.keys ? <Keys combo={command.keys} /> : null}
    </Palette.Item>
  )
  return (
    <Palette label="Commands" filter={rank} loop className="flex min-h-0 flex-1 flex-col">
      <Palette.Input
        autoFocus
        aria-label="Search or do something"
        value={text}
        onValueChange={setText}
        placeholder="Search or do something"
        className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-lg outline-none placeholder:text-faint"
      />
      <Palette.List label="Commands" className="min-h-0 flex-1 overflow-y-auto p-2">
        {commands.map(row)}
        {query === '' ? null : onPage.map(row)}
        {query === '' ? null : [askCommand, searchItemsCommand].map((about) => row(about(services, query)))}
      </Palette.List>
    </Palette>
  )
}

/**
 * How well a command fits: every typed word has to occur in it, and a title that begins with what was typed comes first.
 * What is made of the typed words themselves comes last. 0 leaves it out.
 */
function rank(value: string, search: string, keywords: readonly string[] = []): number {
  if (value.startsWith(OF_WORDS)) return 0.1
  const query = search.trim().toLowerCase()
  const text = keywords.join(' ').toLowerCase()
  if (!query.split(/\s+/).every((word) => text.includes(word))) return 0
  const title = (keywords[0] ?? '').toLowerCase()
  if (title.startsWith(query)) return 1
  return title.includes(query) ? 0.8 : 0.5
}
