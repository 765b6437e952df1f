import type { ItemRef } from '../../../shared/domain/item'
import { plural } from '../../components/format'
import { saveText } from '../../ground/save-text'
import { useUndo } from '../../ground/use-undo'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Writes items of the open memory into a file: those named, else all that are in use of some kinds (null: all). */
export function useExportItems() {
  const { client, items, toasts } = useServices()
  const { report } = useUndo()
  return async (what: { items?: ItemRef[]; kinds?: string[] | null }) => {
    const { memoryId } = items.getState()
    if (!memoryId) return
    try {
      const { fileName, text, items } = await client.items.exportText({ memoryId, ...what })
      saveText(fileName, text)
      toasts.getState().tell(`Exported ${plural(items, 'item')}`, fileName)
    } catch (error) {
      report(errorShape(error))
    }
  }
}
