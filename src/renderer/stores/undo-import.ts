import type { LoamClient } from '../client-type'
import { plural } from '../components/format'
import type { Stores } from './all-stores'
import { refusalOf } from './error-shape'

/** Undoes an import as a whole, and says so. */
export async function undoImport(
  { client, toasts, memories, items }: Pick<Stores, 'toasts' | 'memories' | 'items'> & { client: LoamClient },
  memoryId: string,
  importId: string,
): Promise<void> {
  const refusal = await refusalOf(
    client.items.undoImport({ memoryId, importId }).then(({ file, removed }) => {
      toasts.getState().tell('The import is undone', `${plural(removed, 'item')} of ${file}`)
    }),
  )
  if (refusal) toasts.getState().report(refusal)
  await memories.getState().reload()
  if (items.getState().memoryId) await items.getState().reload()
}
