import { useServices, useStored } from '../../stores/use-services'
import { ExportDialog } from './export-dialog'
import { ImportDialog } from './import-dialog'

/** What is open of the two: files come into a memory by the one and leave it by the other. */
export function TransferDialogs() {
  const { ui } = useServices()
  const transfer = useStored('ui', (state) => state.transfer)
  const close = () => ui.getState().setTransfer(null)
  if (transfer === null) return null
  return transfer.kind === 'import' ? (
    <ImportDialog key={transfer.number} request={transfer} onClose={close} />
  ) : (
    <ExportDialog request={transfer} onClose={close} />
  )
}
