import {
  Activity,
  BookOpen,
  Box,
  Brain,
  ChartSpline,
  FlaskConical,
  House,
  ListOrdered,
  MessageCircle,
  Settings,
  Share,
  Sparkles,
  type LucideIcon,
} from 'lucide-react'
import { isMemoryScreen, type MemoryScreenId, type ScreenId, type UiState } from '../stores/ui'

export interface ScreenEntry {
  readonly id: ScreenId
  readonly title: string
  readonly icon: LucideIcon
}

/** Where Loam opens; its entry is the name at the top of the sidebar. */
export const HOME: ScreenEntry = { id: 'home', title: 'Start', icon: House }

/** The sidebar's groups. Only what exists is here. */
export const SCREEN_GROUPS: readonly (readonly ScreenEntry[])[] = [
  [
    { id: 'ask', title: 'Ask', icon: MessageCircle },
    { id: 'run', title: 'Run', icon: Activity },
    { id: 'experiments', title: 'Experiments', icon: FlaskConical },
    { id: 'curves', title: 'Curves', icon: ChartSpline },
  ],
  [{ id: 'memory', title: 'Memory', icon: Brain }],
  [
    { id: 'streams', title: 'Streams', icon: ListOrdered },
    { id: 'models', title: 'Models', icon: Box },
  ],
  [{ id: 'export', title: 'Share', icon: Share }],
  [{ id: 'settings', title: 'Settings', icon: Settings }],
]

export const ALL_SCREENS: readonly ScreenEntry[] = SCREEN_GROUPS.flat()

/** What a memory is looked at by. */
export const MEMORY_TABS: readonly (ScreenEntry & { readonly id: MemoryScreenId })[] = [
  { id: 'memory', title: 'All kinds', icon: Brain },
  { id: 'guides', title: 'Guides', icon: BookOpen },
  { id: 'consolidation', title: 'Soft prompts', icon: Sparkles },
]

/** What a screen is called. */
export const titleOf = (screen: ScreenId): string =>
  [HOME, ...MEMORY_TABS.slice(1), ...ALL_SCREENS].find(({ id }) => id === screen)?.title ?? 'Loam'

/** The entry that a screen is behind. */
export const entryOf = (screen: ScreenId): ScreenEntry['id'] => (isMemoryScreen(screen) ? 'memory' : screen)

/** Goes to an entry of the sidebar: the memory opens at the part that was looked at last. */
export function goToEntry(ui: UiState, id: ScreenEntry['id']): void {
  ui.go(id === 'memory' ? ui.memoryScreen : id)
}

/** The keys that go to the entry at a place of the sidebar, from 0; undefined where there is no such key. */
export const entryKeys = (index: number): string | undefined => (index < 9 ? `Alt+${index + 1}` : undefined)
