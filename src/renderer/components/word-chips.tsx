import { classNames } from './class-names'

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
