import type { Scaling } from '../../../shared/domain/trajectory'
import { plural } from '../../components/format'
import { Outcome } from '../../components/outcome'
import { RoundView } from './round-view'

const HOW: Readonly<Record<Scaling['how'], string>> = {
  parallel: 'Each knew nothing of the others.',
  sequential: 'Each went over the one before, without knowing how it had ended.',
}

const BY: Readonly<Record<Scaling['by'], string>> = {
  first: 'The first one counts.',
  choice: 'The model chose the one that counts, without knowing how any had ended.',
  last: 'The last one counts.',
}

/** The attempts that were made at one task: how each ended, which one counts and why; its own rounds are told above. */
export function SeveralAttempts({ scaling }: { scaling: Scaling }) {
  return (
    <>
      <p className="text-sm">
        {HOW[scaling.how]} {BY[scaling.by]}
      </p>
      <ol className="mt-1.5 flex flex-col gap-1.5" aria-label="Attempts at this task">
        {scaling.attempts.map(({ measured, reward, rounds }, n) => (
          <li key={n} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2 text-sm">
              Attempt {n + 1} <Outcome reward={measured ?? reward} /> {plural(rounds.length, 'round')}
              {n === scaling.reported ? <span className="text-muted">counts</span> : null}
            </span>
            {n === scaling.reported ? null : (
              <details>
                <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
                  Its rounds
                </summary>
                {rounds.map((round) => (
                  <RoundView key={round.index} round={round} />
                ))}
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
