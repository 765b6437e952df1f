import { PencilLine, Trash2, Undo2 } from 'lucide-react'
import type { CaseRecord } from '../../../shared/domain/case'
import { Button } from '../../components/button'
import { DialogButton } from '../../components/dialog-button'
import { MarkButtons } from '../../ground/mark-buttons'
import { useServices } from '../../stores/use-services'
import { CorrectDialog } from './correct-dialog'
import { useCaseChanges } from './use-case-changes'
import { useDeleteCase } from './use-delete-case'

/** What a person can do about a case; each of it can be undone. */
export function CaseActions({ record }: { record: CaseRecord }) {
  const { cases } = useServices()
  const { mark } = useCaseChanges()
  const deleteCase = useDeleteCase()
  if (record.deletedAt !== null) {
    return (
      <Button icon={Undo2} onClick={() => void cases.getState().setDeleted(record.id, false)}>
        Restore
      </Button>
    )
  }
  return (
    <>
      <MarkButtons mark={record.mark} onMark={(next) => void mark(record, next)} />
      <DialogButton icon={PencilLine} dialog={(close) => <CorrectDialog record={record} onClose={close} />}>
        Correct
      </DialogButton>
      <Button look="danger" icon={Trash2} onClick={() => void deleteCase(record)}>
        Delete
      </Button>
    </>
  )
}
