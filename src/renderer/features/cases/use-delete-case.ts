import type { CaseRecord } from '../../../shared/domain/case'
import { useServices } from '../../stores/use-services'

/** Deletes a case at once and offers undo, instead of asking first. */
export function useDeleteCase(): (record: CaseRecord) => Promise<void> {
  const { cases, toasts } = useServices()
  const report = (problem: { title: string; suggestion: string } | null) => {
    if (problem) toasts.getState().show({ title: problem.title, detail: problem.suggestion, tone: 'problem' })
    return problem === null
  }
  return async (record) => {
    if (!report(await cases.getState().setDeleted(record.id, true))) return
    const note = toasts.getState().show({
      title: 'Case deleted',
      detail: 'Runs no longer recall it.',
      tone: 'plain',
      action: {
        label: 'Undo',
        run: () => {
          toasts.getState().dismiss(note)
          void cases.getState().setDeleted(record.id, false).then(report)
        },
      },
    })
  }
}
