import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { ItemRef } from '../../shared/domain/item'

/** The sections of the window, each with its screens, in the order in which they are shown. */
export const SCREENS_OF = {
  ask: ['ask'],
  memory: ['memory', 'guides'],
  models: ['models'],
  lab: ['run', 'experiments', 'curves', 'streams', 'consolidation'],
  settings: ['settings', 'speed', 'programs', 'storage', 'advanced'],
} as const
export type SectionId = keyof typeof SCREENS_OF
export type ScreenId = (typeof SCREENS_OF)[SectionId][number]

/** Every screen that exists. */
export const SCREENS: readonly ScreenId[] = Object.values(SCREENS_OF).flat()

const SECTION_OF = Object.fromEntries(
  Object.entries(SCREENS_OF).flatMap(([section, screens]) => screens.map((screen) => [screen, section])),
) as Record<ScreenId, SectionId>

/** The section that a screen is in. */
export const sectionOf = (screen: ScreenId): SectionId => SECTION_OF[screen]

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

/** A file that a person chose or dropped, and the folder that it lay in; '' for none. */
export interface LocalFile {
  readonly file: File
  readonly folder: string
}

/** What is to come into a memory: files, or full paths of this machine; neither where a person still has to say. */
export interface ImportRequest {
  readonly kind: 'import'
  readonly files: readonly LocalFile[]
  readonly paths: readonly string[]
  /** Tells one request from the next. */
  readonly number: number
}

/** What is to leave a memory. */
export interface ExportRequest {
  readonly kind: 'export'
  readonly memoryId: string
  /** Null: all but parts of a person's own files. */
  readonly kinds: readonly string[] | null
  /** Null: all of these kinds. */
  readonly items: readonly ItemRef[] | null
}

export interface UiData {
  readonly screen: ScreenId
  /** The screen of each section that was looked at last. */
  readonly lastOf: Readonly<Record<SectionId, ScreenId>>
  readonly paletteOpen: boolean
  readonly shortcutsOpen: boolean
  /** A name for a new memory is asked for. */
  readonly newMemoryOpen: boolean
  /** The step of the tour that is shown, from 0; null while it is not on. */
  readonly tourStep: number | null
  /** What waits for an answer; null for nothing. */
  readonly question: Question | null
  /** What is being brought in or taken along; null for nothing. */
  readonly transfer: ImportRequest | ExportRequest | null
  /** A model file is to be chosen on the Models screen: somebody asked for it, or dropped one whose place a browser does not tell. */
  readonly modelFile: 'asked' | 'dropped' | null
}

const START: UiData = {
  screen: 'ask',
  lastOf: { ask: 'ask', memory: 'memory', models: 'models', lab: 'run', settings: 'settings' },
  paletteOpen: false,
  shortcutsOpen: false,
  newMemoryOpen: false,
  tourStep: null,
  question: null,
  transfer: null,
  modelFile: null,
}

/** Where the person is. Lives in memory only. */
export function createUiStore() {
  let requests = 0
  const at = (screen: ScreenId, { lastOf }: UiData) => ({
    screen,
    paletteOpen: false,
    lastOf: { ...lastOf, [sectionOf(screen)]: screen },
  })
  return createStore(
    combine(START, (set) => ({
      go: (screen: ScreenId) => set((state) => at(screen, state)),
      /** Goes where models are and lets a file be chosen there; null: that is under way. */
      chooseModelFile: (modelFile: UiData['modelFile']) =>
        set((state) => (modelFile === null ? { modelFile } : { ...at('models', state), modelFile })),
      setPaletteOpen: (paletteOpen: boolean) => set({ paletteOpen }),
      setShortcutsOpen: (shortcutsOpen: boolean) => set({ shortcutsOpen }),
      setNewMemoryOpen: (newMemoryOpen: boolean) => set({ newMemoryOpen }),
      setTourStep: (tourStep: number | null) => set({ tourStep }),
      /** Asks; null takes the question away. */
      ask: (question: Question | null) => set({ question }),
      setTransfer: (transfer: UiData['transfer']) => set({ transfer }),
      /** Shows what files or paths would bring in; asks for them where there are none. */
      startImport({ files = [], paths = [] }: Partial<Pick<ImportRequest, 'files' | 'paths'>> = {}) {
        requests += 1
        set({ transfer: { kind: 'import', files, paths, number: requests } })
      },
    })),
  )
}

export type UiState = ReturnType<ReturnType<typeof createUiStore>['getState']>
