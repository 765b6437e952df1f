import { FolderOpen } from 'lucide-react'
import { DialogButton } from '../../components/dialog'
import { FoldersDialog } from '../../ground/folders-dialog'

/** The folders that the open memory reads. */
export function OwnFiles({ memoryId }: { memoryId: string }) {
  return (
    <DialogButton
      size="small"
      look="quiet"
      icon={FolderOpen}
      dialog={(close) => <FoldersDialog memoryId={memoryId} project={null} onClose={close} />}
    >
      My files
    </DialogButton>
  )
}
