import { ChevronLeft, ChevronRight, Search } from '../components/icons'
import { Tooltip } from 'radix-ui'
import { useEffect, Component, type ReactNode } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { classNames } from '../components/class-names'
import { Dialog } from '../components/dialog'
import { ErrorNotice } from '../components/error-notice'
import { IconButton } from '../components/icon-button'
import { Keys } from '../components/keys'
import { errorShape } from '../stores/error-shape'
import { useServices, useStored } from '../stores/use-services'
import { AskDialog, PermissionPrompt } from './ask-dialog'
import { CommandPalette } from './command-palette'
import { ConnectionBanner } from './connection-banner'
import { MyMemoryNotice } from './my-memory-notice'
import { DropImport } from './drop-import'
import { Sidebar } from './sidebar'
import { StatusBar } from './status-bar'
import { Sayings, Toasts } from './toasts'
import { SCREEN_PARTS, TRANSFER } from './screen-parts'
import { SECTIONS, sectionKeys, tabsOf, titleOf } from './screens'
import { Tour } from './tour'
import { useDesktopCommands } from './use-desktop-commands'
import { useKeptFocus } from './use-kept-focus'
import { useLooks } from './use-looks'
import { useOpenedFiles } from './use-opened-files'
import { useSendKeys } from './use-send-keys'
import { useShortcuts } from './use-shortcuts'
import { JobsTray } from './jobs-tray'
import { MemorySwitcher } from './memory-switcher'

/** The frame around every screen. */
export function AppShell() {
  const screen = useStored('ui', (state) => state.screen)
  const { toasts } = useServices()
  const CurrentScreen = SCREEN_PARTS[screen].Part
  useLooks()
  useEffect(() => {
    document.title = `${titleOf(screen)} · Loam`
    toasts.getState().say(titleOf(screen))
  }, [screen, toasts])
  useShortcuts()
  useSendKeys()
  useKeptFocus()
  useDesktopCommands(useOpenedFiles())
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <div className="flex h-full">
        <Sidebar />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar />
          <ConnectionBanner />
          <main className="flex min-h-0 flex-1 flex-col" aria-label={titleOf(screen)}>
            <SectionTabs />
            {/* Another screen is another place: nothing of the last one moves there. */}
            <div key={screen} className="min-h-0 flex-1">
              <CrashGuard>
                <CurrentScreen />
              </CrashGuard>
            </div>
          </main>
          {/* Below what is read, so that nothing moves when it comes. */}
          <MyMemoryNotice />
          <StatusBar />
        </div>
      </div>
      <TRANSFER.Part />
      <DropImport />
      <AskDialog />
      <CommandPalette />
      <ShortcutsDialog />
      <PermissionPrompt />
      <Tour />
      <Toasts />
      <Sayings />
    </Tooltip.Provider>
  )
}

/** Where a narrow window cuts tabs off, the one that is chosen or reached is whole. */
const bringIntoView = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** The screens of the section that is open, side by side above the one that is looked at. */
function SectionTabs() {
  const { ui } = useServices()
  const screen = useStored('ui', (state) => state.screen)
  const section = tabsOf(screen)
  if (!section) return null
  return (
    <nav
      aria-label={section.title}
      className="flex h-10 shrink-0 items-stretch gap-1 overflow-x-auto border-b px-3"
    >
      {section.screens.map(({ id, title, tab, icon: Icon }) => (
        <button
          key={id}
          type="button"
          ref={id === screen ? bringIntoView : null}
          aria-current={id === screen ? 'page' : undefined}
          onClick={() => ui.getState().go(id)}
          onFocus={(event) => bringIntoView(event.currentTarget)}
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
          {tab ?? title}
        </button>
      ))}
    </nav>
  )
}

interface CrashGuardState {
  readonly problem: LoamErrorShape | null
}

/** Catches a bug in one screen, so that the rest of the window and the work behind it go on. */
class CrashGuard extends Component<{ children: ReactNode }, CrashGuardState> {
  override state: CrashGuardState = { problem: null }

  static getDerivedStateFromError(error: unknown): CrashGuardState {
    return {
      problem: {
        ...errorShape(error),
        title: 'This screen stopped because of a mistake in Loam',
        suggestion: 'Try again. Your runs and memories are not affected.',
      },
    }
  }

  override render(): ReactNode {
    if (this.state.problem === null) return this.props.children
    const retry = () => this.setState({ problem: null })
    return <ErrorNotice className="m-6" problem={this.state.problem} alwaysRetry onRetry={retry} />
  }
}

const SHORTCUTS = [
  ['Search or do something', 'Mod+K'],
  ['Ask, send, or submit the form', 'Mod+Enter'],
  ['Stop the answer that is being written', 'Esc'],
  ['Right, partly, wrong: judge the open ask', 'R+P+W'],
  ['Remember what an ask told in passing, or not', 'M+N'],
  ['Pause or resume the run', 'Space'],
  [`Go to ${SECTIONS.map(({ title }) => title).join(', ')}`, `${sectionKeys(0)}–${SECTIONS.length}`],
  ['Go back, go forward', 'Alt+←+→'],
  ['Collapse the sidebar', '['],
  ['Move in a list', '↑+↓'],
  ['Move between finished tasks', '←+→'],
  ['Search the list', '/'],
  ['Delete the open item', 'Del'],
  ['Focus the notes', 'F8'],
  ['Show this list', '?'],
] as const

/** The list of keys. */
function ShortcutsDialog() {
  const { ui } = useServices()
  const open = useStored('ui', (state) => state.shortcutsOpen)
  return (
    <Dialog
      open={open}
      onClose={() => ui.getState().setShortcutsOpen(false)}
      title="Keyboard shortcuts"
      description="Everything can be reached with Tab; these are quicker."
    >
      <dl className="flex flex-col gap-2 overflow-y-auto p-4">
        {SHORTCUTS.map(([what, keys]) => (
          <div key={what} className="flex items-center justify-between">
            <dt>{what}</dt>
            <dd>
              <Keys combo={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Which memory is open, the way to everything by words, and the work that is going on. */
function TopBar() {
  const { ui } = useServices()
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b px-4 print:hidden">
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
      <div className="flex min-w-0 flex-1 justify-center">
        <button
          type="button"
          onClick={() => ui.getState().setPaletteOpen(true)}
          className="flex h-8 w-full max-w-80 items-center gap-2 rounded-md border bg-surface px-2.5 text-left text-muted transition-colors duration-100 hover:bg-hover max-[700px]:w-8 max-[700px]:justify-center max-[700px]:px-0"
        >
          <Search size={14} aria-hidden />
          <span className="flex-1 truncate max-[700px]:sr-only">Search or do something</span>
          <span className="max-[700px]:hidden">
            <Keys combo="Mod+K" />
          </span>
        </button>
      </div>
      <JobsTray />
    </header>
  )
}
