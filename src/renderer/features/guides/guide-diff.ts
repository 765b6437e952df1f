import { diffWordsWithSpace } from 'diff'
import { GUIDE_SECTIONS, type GuideSection, type GuideText } from '../../../shared/domain/guide'

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

export interface SectionDiff {
  readonly section: GuideSection
  readonly parts: readonly DiffPart[]
  /** Words that came and went. */
  readonly added: number
  readonly removed: number
}

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** What changed from one document to another, word by word, section by section; sections that both leave empty are left out. */
export function diffGuides(before: GuideText, after: GuideText): SectionDiff[] {
  return GUIDE_SECTIONS.filter((section) => before[section] !== '' || after[section] !== '').map(
    (section) => {
      const parts = diffWordsWithSpace(before[section], after[section]).map(
        ({ added, removed, value }): DiffPart => ({
          kind: added ? 'added' : removed ? 'removed' : 'same',
          text: value,
        }),
      )
      const count = (kind: DiffPart['kind']) =>
        parts.reduce((sum, part) => sum + (part.kind === kind ? wordsIn(part.text) : 0), 0)
      return { section, parts, added: count('added'), removed: count('removed') }
    },
  )
}
