import {
  Activity,
  BookOpen,
  Box,
  Brain,
  ChartSpline,
  FlaskConical,
  ListOrdered,
  MessageCircle,
  Plug,
  Settings,
  SlidersHorizontal,
  Sparkles,
  type LucideIcon,
} from 'lucide-react'
import { sectionOf, type ScreenId, type SectionId, type UiState } from '../stores/ui'

export interface ScreenEntry {
  readonly id: ScreenId
  readonly title: string
  readonly icon: LucideIcon
  /** What its tab says; the title where it is left out. */
  readonly tab?: string
}

/** A place of the sidebar: one screen, or several behind tabs. */
export interface Section {
  readonly id: SectionId
  readonly title: string
  readonly icon: LucideIcon
  readonly screens: readonly ScreenEntry[]
}

const ASK: ScreenEntry = { id: 'ask', title: 'Ask', icon: MessageCircle }
const MODELS: ScreenEntry = { id: 'models', title: 'Models', icon: Box }

/** The sidebar, from top to bottom; the last stands at its foot. */
export const SECTIONS: readonly Section[] = [
  { ...ASK, id: 'ask', screens: [ASK] },
  {
    ...{ id: 'memory', title: 'Memory', icon: Brain },
    screens: [
      { id: 'memory', title: 'Memory', tab: 'All kinds', icon: Brain },
      { id: 'guides', title: 'Guides', icon: BookOpen },
    ],
  },
  { ...MODELS, id: 'models', screens: [MODELS] },
  {
    ...{ id: 'lab', title: 'Lab', icon: FlaskConical },
    screens: [
      { id: 'run', title: 'Runs', icon: Activity },
      { id: 'experiments', title: 'Experiments', icon: FlaskConical },
      { id: 'curves', title: 'Curves', icon: ChartSpline },
      { id: 'streams', title: 'Task streams', icon: ListOrdered },
      { id: 'consolidation', title: 'Soft prompts', icon: Sparkles },
    ],
  },
  {
    ...{ id: 'settings', title: 'Settings', icon: Settings },
    screens: [
      { id: 'settings', title: 'Settings', tab: 'General', icon: SlidersHorizontal },
      { id: 'programs', title: 'Connected programs', icon: Plug },
    ],
  },
]

const ALL_SCREENS: readonly ScreenEntry[] = SECTIONS.flatMap(({ screens }) => screens)

/** What a screen is called. */
export const titleOf = (screen: ScreenId): string =>
  ALL_SCREENS.find(({ id }) => id === screen)?.title ?? 'Loam'

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
