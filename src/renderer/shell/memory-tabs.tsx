import { useStore } from 'zustand'
import { classNames } from '../components/class-names'
import { isMemoryScreen } from '../stores/ui'
import { useServices } from '../stores/use-services'
import { MEMORY_TABS } from './screens'

/** The kinds of memory of the open memory, side by side above the one that is looked at. */
export function MemoryTabs() {
  const { ui } = useServices()
  const screen = useStore(ui, (state) => state.screen)
  if (!isMemoryScreen(screen)) return null
  return (
    <nav aria-label="Memory" className="flex h-10 shrink-0 items-stretch gap-1 overflow-x-auto border-b px-3">
      {MEMORY_TABS.map(({ id, title, icon: Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={id === screen ? 'page' : undefined}
          onClick={() => ui.getState().go(id)}
          className={classNames(
            'flex items-center gap-2 border-b-2 px-2 whitespace-nowrap transition-colors duration-100 -outline-offset-2',
            id === screen
              ? 'border-accent font-medium text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          <Icon
            size={15}
            strokeWidth={1.75}
            aria-hidden
            className={id === screen ? 'text-accent' : undefined}
          />
          {title}
        </button>
      ))}
    </nav>
  )
}
