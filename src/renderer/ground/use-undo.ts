import type { LoamErrorShape } from '../../shared/errors'
import { useServices } from '../stores/use-services'

type Change = Promise<LoamErrorShape | null>

/** Changes that are made at once and can be taken back from a note, instead of being asked about first. */
export function useUndo() {
  const { toasts } = useServices()

  /** Says why a change was refused. Answers whether it was made. */
  function report(problem: LoamErrorShape | null): boolean {
    if (problem) toasts.getState().report(problem)
    return problem === null
  }

  /** Offers to take a change back that was made. */
  function offer(message: { readonly title: string; readonly detail: string }, undo: () => Change): void {
    const note = toasts.getState().show({
      ...message,
      tone: 'plain',
      action: {
        label: 'Undo',
        run: () => {
          toasts.getState().dismiss(note)
          void undo().then((problem) => {
            if (report(problem)) toasts.getState().say('Undone.')
          })
        },
      },
    })
  }

  /** Makes a change, says so, and offers to take it back; says why when it was refused. */
  async function change(
    make: Change,
    message: { readonly title: string; readonly detail: string },
    undo: () => Change,
  ): Promise<void> {
    if (report(await make)) offer(message, undo)
  }
  return { report, offer, change }
}
