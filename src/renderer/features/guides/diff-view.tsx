import { useMemo } from 'react'
import type { GuideText } from '../../../shared/domain/guide'
import { plural } from '../../components/format'
import { diffGuides, type DiffPart } from './guide-diff'
import { SECTION_TITLES } from './words'

const LOOKS: Record<DiffPart['kind'], string> = {
  same: '',
  added: 'rounded-sm bg-solved-soft text-solved no-underline',
  removed: 'rounded-sm bg-failed-soft text-failed line-through',
}

/** What changed between two documents, word by word: new words on green, gone words struck through. */
export function DiffView({ before, after }: { before: GuideText; after: GuideText }) {
  const sections = useMemo(() => diffGuides(before, after), [before, after])
  const diffs = sections.filter(({ added, removed }) => added + removed > 0)
  if (diffs.length === 0) return <p className="text-sm text-muted">Both say the same.</p>
  return (
    <div role="group" aria-label="Changes" className="flex flex-col gap-4">
      {sections.map(({ section, parts, added, removed }) => (
        <section key={section} aria-label={SECTION_TITLES[section]}>
          <h3 className="mb-1 flex items-baseline gap-2 text-sm font-medium">
            {SECTION_TITLES[section]}
            <span className="text-xs font-normal text-muted">
              {added + removed === 0
                ? 'unchanged'
                : `${plural(added, 'word')} new, ${plural(removed, 'word')} gone`}
            </span>
          </h3>
          {added + removed === 0 ? null : (
            <p className="leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap">
              {parts.map(({ kind, text }, i) => {
                const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
                return (
                  <Tag key={i} className={LOOKS[kind]}>
                    {text}
                  </Tag>
                )
              })}
            </p>
          )}
        </section>
      ))}
    </div>
  )
}
