import type { GuideInfo, GuideSection, VersionView } from '../../../shared/domain/guide'
import type { BuildInfo } from '../../../shared/domain/guide-build'
import type { SearchStrategy } from '../../../shared/domain/guide-search'
import { fileName } from '../../components/format'

export const SECTION_TITLES: Record<GuideSection, string> = {
  context: 'Context',
  howToUse: 'How to use',
  whenToUse: 'When to use',
  bestPractices: 'Best practices',
}

export const STRATEGY_WORDS: Record<SearchStrategy, string> = {
  mcts: 'Tree search',
  greedy: 'Greedy',
  iterative: 'One after another',
}

/** How a concept's document stands. */
export function guideState({ current, proposed }: Pick<GuideInfo, 'current' | 'proposed'>): Standing {
  if (proposed !== null) return { words: 'Waits for you', tone: 'notice' }
  if (current === null) return { words: 'Rejected', tone: 'failed' }
  if (current.buildId === null) return { words: 'Edited by hand', tone: 'accent' }
  return { words: 'In use', tone: 'solved' }
}

export interface Standing {
  readonly words: string
  readonly tone: 'neutral' | 'solved' | 'failed' | 'accent' | 'notice'
}

const VERSIONS: Record<VersionView['state'], Standing> = {
  current: { words: 'In use', tone: 'solved' },
  proposed: { words: 'Proposed', tone: 'notice' },
  earlier: { words: 'Used before', tone: 'neutral' },
  rejected: { words: 'Rejected', tone: 'failed' },
  candidate: { words: 'Tried in the search', tone: 'neutral' },
}

/** How a version stands. */
export const versionState = (state: VersionView['state']): Standing => VERSIONS[state]

const BUILDS: Record<BuildInfo['status'], Standing> = {
  running: { words: 'Running', tone: 'accent' },
  concepts: { words: 'Waits for you', tone: 'notice' },
  unfinished: { words: 'Stopped', tone: 'notice' },
  done: { words: 'Finished', tone: 'neutral' },
}

/** How a build stands, in a word or two. */
export const buildState = ({ status }: Pick<BuildInfo, 'status'>): Standing => BUILDS[status]

/** The tasks a build learns from, as people know them. */
export const buildTitle = ({ build }: Pick<BuildInfo, 'build'>): string =>
  build.stream === null ? `A run on ${build.environment}` : fileName(build.stream)
