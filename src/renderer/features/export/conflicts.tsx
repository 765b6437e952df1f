import type { BundleImportInfo } from '../../../shared/domain/sharing'
import { Segmented } from '../../components/segmented'

/** What a person answered to single conflicts, by kind and id. */
export type Answers = Readonly<Record<string, 'keep' | 'take' | 'both'>>

const CHOICES = [
  { value: 'keep', label: 'Keep mine' },
  { value: 'take', label: 'Take theirs' },
  { value: 'both', label: 'Both' },
] as const

/** Items that read differently here and in the bundle, each with both texts and what is to be done. */
export function Conflicts(props: {
  conflicts: BundleImportInfo['conflicts']
  answers: Answers
  onChange(answers: Answers): void
}) {
  const { conflicts, answers } = props
  if (conflicts.length === 0) return null
  return (
    <ul aria-label="Items that read differently" className="divide-y rounded-md border">
      {conflicts.map(({ kind, id, parts }) => {
        const key = `${kind}/${id}`
        return (
          <li key={key} className="flex flex-col gap-2 p-3">
            <div className="flex flex-wrap items-center gap-3">
              <span className="min-w-0 flex-1 truncate">
                <span className="text-muted">{kind}</span> {id}
              </span>
              <Segmented
                label={`What to do about ${id}`}
                value={answers[key] ?? 'keep'}
                options={CHOICES}
                onChange={(answer) => props.onChange({ ...answers, [key]: answer })}
              />
            </div>
            {parts.map(({ part, mine, theirs }) => (
              <dl key={part} className="grid grid-cols-[5rem_1fr] gap-x-3 text-xs">
                <dt className="text-muted">here</dt>
                <dd className="[overflow-wrap:anywhere]">{mine || '(nothing)'}</dd>
                <dt className="text-muted">there</dt>
                <dd className="[overflow-wrap:anywhere]">{theirs || '(nothing)'}</dd>
              </dl>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
