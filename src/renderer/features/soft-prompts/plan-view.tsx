import type { TrainingPlan } from '../../../shared/domain/soft-prompt-training'
import { Badge } from '../../components/badge'
import { ErrorNotice } from '../../components/error-notice'
import { Figure } from '../../components/figure'
import { Summary } from '../../components/fold'
import { formatBytes, formatDuration, plural } from '../../components/format'
import { Term } from '../../components/term'
import { planWords } from './words'

/** The dry run: what it would learn from, memory, time, and why not. */
export function PlanView({ plan }: { plan: TrainingPlan }) {
  const { attempts, estimate, freeBytes, time, refusal } = plan
  const neededCount = estimate.weightBytes + estimate.workBytes
  return (
    <section aria-label="What it would take" className="flex flex-col gap-3 border-t pt-3">
      <p data-testid="consolidation-plan">{planWords(plan)}</p>
      {refusal ? <ErrorNotice problem={refusal} /> : null}
      <dl className="grid grid-cols-4 gap-x-6 gap-y-2 text-sm max-[1000px]:grid-cols-2">
        <Figure plain name="Memory">
          about {formatBytes(neededCount)} of {formatBytes(freeBytes)} free
        </Figure>
        <Figure plain name="Time">
          {formatDuration(time.teacherMs)} + {formatDuration(time.trainingMs)}
          <span className="block text-xs text-muted">
            teacher + learning{time.measured ? '' : '; a first guess'}
          </span>
        </Figure>
        <Figure plain name={<Term name="teacher">Teacher / student</Term>}>
          {plan.teacher} / {plan.student} solved tasks
        </Figure>
        <Figure plain name={<Term name="reserved tokens">Length</Term>}>
          {plural(plan.settings.length, 'reserved token')}
        </Figure>
      </dl>
      <details className="group">
        <Summary>
          {plural(attempts.length, 'solved task')} in {plural(plan.rounds, 'round')}
        </Summary>
        <ul className="mt-2 max-h-64 divide-y overflow-y-auto rounded-md border text-sm" tabIndex={0}>
          {attempts.map(({ id, instruction, heldOut }) => (
            <li key={id} className="flex items-center gap-2 px-2.5 py-1">
              <span className="min-w-0 flex-1 truncate">{instruction}</span>
              {heldOut ? <Badge tone="notice">held out</Badge> : null}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
