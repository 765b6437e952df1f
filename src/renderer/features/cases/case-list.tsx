import { useStore } from 'zustand'
import type { FoundCase } from '../../../shared/domain/case'
import { classNames } from '../../components/class-names'
import { MarkIcon, SolvedIcon } from '../../components/row-icons'
import { PagedRecords } from '../../ground/record-browser'
import { useServices } from '../../stores/use-services'
import { useDeleteCase } from './use-delete-case'
import { useShowCase } from './case-link'

/** The cases found, however many. Arrows move, Delete deletes. */
export function CaseList() {
  const { cases } = useServices()
  const list = useStore(cases)
  const show = useShowCase()
  const deleteCase = useDeleteCase()
  return (
    <PagedRecords
      label="Cases"
      list={list}
      isOpen={({ case: { id } }) => id === list.open?.id}
      onOpen={({ case: { id } }) => show(id)}
      onLook={cases.getState().need}
      onDelete={({ case: record }) => {
        if (record.deletedAt === null) void deleteCase(record)
      }}
      row={(found) => <CaseRow found={found} />}
    />
  )
}

function CaseRow({ found: { case: record, score } }: { found: FoundCase }) {
  return (
    <>
      <SolvedIcon reward={record.reward} />
      <div className={classNames('min-w-0 flex-1', record.deletedAt !== null && 'line-through opacity-60')}>
        <p className="truncate text-sm">{record.state}</p>
        <p className="truncate font-mono text-2xs text-muted">{firstAction(record.plan)}</p>
      </div>
      <MarkIcon mark={record.mark} />
      {score === null ? null : (
        <span className="shrink-0 text-xs leading-5 text-muted" title="Score">
          {score.toFixed(2)}
        </span>
      )}
    </>
  )
}

/** The first line of a plan that says something: neither a label nor a fence. */
function firstAction(plan: string): string {
  return (
    plan.split('\n').find((line) => line.trim() !== '' && !/^(Action:|```)/.test(line)) ??
    'Nothing was written'
  )
}
