import type { RunInfo } from '../../shared/domain/run'
import { askCancel } from '../ground/ask-cancel'
import { runTitle } from '../ground/run-title'
import { isExperimentRun } from '../stores/experiment-feed'
import { askToNotify, mayNotify } from '../stores/notify'
import type { RecordKind } from '../stores/open-job'
import { nameOfMemory } from '../stores/memories'
import type { Services } from '../stores/services'
import { pageButtons } from './page-buttons'
import { ALL_SCREENS, entryKeys, goToEntry, HOME, MEMORY_TABS } from './screens'

export interface Command {
  readonly id: string
  readonly title: string
  /** What kind of thing it is, shown at the right. */
  readonly group: string
  readonly keys?: string
  run(): void
}

/** Everything that can be done right now, for the palette. */
export function listCommands(services: Services): readonly Command[] {
  return [
    ...screenCommands(services),
    ...startCommands(services),
    ...runCommands(services),
    ...lookCommands(services),
    ...helpCommands(services),
    ...recordCommands(services),
  ]
}

/** Buttons of the screen that is open: whatever one of them does, the palette does too. */
export const pageCommands = (): readonly Command[] =>
  pageButtons().map(({ name, press }) => ({
    id: `page-${name}`,
    title: name,
    group: 'On this screen',
    // Once the palette is gone and has given the focus back.
    run: () => setTimeout(press, 50),
  }))

function screenCommands({ ui }: Services): readonly Command[] {
  return [
    {
      id: 'go-home',
      title: 'Go to the start page',
      group: 'Screen',
      keys: 'Alt+0',
      run: () => ui.getState().go(HOME.id),
    },
    ...ALL_SCREENS.map((entry, index) => {
      const keys = entryKeys(index)
      return {
        id: `go-${entry.id}`,
        title: `Go to ${entry.title}`,
        group: 'Screen',
        ...(keys !== undefined && { keys }),
        run: () => goToEntry(ui.getState(), entry.id),
      }
    }),
    ...MEMORY_TABS.filter(({ id }) => id !== 'memory').map(({ id, title }) => ({
      id: `go-${id}`,
      title: `Go to ${title}`,
      group: 'Memory',
      run: () => ui.getState().go(id),
    })),
    { id: 'back', title: 'Go back', group: 'Screen', keys: 'Alt+←', run: () => window.history.back() },
    {
      id: 'forward',
      title: 'Go forward',
      group: 'Screen',
      keys: 'Alt+→',
      run: () => window.history.forward(),
    },
  ]
}

/** What begins something new. */
function startCommands({ guides, memories, openRecord, runs, ui }: Services): readonly Command[] {
  const startDemo = () => {
    ui.getState().go('run')
    void runs.getState().startDemo()
  }
  const build = () => {
    guides.getState().show({ kind: 'new' })
    ui.getState().go('guides')
  }
  const exportMemory = () => {
    const { currentId } = memories.getState()
    if (currentId !== null)
      ui.getState().setTransfer({ kind: 'export', memoryId: currentId, kinds: null, items: null })
  }
  const starts: readonly (readonly [string, string, () => void])[] = [
    ['Ask something new', 'Ask', () => openRecord('ask')],
    ['Run the demo', 'Run', startDemo],
    ['Compose a new experiment', 'Experiment', () => openRecord('experiment')],
    ['Build guides', 'Guides', build],
    ['New memory…', 'Memory', () => ui.getState().setNewMemoryOpen(true)],
    ['Import…', 'Import', () => ui.getState().startImport()],
    ['Export…', 'Export', exportMemory],
  ]
  return starts.map(([title, group, run]) => ({ id: `new-${group}`, title, group, run }))
}

/** What can be done about the run in focus. */
function runCommands({ runs, ui }: Services): readonly Command[] {
  const { focusId, views, pause, resume, cancel } = runs.getState()
  // A cell is paused and resumed with its experiment.
  const run = isExperimentRun(focusId ?? '') ? undefined : views[focusId ?? '']?.run
  if (!run || !['queued', 'running', 'paused'].includes(run.status)) return []
  const rests = run.status === 'paused'
  const { done, total } = run
  const onPause = () => void pause()
  const question = () =>
    askCancel({ what: 'the run', done, total, onCancel: () => void cancel(), ...(!rests && { onPause }) })
  return [
    ...(run.status === 'running'
      ? [{ id: 'pause', title: 'Pause the run', group: 'Run', keys: 'Space', run: onPause }]
      : []),
    ...(rests
      ? [{ id: 'resume', title: 'Resume the run', group: 'Run', keys: 'Space', run: () => void resume() }]
      : []),
    { id: 'cancel', title: 'Cancel the run', group: 'Run', run: () => ui.getState().ask(question()) },
  ]
}

const THEMES = {
  system: 'Follow the system’s theme',
  light: 'Use the light theme',
  dark: 'Use the dark theme',
} as const

function lookCommands({ settings }: Services): readonly Command[] {
  const now = settings.getState().settings
  const save = settings.getState().save
  return [
    ...(['system', 'light', 'dark'] as const)
      .filter((theme) => theme !== (now?.theme ?? 'system'))
      .map((theme) => ({
        id: `theme-${theme}`,
        title: THEMES[theme],
        group: 'Look',
        run: () => void save({ theme }),
      })),
    {
      id: 'sidebar',
      title: now?.sidebarCollapsed ? 'Show the words of the sidebar' : 'Collapse the sidebar',
      group: 'Look',
      keys: '[',
      run: () => void save({ sidebarCollapsed: !now?.sidebarCollapsed }),
    },
    {
      id: 'network',
      title: now?.network ? 'Turn the network off' : 'Turn the network on',
      group: 'Setting',
      run: () => void save({ network: !now?.network }),
    },
  ]
}

function helpCommands({ toasts, ui }: Services): readonly Command[] {
  const { setShortcutsOpen, setTourStep } = ui.getState()
  return [
    {
      id: 'shortcuts',
      title: 'Show the keyboard shortcuts',
      group: 'Help',
      keys: '?',
      run: () => setShortcutsOpen(true),
    },
    { id: 'tour', title: 'Take the tour', group: 'Help', run: () => setTourStep(0) },
    {
      id: 'copy-link',
      title: 'Copy the link to what is on screen',
      group: 'Help',
      run: () =>
        void navigator.clipboard.writeText(window.location.href).then(
          () => toasts.getState().tell('Link copied', 'It opens this again on this machine.'),
          () =>
            toasts
              .getState()
              .show({ title: 'The link could not be copied', detail: window.location.href, tone: 'problem' }),
        ),
    },
    ...(mayNotify() === 'ask'
      ? [
          {
            id: 'notify',
            title: 'Notify me when long work ends',
            group: 'Setting',
            run: () => void askToNotify(),
          },
        ]
      : []),
  ]
}

/** Everything that can be opened by its name. */
function recordCommands(services: Services): readonly Command[] {
  const { asks, experiments, methods, openRecord, runs, memories, streams } = services
  const { order, views } = runs.getState()
  const own = order.filter((id) => !isExperimentRun(id)).flatMap((id) => views[id]?.run ?? [])
  const titleOfRun = (run: RunInfo) =>
    `${runTitle(run, methods.getState().data, streams.getState().data)}, seed ${run.config.seed}`
  const openers = (kind: RecordKind, group: string, records: readonly { id: string; title: string }[]) =>
    records.map(({ id, title }) => ({ id: `${kind}-${id}`, title, group, run: () => openRecord(kind, id) }))
  return [
    ...memories.getState().memories.map(({ id, ...memory }) => ({
      id: `space-${id}`,
      title: `Open memory ${nameOfMemory(memory)}`,
      group: 'Memory',
      run: () => memories.getState().choose(id),
    })),
    ...openers('ask', 'Ask', asks.getState().asks),
    ...openers(
      'run',
      'Run',
      own.map((run) => ({ id: run.id, title: titleOfRun(run) })),
    ),
    ...openers(
      'experiment',
      'Experiment',
      experiments.getState().heads.map(({ id, name }) => ({ id, title: name })),
    ),
  ]
}

/** A command that looks for the typed words in the open memory. */
export function searchItemsCommand(services: Services, text: string): Command {
  return {
    id: 'search-memory',
    title: `Search the memory for “${text}”`,
    group: 'Memory',
    run: () => {
      services.items.getState().filter({ text })
      services.ui.getState().go('memory')
    },
  }
}

/** Pauses the focused run, or resumes it. */
export function toggleRun(services: Services): void {
  const { views, focusId, pause, resume } = services.runs.getState()
  if (focusId === null || isExperimentRun(focusId)) return
  const status = views[focusId]?.run.status
  if (status === 'running') void pause()
  if (status === 'paused') void resume()
}
