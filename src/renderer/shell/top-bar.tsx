import { ChevronLeft, ChevronRight, Search } from 'lucide-react'
import { IconButton } from '../components/icon-button'
import { Keys } from '../components/keys'
import { useServices } from '../stores/use-services'
import { JobsTray } from './jobs-tray'
import { MemorySwitcher } from './memory-switcher'

/** Which memory is open, the way to everything by words, and the work that is going on. */
export function TopBar() {
  const { ui } = useServices()
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b px-4">
      <nav aria-label="Back and forward" className="-mr-2 -ml-2 flex">
        <IconButton icon={ChevronLeft} label="Back" keys="Alt+←" onClick={() => window.history.back()} />
        <IconButton
          icon={ChevronRight}
          label="Forward"
          keys="Alt+→"
          onClick={() => window.history.forward()}
        />
      </nav>
      <MemorySwitcher />
      <div className="flex flex-1 justify-center">
        <button
          type="button"
          onClick={() => ui.getState().setPaletteOpen(true)}
          className="flex h-8 w-full max-w-80 items-center gap-2 rounded-md border bg-surface px-2.5 text-left text-muted transition-colors duration-100 hover:bg-hover"
        >
          <Search size={14} aria-hidden />
          <span className="flex-1 truncate">Search or do something</span>
          <Keys combo="Mod+K" />
        </button>
      </div>
      <JobsTray />
    </header>
  )
}
