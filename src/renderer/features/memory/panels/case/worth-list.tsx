import type { CaseWorth, WeighedCase } from '../../../../../shared/domain/case'
import { Badge } from '../../../../components/badge'
import { classNames } from '../../../../components/class-names'
import { CaseLink } from './case-link'
import { PlainTable, type PlainColumn } from '../../../../ground/plain-table'

/** The weighed cases, highest score first, with what the score is made of. */
export function WorthList({ worth: { cases } }: { worth: CaseWorth }) {
  return (
    <PlainTable
      caption="Cases by score"
      columns={COLUMNS}
      rows={cases}
      keyOf={keyOf}
      isFaint={isMuted}
      fixed
    />
  )
}

const keyOf = ({ case: { id } }: WeighedCase): string => id
const isMuted = ({ case: { mark } }: WeighedCase): boolean => mark === 'muted'

const COLUMNS: readonly PlainColumn<WeighedCase>[] = [
  { head: 'Case', cell: ({ case: record }) => <CaseLink record={record} /> },
  {
    head: 'Similarity',
    width: 'w-28',
    words: true,
    cell: ({ similarity }) => <Bar value={similarity} tone="bg-line-strong" />,
  },
  { head: 'Q', width: 'w-28', words: true, cell: ({ value }) => <Bar value={value} tone="bg-accent" /> },
  { head: 'Score', width: 'w-16', cell: ({ score }) => score.toFixed(2) },
  { head: 'Recalled', width: 'w-22', words: true, cell: (each) => <Standing each={each} /> },
]

function Standing({ each: { case: record, recalled } }: { each: WeighedCase }) {
  if (record.mark === 'pinned') return <Badge tone="accent">Pinned</Badge>
  if (record.mark === 'muted') return <Badge tone="notice">Muted</Badge>
  return recalled ? <Badge tone="accent">Yes</Badge> : null
}

function Bar({ value, tone }: { value: number; tone: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-hover" aria-hidden>
        <span
          className={classNames('block h-full rounded-full', tone)}
          style={{ width: `${100 * Math.min(1, Math.max(0, value))}%` }}
        />
      </span>
      <span className="w-8 text-right text-xs">{value.toFixed(2)}</span>
    </span>
  )
}
