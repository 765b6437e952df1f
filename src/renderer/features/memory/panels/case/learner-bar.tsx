import type { ShownLearner, CaseRecord } from '../../../../../shared/domain/case'
import { plural } from '../../../../components/format'
import { SolvedIcon } from '../../../../components/row-icons'
import { Select } from '../../../../ground/select'
import { useServices, useStored } from '../../../../stores/use-services'

/** Whose values are on screen, and a choice of others. */
export function LearnerBar({ learner }: { learner: ShownLearner | null }) {
  const { caseValues } = useServices()
  const list = useStored('methods', (state) => state.data) ?? []
  const method = useStored('caseValues', (state) => state.method)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Select
        label="Learner"
        className="w-44"
        value={method ?? learner?.method ?? null}
        options={list.flatMap(({ id, learner: own }) =>
          // A method may recall with another one's learner.
          own && list.find((other) => other.learner?.title === own.title)?.id === id
            ? [{ value: id, label: own.title, detail: own.detail }]
            : [],
        )}
        placeholder="Learner"
        onChange={(value) => caseValues.getState().choose(value)}
      />
      {learner ? (
        <p className="text-sm text-muted">
          Learned from {plural(learner.writes, 'case')},{' '}
          {learner.runId === null
            ? 'with its default settings'
            : `as in the newest run here, seed ${learner.seed}`}
        </p>
      ) : null}
    </div>
  )
}

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
