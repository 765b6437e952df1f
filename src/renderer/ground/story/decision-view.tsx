import { Check, X } from '../../components/icons'
import type { KbDecision } from '../../../shared/domain/experience'
import { formatCount } from '../../components/format'
import { RowLink } from '../../components/row-link'
import { Term } from '../../components/term'
import { Folded } from './mono'

const TRIGGERS: Readonly<Record<KbDecision['trigger'], string>> = {
  task: 'The task itself set it off.',
  environment: 'The environment reported an error.',
  'no-progress': 'A step was repeated, with the same answer.',
  cycle: 'A plan was worked through without an answer.',
  critic: 'The critic saw trouble.',
}

/** One pass of Reason-Retrieve-Refine: what was asked for, what was found, both plans, and what the gate said. */
export function DecisionView(props: {
  decision: KbDecision
  onOpen?: ((experienceId: string) => void) | undefined
}) {
  const { decision, onOpen } = props
  const { queries, retrieved, plan, refined, adaptations, summary, trigger, cost } = decision
  const tokens = Object.entries(cost).map(
    ([module, { promptTokens, completionTokens }]) =>
      `${module} ${formatCount(promptTokens + completionTokens)}`,
  )
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="flex items-start gap-1.5">
        {decision.applied ? (
          <Check size={14} strokeWidth={2.5} aria-hidden className="mt-0.75 shrink-0 text-solved" />
        ) : (
          <X size={14} strokeWidth={2.5} aria-hidden className="mt-0.75 shrink-0 text-failed" />
        )}
        <span>{verdictWords(decision)}</span>
      </p>
      {decision.cosine === null ? null : <Gate cosine={decision.cosine} beta={decision.beta} />}
      <p className="text-muted">
        {TRIGGERS[trigger]} {summary}
      </p>
      <p className="[overflow-wrap:anywhere]">
        <span className="text-muted">Searched for </span>
        {queries.map((query) => `“${query}”`).join(', ')}
      </p>
      {retrieved.length > 0 ? (
        <ul className="divide-y rounded-md border">
          {retrieved.map((hit) => (
            <li key={hit.id} className="flex flex-col px-2.5 py-1">
              {onOpen ? (
                <RowLink onClick={() => onOpen(hit.id)}> {hit.title}</RowLink>
              ) : (
                <span className="truncate">{hit.title}</span>
              )}
              <span className="text-xs text-muted">
                {[
                  hit.framework,
                  `score ${hit.score.toFixed(2)}`,
                  hit.textScore === null ? null : `words ${hit.textScore.toFixed(2)}`,
                  hit.semanticScore === null ? null : `likeness ${hit.semanticScore.toFixed(2)}`,
                ]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {adaptations.length > 0 ? (
        <ul className="list-disc pl-4 text-muted">
          {adaptations.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
      {plan === '' ? null : <Folded title="Plan before" text={plan} />}
      {refined === '' ? null : <Folded title="Refined plan" text={refined} />}
      {tokens.length > 0 ? <p className="text-xs text-muted">Tokens: {tokens.join(', ')}</p> : null}
    </div>
  )
}

function verdictWords({ applied, why, refined, cosine, beta }: KbDecision): string {
  if (why === 'nothing-found') return 'No experience fits, so the agent went on as before.'
  if (why === 'unusable') return 'The model wrote no usable plan, so the agent went on as before.'
  if (!applied)
    return `Not applied: the refined plan is too far from the plan before it (${(cosine ?? 0).toFixed(2)}, at least ${beta} is asked for).`
  if (refined === '') return 'What was found was shown to the agent as it is.'
  return cosine !== null && cosine < beta
    ? 'The refined plan was applied: the gate is not asked while planning.'
    : 'The refined plan was applied.'
}

/** The cosine of both plans on a line from 0 to 1, with beta as a mark. */
function Gate({ cosine, beta }: { cosine: number; beta: number }) {
  const at = (value: number): string => `${100 * Math.min(1, Math.max(0, value))}%`
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-3">
      <div
        className="relative h-2 rounded-full bg-hover"
        role="img"
        aria-label={`Cosine of both plans ${cosine.toFixed(2)}, beta ${beta}`}
      >
        <span className="block h-full rounded-full bg-accent" style={{ width: at(cosine) }} />
        <span className="absolute -top-1 h-4 w-px bg-ink" style={{ left: at(beta) }} />
      </div>
      <span className="text-xs">
        {cosine.toFixed(2)}
        <span className="text-muted">
          {' '}
          <Term name="disagreement gate">gate</Term> {beta}
        </span>
      </span>
    </div>
  )
}
