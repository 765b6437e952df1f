import type { ItemChange, ItemMark, ItemRef, ItemStep, ItemValues } from '../../../shared/domain/item'
import type { LoamErrorShape } from '../../../shared/errors'
import { plural } from '../../components/format'
import { useUndo } from '../../ground/use-undo'
import { refOf } from '../../stores/items'
import { useServices } from '../../stores/use-services'

const MARKED = {
  pinned: { title: 'Pinned', detail: 'It is recalled before others of its kind.' },
  muted: { title: 'Muted', detail: 'No run recalls it any more.' },
  none: { title: 'Mark taken off', detail: 'Unpinned: ranking decides.' },
} as const

/** What can be done with an item: at once, each with its undo. */
export function useItemChanges() {
  const { client, items, caseValues } = useServices()
  const { report, offer } = useUndo()
  const { change } = items.getState()
  const api = client.items

  /** Makes a change, says what was done and offers to take it back. Resolves to the problem, or null. */
  async function make(
    work: (memoryId: string) => Promise<ItemChange>,
    message: { readonly title: string; readonly detail: string },
  ): Promise<LoamErrorShape | null> {
    const outcome = await change(work)
    if (outcome.problem) return outcome.problem
    // What was learned of cases follows what was changed.
    caseValues.getState().reload()
    const steps = [...outcome.undo]
    const undo = () => change((memoryId) => api.undo({ memoryId, steps }))
    if (steps.length > 0) offer(message, async () => (await undo()).problem)
    return null
  }
  return {
    mark: async (ref: ItemRef, mark: ItemMark | null) =>
      report(await make((memoryId) => api.mark({ memoryId, ...refOf(ref), mark }), MARKED[mark ?? 'none'])),
    remove: async (ref: ItemRef) =>
      report(
        await make((memoryId) => api.delete({ memoryId, ...refOf(ref) }), {
          title: 'Deleted',
          detail: 'Runs no longer recall it. It stands under “Not in use”.',
        }),
      ),
    restore: async (ref: ItemRef) =>
      report(
        await make((memoryId) => api.restore({ memoryId, ...refOf(ref) }), {
          title: 'Restored',
          detail: 'Runs may recall it again.',
        }),
      ),
    /** Makes changes to several items, told and taken back as one. */
    all: (steps: readonly ItemStep[], message: { readonly title: string; readonly detail: string }) =>
      make((memoryId) => api.apply({ memoryId, steps: [...steps] }), message),
    merge: (refs: readonly ItemRef[], values: ItemValues) =>
      make((memoryId) => api.merge({ memoryId, items: refs.map(refOf), values }), {
        title: `${refs.length} items became one`,
        detail: 'The others stand under “Not in use”.',
      }),
    /** Puts items into another memory, or copies them there. */
    move: (refs: readonly ItemRef[], toMemoryId: string, name: string, copy: boolean) =>
      make((memoryId) => api.move({ memoryId, toMemoryId, copy, items: refs.map(refOf) }), {
        title: `${copy ? 'Copied' : 'Moved'} to ${name}`,
        detail: `${plural(refs.length, 'item')}.`,
      }),
    edit: (ref: ItemRef, values: ItemValues) =>
      make((memoryId) => api.edit({ memoryId, ...refOf(ref), values }), {
        title: 'Saved',
        detail: 'What it read before is kept.',
      }),
  }
}
