import type { ImportConflict } from '../../../shared/domain/format'
import type { ConflictAnswer } from '../../../shared/domain/item-transfer'
import { plural } from '../../components/format'
import { Segmented } from '../../components/segmented'

/** What a person answered to single conflicts, by `kind/id`. */
export type Answers = Readonly<Record<string, ConflictAnswer>>

const CHOICES = [
  { value: 'keep', label: 'Keep mine' },
  { value: 'take', label: 'Take theirs' },
  { value: 'both', label: 'Keep both' },
] as const

/** Items that read differently here and in the file: one answer to all, and others to single ones. */
export function Conflicts(props: {
  conflicts: readonly ImportConflict[]
  /** The answer to all. */
  answer: ConflictAnswer
  answers: Answers
  onAnswer(answer: ConflictAnswer): void
  onAnswers(answers: Answers): void
}) {
  const { conflicts, answer, answers } = props
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Items that read differently" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1 text-sm">
          {plural(conflicts.length, 'item reads', 'items read')} differently here
        </span>
        <Segmented
          label="What to do about all of them"
          value={answer}
          options={CHOICES}
          onChange={props.onAnswer}
        />
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted">Answer one by one</summary>
        <ul className="mt-2 max-h-64 divide-y overflow-y-auto rounded-md border">
          {conflicts.map(({ kind, id, parts }) => {
            const key = `${kind}/${id}`
            return (
              <li key={key} className="flex flex-col gap-2 p-3">
                <div className="flex flex-wrap items-center gap-3">
                  <span className="min-w-0 flex-1 truncate text-sm">
                    <span className="text-muted">{kind}</span> {id}
                  </span>
                  <Segmented
                    label={`What to do about ${id}`}
                    value={answers[key] ?? answer}
                    options={CHOICES}
                    onChange={(next) => props.onAnswers({ ...answers, [key]: next })}
                  />
                </div>
                {parts.map(({ part, mine, theirs }) => (
                  <dl key={part} className="grid grid-cols-[5rem_1fr] gap-x-3 text-xs">
                    <dt className="text-muted">here</dt>
                    <dd className="[overflow-wrap:anywhere]">{mine || '(nothing)'}</dd>
                    <dt className="text-muted">in the file</dt>
                    <dd className="[overflow-wrap:anywhere]">{theirs || '(nothing)'}</dd>
                  </dl>
                ))}
              </li>
            )
          })}
        </ul>
      </details>
    </section>
  )
}
