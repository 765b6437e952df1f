import { PanelLeftClose, PanelLeftOpen } from '../components/icons'
import { classNames } from '../components/class-names'
import { Hint, IconButton, NamedButton } from '../components/icon-button'
import { useNarrow } from '../ground/use-narrow'
import { sectionOf } from '../stores/ui'
import { useServices, useStored } from '../stores/use-services'
import { goToSection, SECTIONS, sectionKeys, type Section } from './screens'

/** The sections. Collapses to icons by choice, and by itself when the window is narrow. */
export function Sidebar() {
  const { ui, settings, openRecord } = useServices()
  const screen = useStored('ui', (state) => state.screen)
  const isChosen = useStored('settings', (state) => state.settings?.sidebarCollapsed ?? false)
  const narrow = useNarrow(1100)
  const collapsed = isChosen || narrow
  return (
    <nav
      aria-label="Screens"
      className={classNames('flex shrink-0 flex-col border-r bg-canvas', collapsed ? 'w-13' : 'w-46')}
    >
      <Hint text="New ask" side="right">
        <button
          type="button"
          aria-label="Loam"
          onClick={() => openRecord('ask')}
          className={classNames(
            'flex h-12 shrink-0 items-center gap-2 -outline-offset-2 transition-colors duration-100 hover:bg-hover',
            collapsed ? 'justify-center' : 'px-4',
          )}
        >
          <Mark />
          {collapsed ? null : <span className="text-lg font-semibold tracking-tight">Loam</span>}
        </button>
      </Hint>
      <ul className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-2 py-2">
        {SECTIONS.map((section, index) => (
          <li key={section.id} className="last:mt-auto">
            <SidebarButton
              section={section}
              keys={sectionKeys(index)}
              current={section.id === sectionOf(screen)}
              collapsed={collapsed}
              onClick={() => goToSection(ui.getState(), section.id)}
            />
          </li>
        ))}
      </ul>
      {narrow ? null : (
        <div className={classNames('border-t p-2', !collapsed && 'flex justify-end')}>
          <IconButton
            icon={collapsed ? PanelLeftOpen : PanelLeftClose}
            label={collapsed ? 'Show the words of the sidebar' : 'Collapse the sidebar'}
            keys="["
            side="right"
            onClick={() => void settings.getState().save({ sidebarCollapsed: !collapsed })}
          />
        </div>
      )}
    </nav>
  )
}

function SidebarButton(props: {
  section: Section
  keys: string
  current: boolean
  collapsed: boolean
  onClick: () => void
}) {
  const { section, current, collapsed } = props
  const Icon = section.icon
  const button = (
    <NamedButton
      aria-current={current ? 'page' : undefined}
      aria-label={section.title}
      onClick={props.onClick}
      className={classNames(
        'flex h-8 w-full items-center gap-2.5 rounded-md transition-colors duration-100',
        collapsed ? 'justify-center' : 'px-2.5',
        current ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden className={current ? 'text-accent' : undefined} />
      {collapsed ? null : section.title}
    </NamedButton>
  )
  if (!collapsed) return button
  return (
    <Hint text={section.title} keys={props.keys} side="right">
      {button}
    </Hint>
  )
}

/** The Loam mark: a seedling over two layers of earth. The same drawing as resources/icon.svg, without its tile. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden className="shrink-0">
      <path d="M12 14.5V9.2" className="stroke-accent" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M12 10.4C12 6.9 9.6 4.6 5.6 4.4c.1 3.9 2.5 6 6.4 6Z" className="fill-accent" />
      <path
        d="M12 8.6c.2-2.9 2.3-4.9 6.2-5.1-.1 3.5-2.3 5.4-6.2 5.1Z"
        className="fill-accent"
        opacity=".65"
      />
      <path
        d="M3.5 15.5c2.8-1.5 5.7-1.5 8.5 0s5.7 1.5 8.5 0"
        className="stroke-ink"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path
        d="M3.5 19.7c2.8-1.5 5.7-1.5 8.5 0s5.7 1.5 8.5 0"
        className="stroke-line-strong"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  )
}
