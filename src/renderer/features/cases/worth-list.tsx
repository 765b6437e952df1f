import type { CaseWorth, WeighedCase } from '../../../shared/domain/case'
import { Badge } from '../../components/badge'
import { classNames } from '../../components/class-names'
import { CaseLink } from './case-link'

/** The weighed cases, highest score first, with what the score is made of. */
export function WorthList({ worth: { cases } }: { worth: CaseWorth }) {
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">Cases by score</caption>
      <thead className="text-left text-xs text-muted">
        <tr className="border-b">
          <th className="py-1.5 pr-3 font-normal">Case</th>
          <th className="w-26 pr-3 font-normal">Similarity</th>
          <th className="w-26 pr-3 font-normal">Q</th>
          <th className="w-14 text-right font-normal">Score</th>
          <th className="w-22 pl-3 font-normal">Recalled</th>
        </tr>
      </thead>
      <tbody>
        {cases.map((each) => (
          <Row key={each.case.id} each={each} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ each }: { each: WeighedCase }) {
  const { case: record, similarity, value, score, recalled } = each
  return (
    <tr className={classNames('border-b', record.mark === 'muted' && 'opacity-60')}>
      <td className="py-1.5 pr-3">
        <CaseLink record={record} />
      </td>
      <td className="pr-3">
        <Bar value={similarity} tone="bg-line-strong" />
      </td>
      <td className="pr-3">
        <Bar value={value} tone="bg-accent" />
      </td>
      <td className="text-right">{score.toFixed(2)}</td>
      <td className="pl-3">
        {record.mark === 'pinned' ? (
          <Badge tone="accent">Pinned</Badge>
        ) : record.mark === 'muted' ? (
          <Badge tone="notice">Muted</Badge>
        ) : recalled ? (
          <Badge tone="accent">Yes</Badge>
        ) : null}
      </td>
    </tr>
  )
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
