import { Check, X } from '../../components/icons'
import type { RecalledItem } from '../../../shared/domain/trajectory'
import { classNames } from '../../components/class-names'
import { plural } from '../../components/format'
import { GLOSSARY, type GlossaryTerm } from '../../components/glossary'
import { Term } from '../../components/term'
import { WhyItem } from './why-chosen'
import { RowLink } from '../../components/row-link'

export interface RecalledListProps {
  items: readonly RecalledItem[]
  /** Opens a recalled case; left out where there is nothing to open. */
  onOpen?: ((item: RecalledItem) => void) | undefined
}

/** What was put into the prompt, each with why: score, kind of score, reward, tokens. */
export function RecalledList({ items, onOpen }: RecalledListProps) {
  if (items.length === 0) return <p className="text-sm text-muted">The model worked from the task alone.</p>
  return (
    <ul className="divide-y rounded-md border">
      {bestFirst(items).map((item) => (
        <li key={`${item.kind}-${item.id}`} className="flex flex-col px-2.5 py-1">
          {item.kind === 'case' && onOpen ? (
            <RowLink onClick={() => onOpen(item)} className="text-sm">
              {' '}
              {item.title}
            </RowLink>
          ) : (
            <p className="truncate text-sm">{item.title}</p>
          )}
          <p className="flex items-center gap-2 text-xs text-muted">
            <Reward reward={item.reward} />
            {item.unproven ? <span>unproven</span> : null}
            {item.pinned ? <span>pinned</span> : null}
            {item.score === null ? (
              <ScoreKind kind={item.scoreKind} />
            ) : (
              <span>
                <ScoreKind kind={item.scoreKind} /> {item.score.toFixed(2)}
              </span>
            )}
            <span>{plural(item.tokens, 'token')}</span>
          </p>
          {item.why ? <WhyItem why={item.why} /> : null}
        </li>
      ))}
    </ul>
  )
}

/** By score where there is one; a prompt often holds the best last. */
function bestFirst(items: readonly RecalledItem[]): RecalledItem[] {
  return items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
}

function ScoreKind({ kind }: { kind: string }) {
  return isTerm(kind) ? <Term name={kind} /> : <span>{kind}</span>
}

function isTerm(name: string): name is GlossaryTerm {
  return Object.hasOwn(GLOSSARY, name)
}

function Reward({ reward }: { reward: number | null }) {
  if (reward === null) return null
  const solved = reward > 0
  const Icon = solved ? Check : X
  return (
    <span className={classNames('flex items-center gap-0.5', solved ? 'text-solved' : 'text-failed')}>
      <Icon size={12} strokeWidth={2.5} aria-hidden /> {solved ? 'solved' : 'failed'}
    </span>
  )
}
