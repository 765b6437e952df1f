import {
  Activity,
  BookOpen,
  Box,
  Brain,
  ChartSpline,
  FlaskConical,
  Gauge,
  HardDrive,
  ListOrdered,
  MessageCircle,
  Plug,
  Settings,
  SlidersHorizontal,
  Sparkles,
  Wrench,
  type IconType,
} from '../components/icons'
import { SCREENS_OF, sectionOf, type ScreenId, type SectionId, type UiState } from '../stores/ui'

interface Look {
  readonly title: string
  readonly icon: IconType
}

export interface ScreenEntry extends Look {
  readonly id: ScreenId
  /** What its tab says; the title where it is left out. */
  readonly tab?: string
}

/** A place of the sidebar: one screen, or several behind tabs. */
export interface Section extends Look {
  readonly id: SectionId
  readonly screens: readonly ScreenEntry[]
}

const SECTION_LOOKS: Readonly<Record<SectionId, Look>> = {
  ask: { title: 'Ask', icon: MessageCircle },
  memory: { title: 'Memory', icon: Brain },
  models: { title: 'Models', icon: Box },
  lab: { title: 'Lab', icon: FlaskConical },
  settings: { title: 'Settings', icon: Settings },
}

const SCREEN_LOOKS: Readonly<Record<ScreenId, Omit<ScreenEntry, 'id'>>> = {
  ask: SECTION_LOOKS.ask,
  memory: { ...SECTION_LOOKS.memory, tab: 'All kinds' },
  guides: { title: 'Guides', icon: BookOpen },
  models: SECTION_LOOKS.models,
  run: { title: 'Runs', icon: Activity },
  experiments: { title: 'Experiments', icon: FlaskConical },
  curves: { title: 'Curves', icon: ChartSpline },
  streams: { title: 'Task streams', icon: ListOrdered },
  consolidation: { title: 'Soft prompts', icon: Sparkles },
  settings: { title: 'Settings', tab: 'General', icon: SlidersHorizontal },
  speed: { title: 'Model and speed', icon: Gauge },
  programs: { title: 'Connected programs', icon: Plug },
  storage: { title: 'Storage', icon: HardDrive },
  advanced: { title: 'Advanced', icon: Wrench },
}

/** The sidebar, from top to bottom; the last stands at its foot. */
export const SECTIONS: readonly Section[] = Object.entries(SCREENS_OF).map(([name, screens]) => {
  const id = name as SectionId
  return {
    id,
    ...SECTION_LOOKS[id],
    screens: screens.map((screen) => ({ id: screen, ...SCREEN_LOOKS[screen] })),
  }
})

/** What a screen is called. */
export const titleOf = (screen: ScreenId): string => SCREEN_LOOKS[screen].title

/** The section that a screen is in, where it has tabs; null where the screen stands alone. */
export function tabsOf(screen: ScreenId): Section | null {
  const section = SECTIONS.find(({ id }) => id === sectionOf(screen))
  return section && section.screens.length > 1 ? section : null
}

/** Goes to a section, at the screen of it that was looked at last. */
export function goToSection(ui: UiState, id: SectionId): void {
  ui.go(ui.lastOf[id])
}

/** The keys that go to the section at a place of the sidebar, from 0. */
export const sectionKeys = (index: number): string => `Alt+${index + 1}`
