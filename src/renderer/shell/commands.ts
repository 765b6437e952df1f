import { linkOfPlace } from '../../shared/domain/desktop'
import type { RunInfo } from '../../shared/domain/run'
import { askCancel } from '../ground/ask-cancel'
import { runTitle } from '../ground/run-title'
import { isExperimentRun } from '../stores/experiment-feed'
import { nameOfMemory } from '../stores/memories'
import { askToNotify, mayNotify } from '../stores/notify'
import type { RecordKind } from '../stores/open-job'
import type { Services } from '../stores/services'
import { pageButtons } from './page-buttons'
import { SECTIONS, sectionKeys } from './screens'

export interface Command {
  readonly id: string
  readonly title: string
  /** What kind of thing it is, shown at the right. */
  readonly group: string
  readonly keys?: string
  run(): void
}

type Row = readonly [title: string, run: () => void, keys?: string | undefined]

/** Commands of one group, by their titles. */
const commandsOf = (group: string, rows: readonly Row[]): readonly Command[] =>
  rows.map(([title, run, keys]) => ({ id: `${group} ${title}`, title, group, run, ...(keys && { keys }) }))

/** Everything that can be done right now, for the palette. */
export function listCommands(services: Services): readonly Command[] {
  return [
    ...screenCommands(services),
    ...startCommands(services),
    ...commandsOf('Run', runCommands(services)),
    ...lookCommands(services),
    ...helpCommands(services),
    ...recordCommands(services),
  ]
}

/** Buttons of the screen that is open: whatever one of them does, the palette does too. */
export const pageCommands = (): readonly Command[] =>
  commandsOf(
    'On this screen',
    pageButtons().map(({ name, press }) => [name, press]),
  )

function screenCommands({ ui }: Services): readonly Command[] {
  const { go } = ui.getState()
  return commandsOf('Screen', [
    ...SECTIONS.flatMap(({ screens }, section) =>
      screens.map(({ id, title }, index): Row => [
        `Go to ${title}`,
        () => go(id),
        // The keys of a section lead to the screen of it that was looked at last.
        index === 0 ? sectionKeys(section) : undefined,
      ]),
    ),
    ['Go back', () => window.history.back(), 'Alt+←'],
    ['Go forward', () => window.history.forward(), 'Alt+→'],
  ])
}

/** What begins something new. */
function startCommands(services: Services): readonly Command[] {
  const { guides, openRecord, runs, ui } = services
  const { go, setNewMemoryOpen, startImport } = ui.getState()
  const startDemo = () => {
    go('run')
    void runs.getState().startDemo()
  }
  const build = () => {
    guides.getState().show({ kind: 'new' })
    go('guides')
  }
  return [
    ...commandsOf('Ask', [['Ask something new', () => openRecord('ask')]]),
    ...commandsOf('Run', [['Run the demo', startDemo]]),
    ...commandsOf('Experiment', [['Compose a new experiment', () => openRecord('experiment')]]),
    ...commandsOf('Guides', [['Build guides', build]]),
    ...commandsOf('Memory', [['New memory…', () => setNewMemoryOpen(true)]]),
    ...commandsOf('Import', [['Import…', () => startImport()]]),
    ...commandsOf('Export', [['Export…', () => exportOpenMemory(services)]]),
  ]
}

/** Asks what of the open memory is to leave it. */
export function exportOpenMemory({ memories, ui }: Services): void {
  const { currentId } = memories.getState()
  if (currentId !== null)
    ui.getState().setTransfer({ kind: 'export', memoryId: currentId, kinds: null, items: null })
}

/** Shows the sidebar's words, or its icons alone. */
export function toggleSidebar({ settings: store }: Services): void {
  const { settings, save } = store.getState()
  void save({ sidebarCollapsed: !(settings?.sidebarCollapsed ?? false) })
}

/** What can be done about the run in focus. */
function runCommands({ runs, ui }: Services): readonly Row[] {
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
    ...(run.status === 'running' ? ([['Pause the run', onPause, 'Space']] as const) : []),
    ...(rests ? ([['Resume the run', () => void resume(), 'Space']] as const) : []),
    ['Cancel the run', () => ui.getState().ask(question())],
  ]
}

const THEMES = {
  system: 'Follow the system’s theme',
  light: 'Use the light theme',
  dark: 'Use the dark theme',
} as const

function lookCommands(services: Services): readonly Command[] {
  const { settings: now, save } = services.settings.getState()
  const { theme: current = 'system', sidebarCollapsed = false, network = false } = now ?? {}
  const themes = (['system', 'light', 'dark'] as const).filter((theme) => theme !== current)
  return [
    ...commandsOf('Look', [
      ...themes.map((theme): Row => [THEMES[theme], () => void save({ theme })]),
      [
        sidebarCollapsed ? 'Show the words of the sidebar' : 'Collapse the sidebar',
        () => toggleSidebar(services),
        '[',
      ],
    ]),
    ...commandsOf('Setting', [
      [`Turn the network ${network ? 'off' : 'on'}`, () => void save({ network: !network })],
      ...(mayNotify() === 'ask'
        ? ([['Notify me when long work ends', () => void askToNotify()]] as const)
        : []),
    ]),
  ]
}

function helpCommands({ info, toasts, ui }: Services): readonly Command[] {
  const { setShortcutsOpen, setTourStep } = ui.getState()
  const { show, tell } = toasts.getState()
  const { hash, href: address } = window.location
  // Only Loam itself knows the address of a page in the desktop window.
  const href = info.getState().data?.host === 'electron' ? linkOfPlace(hash) : address
  const copyLink = () =>
    navigator.clipboard.writeText(href).then(
      () => tell('Link copied', 'It opens this again on this machine.'),
      () => show({ title: 'The link could not be copied', detail: href, tone: 'problem' }),
    )
  return commandsOf('Help', [
    ['Show the keyboard shortcuts', () => setShortcutsOpen(true), '?'],
    ['Take the tour', () => setTourStep(0)],
    ['Copy the link to what is on screen', () => void copyLink()],
  ])
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
  const { heads } = experiments.getState()
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
      heads.map(({ id, name }) => ({ id, title: name })),
    ),
  ]
}

/** How ids of commands begin that are made of what is typed, and so stand after all others. */
export const OF_WORDS = 'words: '

/** A command that looks for the typed words in the open memory. */
export function searchItemsCommand(services: Services, text: string): Command {
  return {
    id: `${OF_WORDS}search ${text}`,
    title: `Search the memory for “${text}”`,
    group: 'Memory',
    run: () => {
      services.items.getState().filter({ text })
      services.ui.getState().go('memory')
    },
  }
}

/** A command that takes the typed words to the box of a new ask, below what is written there. */
export function askCommand(services: Services, text: string): Command {
  return {
    id: `${OF_WORDS}ask ${text}`,
    title: `Ask “${text}”`,
    group: 'Ask',
    run: () => {
      const { begin, write } = services.asks.getState()
      begin(null)
      const { draft } = services.asks.getState()
      write({ text: draft.text === '' ? text : `${draft.text}\n${text}` })
      services.ui.getState().go('ask')
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
