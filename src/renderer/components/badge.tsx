import type { ReactNode } from 'react'
import { classNames } from './class-names'

const TONES = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  solved: 'bg-solved-soft text-solved',
  failed: 'bg-failed-soft text-failed',
  notice: 'bg-notice-soft text-notice',
  danger: 'bg-danger-soft text-danger',
} as const

/** A short word that classifies something. */
export function Badge(props: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded px-1.5 text-xs font-medium whitespace-nowrap',
        TONES[props.tone ?? 'neutral'],
      )}
    >
      {props.children}
    </span>
  )
}

const LOOKS = {
  accent: 'bg-accent-soft text-accent',
  code: 'bg-surface font-mono text-xs leading-5 break-all',
} as const

/** Words one after another, each on a ground of its own. */
export function WordChips({ words, look }: { words: readonly string[]; look: keyof typeof LOOKS }) {
  return words.map((word) => (
    <span key={word} className={classNames('rounded px-1.5', LOOKS[look])}>
      {word}
    </span>
  ))
}
