import { createStore, type StoreApi } from 'zustand/vanilla'

/** The screens that exist, in the order in which they are shown. */
export const SCREENS = [
  'home',
  'ask',
  'run',
  'experiments',
  'curves',
  'memory',
  'guides',
  'consolidation',
  'streams',
  'models',
  'export',
  'settings',
] as const
export type ScreenId = (typeof SCREENS)[number]

/** The screens that are one place: what a memory remembers, kind by kind. */
const MEMORY_SCREENS = ['memory', 'guides', 'consolidation'] as const
export type MemoryScreenId = (typeof MEMORY_SCREENS)[number]

/** Whether a screen is part of the memory of the open memory. */
export const isMemoryScreen = (screen: ScreenId): screen is MemoryScreenId =>
  (MEMORY_SCREENS as readonly ScreenId[]).includes(screen)

/** Something that is asked before it is done, because it cannot be taken back. */
export interface Question {
  readonly title: string
  /** What would be lost and what stays. */
  readonly words: string
  /** What does it, first the one that was asked for; each says what it does. */
  readonly answers: readonly { readonly label: string; readonly danger?: boolean; readonly run: () => void }[]
  /** What leaves everything as it is. */
  readonly no: string
}

export interface UiState {
  readonly screen: ScreenId
  /** The part of the memory that was looked at last. */
  readonly memoryScreen: MemoryScreenId
  readonly paletteOpen: boolean
  readonly shortcutsOpen: boolean
  /** A name for a new memory is asked for. */
  readonly newMemoryOpen: boolean
  /** The step of the tour that is shown, from 0; null while it is not on. */
  readonly tourStep: number | null
  /** What waits for an answer; null for nothing. */
  readonly question: Question | null
  go(screen: ScreenId): void
  setPaletteOpen(open: boolean): void
  setShortcutsOpen(open: boolean): void
  setNewMemoryOpen(open: boolean): void
  setTourStep(step: number | null): void
  /** Asks; null takes the question away. */
  ask(question: Question | null): void
}

export type UiStore = StoreApi<UiState>

/** Where the person is. Lives in memory only. */
export function createUiStore(): UiStore {
  return createStore<UiState>()((set) => ({
    screen: 'ask',
    memoryScreen: MEMORY_SCREENS[0],
    paletteOpen: false,
    shortcutsOpen: false,
    newMemoryOpen: false,
    tourStep: null,
    question: null,
    go: (screen) =>
      set({ screen, paletteOpen: false, ...(isMemoryScreen(screen) && { memoryScreen: screen }) }),
    setPaletteOpen: (paletteOpen) => set({ paletteOpen }),
    setShortcutsOpen: (shortcutsOpen) => set({ shortcutsOpen }),
    setNewMemoryOpen: (newMemoryOpen) => set({ newMemoryOpen }),
    setTourStep: (tourStep) => set({ tourStep }),
    ask: (question) => set({ question }),
  }))
}
