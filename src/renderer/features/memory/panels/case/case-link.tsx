import type { CaseRecord } from '../../../../../shared/domain/case'
import { SolvedIcon } from '../../../../components/row-icons'
import { useServices } from '../../../../stores/use-services'

/** Opens a case beside the list. */
export function useShowCase(): (caseId: string) => void {
  const { items, caseValues } = useServices()
  return (caseId) => {
    void items.getState().show({ kind: 'case', id: caseId })
    caseValues.getState().look('case')
  }
}

/** A case by its state, with whether it was solved; opens it. */
export function CaseLink({ record }: { record: CaseRecord }) {
  const show = useShowCase()
  return (
    <button
      type="button"
      onClick={() => show(record.id)}
      className="flex w-full min-w-0 items-start gap-1.5 rounded-sm text-left hover:text-accent hover:underline"
    >
      <SolvedIcon reward={record.reward} size={13} />
      <span className="truncate">{record.state}</span>
    </button>
  )
}
