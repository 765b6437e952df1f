import type { ItemMark, ItemRef, ItemStep, ItemValues } from '../../../shared/domain/item'
import type { LoamErrorShape } from '../../../shared/errors'
import { useUndo } from '../../ground/use-undo'
import type { Changed } from '../../stores/items'
import { useServices } from '../../stores/use-services'

const MARKED = {
  pinned: { title: 'Pinned', detail: 'It is recalled before others of its kind.' },
  muted: { title: 'Muted', detail: 'No run recalls it any more.' },
  none: { title: 'Mark taken off', detail: 'Unpinned: ranking decides.' },
} as const

/** What can be done with an item: at once, each with its undo. */
export function useItemChanges() {
  const { items, caseValues } = useServices()
  const { report, offer } = useUndo()
  const store = items.getState()

  /** Says what was done and offers to take it back. Resolves to the problem, or null. */
  async function getMessage(
    changing: Promise<Changed>,
    words: { readonly title: string; readonly detail: string },
  ): Promise<LoamErrorShape | null> {
    const change = await changing
    if (change.problem) return change.problem
    // What was learned of cases follows what was changed.
    caseValues.getState().reload()
    if (change.undo.length > 0) offer(words, async () => (await items.getState().undo(change.undo)).problem)
    return null
  }
  return {
    mark: async (ref: ItemRef, mark: ItemMark | null) =>
      report(await getMessage(store.mark(ref, mark), MARKED[mark ?? 'none'])),
    remove: async (ref: ItemRef) =>
      report(
        await getMessage(store.remove(ref), {
          title: 'Deleted',
          detail: 'Runs no longer recall it. It stands under “Not in use”.',
        }),
      ),
    restore: async (ref: ItemRef) =>
      report(
        await getMessage(store.restore(ref), { title: 'Restored', detail: 'Runs may recall it again.' }),
      ),
    /** Makes changes to several items, told and taken back as one. */
    all: async (steps: readonly ItemStep[], words: { readonly title: string; readonly detail: string }) =>
      getMessage(store.apply(steps), words),
    merge: (items: readonly ItemRef[], values: ItemValues) =>
      getMessage(store.merge(items, values), {
        title: `${items.length} items became one`,
        detail: 'The others stand under “Not in use”.',
      }),
    move: (refs: readonly ItemRef[], toMemoryId: string, name: string, copy: boolean) =>
      getMessage(store.move(refs, toMemoryId, copy), {
        title: `${copy ? 'Copied' : 'Moved'} to ${name}`,
        detail: refs.length === 1 ? '1 item.' : `${refs.length} items.`,
      }),
    edit: (ref: ItemRef, values: ItemValues) =>
      getMessage(store.edit(ref, values), { title: 'Saved', detail: 'What it read before is kept.' }),
  }
}
