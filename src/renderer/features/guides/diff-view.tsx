import { diffWordsWithSpace } from 'diff'
import { TriangleAlert, Undo2 } from '../../components/icons'
import { useMemo } from 'react'
import {
  type GuideText,
  GUIDE_SECTIONS,
  type GuideSection,
  type GuideVersion,
} from '../../../shared/domain/guide'
import { WordChips } from '../../components/badge'
import { plural } from '../../components/format'
import { Term } from '../../components/term'
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

interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

interface SectionDiff {
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

/** What the zero-loss check flagged, and what was done to keep a person's edits. */
export function LossNotes({ version }: { version: Pick<GuideVersion, 'lost' | 'putBack' | 'restored'> }) {
  const { lost, putBack = [], restored } = version
  return (
    <>
      {lost.length > 0 ? (
        <div className="flex gap-2.5 rounded-lg border bg-notice-soft px-3 py-2 text-sm">
          <TriangleAlert size={14} aria-hidden className="mt-0.75 shrink-0 text-notice" />
          <div className="min-w-0">
            <p>
              The <Term name="zero loss">zero-loss check</Term> misses this, for which there was no room:
            </p>
            <p className="mt-1 flex flex-wrap gap-1.5">
              <WordChips words={lost} look="code" />
            </p>
          </div>
        </div>
      ) : null}
      <PutBack words="The model had left these out; they were put back word for word:" sentences={putBack} />
      <PutBack words="Your edits were kept; the model had changed these sentences:" sentences={restored} />
    </>
  )
}

function PutBack({ words, sentences }: { words: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div className="flex gap-2.5 rounded-lg border px-3 py-2 text-sm">
      <Undo2 size={14} aria-hidden className="mt-0.75 shrink-0 text-muted" />
      <div className="min-w-0">
        <p>{words}</p>
        <ul className="mt-1 list-disc pl-4 text-muted">
          {sentences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
